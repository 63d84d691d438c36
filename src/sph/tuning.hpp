// SPDX-License-Identifier: Apache-2.0
// Thresholds between methods and between kernel configurations; docs/performance/sph.md has the measurements behind them.
#pragma once
#include <cstdint>

namespace shoal::sph {

/// @name Choice of `auto` on CUDA
/// @{
/// Particles in 3-D from which `fused` is faster than `rows`: its kernels then fill the device.
constexpr std::int64_t fused_particles = 100'000;
/// The same where a row has more candidates than `rows` has bits in its masks.
constexpr std::int64_t fused_particles_with_long_rows = 50'000;
/// Volume of a row of cells in 3-D, in supports³.
constexpr double row_in_supports = 2.25;
/// Bits of a mask of `rows` in 3-D.
constexpr double mask_bits = 64;
/// @}

/// @name Teams of threads that share a particle
/// @{
/// Particles below which a stage leaves most of the device idle, so that a team of threads shares each of them.
constexpr std::int64_t team_particles(int dimensions) { return dimensions == 3 ? 50'000 : 30'000; }
/// Wall particles below which teams are large.
constexpr std::int64_t large_team_walls = 20'000;
/// @}

/// Particles in the inner layers of a rank from which they are computed beside the exchange of halos. With fewer, the exchange
/// takes longer than they do, and a kernel of their own costs more than it hides.
constexpr std::int64_t particles_beside_halo = 200'000;

/// Places of all levels of refinement below which levels run side by side: with more, each fills the device alone.
constexpr std::int64_t places_of_levels_side_by_side = 2'000'000;

/// Particles of a rank for one for which it has room besides: ghosts, and particles that arrive between two balances.
constexpr std::int64_t particles_per_spare = 16;

/// Number of particles of inactive walls (repulsive, adami) that take as long in a step as one other particle. The weights
/// by which ranks are cut follow from it.
constexpr std::int64_t inactive_walls_per_particle = 10;

/// Room in a column of the neighbor list: this factor times the neighbors on a lattice, and a few more.
constexpr double list_room = 1.5;

}  // namespace shoal::sph
