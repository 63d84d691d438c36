// SPDX-License-Identifier: Apache-2.0
// Fits of the fluid of a level of refinement by warps, and sums by which particles of the guard zone give way to others.
#pragma once
#include "core/cuda/warp.cuh"
#include "sph/refinement/guard_item.hpp"
#include "sph/stepping/cuda/passes/fits/warp_fits.cuh"
#include "sph/stepping/cuda/passes/levels.cuh"

namespace shoal::sph {

/// Sum of the values of all threads of a warp, which all have it. Lanes side by side are added first: warp_sum() begins with
/// those 16 apart, and would give other bits.
__device__ inline double sum_of_warp(double value) {
  for (int apart = 1; apart < 32; apart *= 2) value += __shfl_xor_sync(whole_warp, value, apart);
  return value;
}

/// Place around which particles of a level are searched.
template <class Cells, class Real, int dimensions>
struct SearchPlace {
  Place<dimensions> place;                     ///< m
  PositionDensity<Real, dimensions> position;  ///< the same in the lattice of the level
  std::uint32_t cell;

  __device__ SearchPlace(const LevelArrays<Real, dimensions>& level, const Place<dimensions>& center)
      : place(center), position(position_of(level.zones, center)), cell(Cells::cell_of(level.parameters, position)) {}
  __device__ SearchPlace(const LevelArrays<Real, dimensions>& level, const PositionDensity<Real, dimensions>& center)
      : place(place_of(level.zones, center)), position(center), cell(Cells::cell_of(level.parameters, position)) {}

  /// Place that thread `lane` of the warp has. All threads must call it.
  __device__ SearchPlace of_lane(int lane) const {
    SearchPlace shared = *this;
    for (int axis = 0; axis < dimensions; ++axis) shared.place[axis] = __shfl_sync(whole_warp, place[axis], lane);
    shared.position = position_of_lane(position, lane);
    shared.cell = __shfl_sync(whole_warp, cell, lane);
    return shared;
  }
};

/// Lengths in units of a level's lattice.
/// @{
template <class Real, int dimensions>
__device__ float support_of(const LevelArrays<Real, dimensions>& level) {
  return static_cast<float>(sqrt(level.parameters.support_units_squared));
}
template <class Real, int dimensions>
__device__ float units_of(const LevelArrays<Real, dimensions>& level, double length) {
  return static_cast<float>(length / level.zones.unit);
}
/// Way of a particle in a step, beyond which searches among particles that have moved since the sort may miss it.
template <class Real, int dimensions>
__device__ float way_since_sort(const LevelArrays<Real, dimensions>& level) {
  constexpr float share = 1.0f / 8;  // a quarter of the smoothing length of most kernels
  return share * support_of(level);
}
/// @}

/// Returns false for two places that are surely farther from each other than a distance, units. Roundings of a place to the
/// lattice are within it.
template <class Real, int dimensions>
__device__ bool may_be_within(const PositionDensity<Real, dimensions>& i, const PositionDensity<Real, dimensions>& j,
                              float distance) {
  constexpr float rounded = 4, roundings = 1e-5f;
  float squared = 0;
  for (int axis = 0; axis < dimensions; ++axis) {
    const auto apart = static_cast<float>(i.x[axis] - j.x[axis]);
    squared = fma(apart, apart, squared);
  }
  const float reach = distance + rounded;
  return squared <= reach * reach * (1 + roundings);
}

/// Makes a fit of the fluid of a level after its step, around a place. All threads of the warp must call it.
/// @param takes  takes(position) is true for fluid that counts
template <class Cells, class Real, int dimensions, class Takes>
__device__ void make_fit(WarpFits<dimensions>& fits, int number, const LevelArrays<Real, dimensions>& level,
                         const SearchPlace<Cells, Real, dimensions>& center, const Takes& takes) {
  const StateView<Real, dimensions>& state = level.particles.state;
  const float support = support_of(level);
  fits.make(
      number,
      [&](const auto& visit) {
        for_each_chunk_within<Cells>(
            level.parameters, level.particles.cell_start, state.position, center.position, center.cell,
            support + way_since_sort(level),
            [&](std::int32_t j, const PositionDensity<Real, dimensions>& position, bool exists, bool is_last) {
              visit(
                  j,
                  exists && !is_wall(position) && may_be_within(center.position, position, support) && takes(position),
                  is_last);
            });
      },
      [&](std::int32_t j) {
        const PositionDensity<Real, dimensions> position = state.position[j];
        const WayBetween<dimensions> way(center.place, place_of(level.zones, position));
        if (way.squared >= static_cast<double>(level.parameters.support_squared) ||
            is_outside(level.parameters, position))
          return typename FluidFit<dimensions>::Terms({}, 0, 0, {});
        return terms_of(level.parameters, sample_of(level.parameters, level.zones, state, j), way);
      });
}

/// The same of fluid that does not follow the next level, for that level.
template <class Cells, class Real, int dimensions>
__device__ void make_fit_outside(WarpFits<dimensions>& fits, int number, const LevelArrays<Real, dimensions>& parent,
                                 const SearchPlace<Cells, Real, dimensions>& center) {
  make_fit<Cells>(fits, number, parent, center,
                  [&](const auto& position) { return !parent.zones.is_covered(position); });
}

/// Sums by which a particle of the guard zone gives way to others. All threads of the warp have them.
template <class Cells, class Real, int dimensions>
__device__ Arrangement<dimensions> arrangement_at(const LevelArrays<Real, dimensions>& level,
                                                  const SearchPlace<Cells, Real, dimensions>& center) {
  const float spacing = units_of(level, level.zones.spacing);
  Arrangement<dimensions> arrangement;
  for_each_chunk_within<Cells>(
      level.parameters, level.particles.cell_start, level.particles.base.position, center.position, center.cell,
      spacing, [&](std::int32_t, const PositionDensity<Real, dimensions>& neighbor, bool exists, bool) {
        if (exists && may_be_within(center.position, neighbor, spacing))
          arrangement.add(level.zones.spacing, WayBetween<dimensions>(place_of(level.zones, neighbor), center.place));
      });
  for (int axis = 0; axis < dimensions; ++axis) arrangement.way[axis] = sum_of_warp(arrangement.way[axis]);
  return arrangement;
}

}  // namespace shoal::sph
