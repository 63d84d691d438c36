// SPDX-License-Identifier: Apache-2.0
// Fluid of a level, sorted by place, from which another level takes values. On the CPU.
#pragma once
#include <optional>
#include <vector>

#include "cells/cell_sorter.hpp"
#include "sph/refinement/fluid_sample_item.hpp"

namespace shoal::sph {

template <class Real, int dimensions>
class FluidSamples {
 public:
  using Values = HeldValues<dimensions>;

  explicit FluidSamples(const Queue& queue) : queue_(queue), sorter_(queue) {}

  /// Takes the particles for which takes(i) is true, in the order of the state. Those outside the domain are left out.
  template <class Takes>
  void take(const Parameters<Real, dimensions>& parameters, const LevelZones<Real, dimensions>& zones,
            const StateView<Real, dimensions>& state, std::int64_t count, const Takes& takes) {
    parameters_ = parameters;
    edge_ = std::ldexp(zones.unit, parameters.bits);
    std::int64_t cells = 1;
    for (int axis = 0; axis < dimensions; ++axis) {
      origin_[axis] = zones.origin[axis];
      cells_[axis] = axis == 0 ? parameters.cells[0] >> parameters.slice_bits : parameters.cells[axis];
      cells *= cells_[axis];
    }
    key_.resize(static_cast<std::size_t>(count));
#pragma omp parallel for num_threads(queue_.threads())
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t cell = cells;
      if (!is_wall(state.position[i]) && !is_outside(parameters, state.position[i]) && takes(i)) {
        cell = cell_of(place_of(zones, state.position[i])).value_or(cells);
      }
      key_[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(cell);
    }
    sorter_.sort(View<const std::uint32_t>(key_), cells);
    const std::int64_t taken = sorter_.cell_start().data[cells];
    samples_.resize(static_cast<std::size_t>(taken));
#pragma omp parallel for num_threads(queue_.threads())
    for (std::int64_t k = 0; k < taken; ++k)
      samples_[static_cast<std::size_t>(k)] = sample_of(parameters, zones, state, sorter_.order().data[k]);
  }

  /// Pressure and velocity of the fluid at a place; nothing where there is none.
  std::optional<Values> values_at(const Place<dimensions>& place) const {
    FluidFit<dimensions> fit;
    for_each_near(place, [&](const Sample& sample) {
      const WayBetween<dimensions> way(place, sample.place);
      if (way.squared < static_cast<double>(parameters_.support_squared)) fit.add(terms_of(parameters_, sample, way));
    });
    if (!fit.has_fluid()) return {};
    return values_of(fit);
  }

 private:
  using Sample = FluidSample<dimensions>;

  std::int64_t index(double place, int axis) const {
    return static_cast<std::int64_t>(std::floor((place - origin_[axis]) / edge_));
  }
  std::optional<std::int64_t> cell_of(const Place<dimensions>& place) const {
    std::int64_t cell = 0;
    for (int axis = dimensions - 1; axis >= 0; --axis) {
      const std::int64_t k = index(place[axis], axis);
      if (k < 0 || k >= cells_[axis]) return {};
      cell = cell * cells_[axis] + k;
    }
    return cell;
  }

  /// Visits the samples in the cells around a place, in the order of the cells.
  template <class Visit>
  void for_each_near(const Place<dimensions>& place, const Visit& visit) const {
    const std::int64_t* start = sorter_.cell_start().data;
    std::int64_t first[3] = {}, last[3] = {};
    for (int axis = 0; axis < dimensions; ++axis) {
      first[axis] = std::max<std::int64_t>(index(place[axis], axis) - 1, 0);
      last[axis] = std::min<std::int64_t>(index(place[axis], axis) + 1, cells_[axis] - 1);
    }
    if (first[0] > last[0]) return;
    for (std::int64_t z = first[2]; z <= last[2]; ++z)
      for (std::int64_t y = first[1]; y <= last[1]; ++y) {
        const std::int64_t row = (z * (dimensions > 1 ? cells_[dimensions > 1 ? 1 : 0] : 1) + y) * cells_[0];
        for (std::int64_t k = start[row + first[0]]; k < start[row + last[0] + 1]; ++k)
          visit(samples_[static_cast<std::size_t>(k)]);
      }
  }

  Queue queue_;
  cells::CellSorter sorter_;
  std::vector<std::uint32_t> key_;
  std::vector<Sample> samples_;
  Parameters<Real, dimensions> parameters_{};
  double edge_ = 1;              ///< m, of a cell
  double origin_[dimensions]{};  ///< m
  std::int64_t cells_[dimensions]{};
};

}  // namespace shoal::sph
