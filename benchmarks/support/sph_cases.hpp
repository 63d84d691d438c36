// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph/case.hpp>

#include <cstdint>

/// SPH cases from formulas, for benchmarks and the tables of Massidda.
namespace shoal::benchmarks {

/// Dam break of the paper at refinement k. For k = 1, 2 and 4 it equals cases/dam_break: 6,462, 22,899 and 85,773
/// particles. It takes 10,000 k steps; k = 28 has 4 million particles.
/// @throws Error  k < 1
sph::Case dam_break_case(int k);

/// Pressure wave of the paper, n × n particles on 10 cm × 10 cm. For n = 401, 501 and 601 it equals cases/pressure_wave.
/// It takes 2 (n − 1) steps.
/// @throws Error  n < 3
sph::Case pressure_wave_case(int n);

/// The case with the scheme of the paper and of its public code, as in cases/armando_dam_break: cubic spline with
/// h = 1.8 r, dissipation of mass by Ferrari, repulsive walls.
sph::Case with_paper_scheme(sph::Case simulation);

/// Column of water, twice as wide as high (and in 3-D as deep as high), beside a dry floor of the same width.
/// @param particles  number of particles including walls, approximately
/// @throws Error  dimensions are not 2 or 3, fewer than 100 particles
sph::Case column_case(std::int64_t particles, int dimensions);

/// Parts of a flume besides water between fixed walls.
enum class FlumePart { nothing, dynamic_walls, open_ends, floating_body, absorbing_paddle };

/// Flume of water 1 m deep and 4 m long, in 3-D 1 m wide: closed, with Adami's walls or dynamic ones; with an inlet and an
/// outlet at its ends, between which the water flows at 1 m/s; with dynamic walls and a box of half the density of water
/// that lies on it; with a paddle that makes waves and absorbs those that come back.
/// @param particles  number of particles of water, approximately
/// @throws Error  dimensions are not 2 or 3, fewer than 1,000 particles
sph::Case flume_case(std::int64_t particles, int dimensions, FlumePart part);

/// Water that runs at 2 m/s against the box of cases/dam_break_3d, which it hits after 0.15 s: with one spacing, or with that spacing
/// around the box, twice the spacing around this, and four times the spacing elsewhere.
/// @param spacing  m, the finest one
sph::Case impact_case(double spacing, bool is_refined);

}  // namespace shoal::benchmarks
