// SPDX-License-Identifier: Apache-2.0
// The two passes over the fluid that set the acceleration by surface tension before a stage, on CUDA, and their memory.
#pragma once
#include <shoal/array.hpp>

#include <cmath>
#include <vector>

#include "sph/physics/surface_tension/surface_tension_item.hpp"
#include "sph/stepping/cuda/launches/lane.cuh"
#include "sph/stepping/cuda/stages.cuh"

namespace shoal::sph {

/// Sets the capillary stresses of the particles in `now`: of the fluid in the domain from the fluids around it, of others 0.
/// Before the first stage it finds the neighbors that are not in a list.
template <class Search, int width, class Real, int dimensions>
__global__ void __launch_bounds__(search_threads)
    set_capillary_stresses(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                           StateView<Real, dimensions> now, int stage, TensionTable<Real> table,
                           SymmetricTensor<Real, dimensions>* stresses) {
  using Physics = GeneralPhysics;
  join_chain(arrays.is_small);
  if (!arrays.clock->running) return;
  const std::int64_t index = thread_index() / width;
  const bool exists = index < arrays.n;
  const auto i = static_cast<std::int32_t>(arrays.first + (exists ? index : 0));
  const auto particle = load<Physics>(now, i);
  const bool flows = exists && arrays.base_cell[i] != parameters.cell_count && !is_wall(particle.position);
  if constexpr (!Search::has_list)
    if (stage == 0) Search::template find<Physics, width>(parameters, arrays, i, flows, false);
  const SymmetricTensor<Real, dimensions> stress = capillary_stress<Physics>(
      parameters, table, particle, flows,
      [&](const auto& visit) {
        Search::template for_each<Physics, width>(parameters, arrays, i,
                                                  [&](std::int32_t j) { visit(load<Physics>(now, j)); });
      },
      [](Real value) { return Team<width>::sum(value); });
  if (exists && Team<width>::lane() == 0) stresses[i] = stress;
}

/// Sets the accelerations by surface tension from the stresses, of others than fluid in the domain 0.
template <class Search, int width, class Real, int dimensions>
__global__ void __launch_bounds__(search_threads)
    set_capillary_accelerations(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                                StateView<Real, dimensions> now, TensionTable<Real> table,
                                const SymmetricTensor<Real, dimensions>* stresses,
                                VectorOf<Real, dimensions>* accelerations) {
  using Physics = GeneralPhysics;
  join_chain(arrays.is_small);
  if (!arrays.clock->running) return;
  const std::int64_t index = thread_index() / width;
  const bool exists = index < arrays.n;
  const auto i = static_cast<std::int32_t>(arrays.first + (exists ? index : 0));
  const auto particle = load<Physics>(now, i);
  VectorOf<Real, dimensions> acceleration;
  if (exists && arrays.base_cell[i] != parameters.cell_count && !is_wall(particle.position)) {
    const SymmetricTensor<Real, dimensions> stress = stresses[i];
    Search::template for_each<Physics, width>(parameters, arrays, i, [&](std::int32_t j) {
      add_capillary_force<Physics>(parameters, table, particle, stress, load<Physics>(now, j), stresses[j],
                                   acceleration);
    });
  }
  for (Real& component : acceleration.along) component = Team<width>::sum(component);
  if (exists && Team<width>::lane() == 0) accelerations[i] = acceleration;
}

/// Interfaces, stresses and accelerations of a run. They are set before each stage, so that no step needs those of the
/// step before.
template <class Real, int dimensions>
class DeviceSurfaceTension {
 public:
  /// @param interfaces  [materials][materials]; empty: the case has no surface tension, and there is no memory
  DeviceSurfaceTension(const Queue& queue, std::int64_t room, const std::vector<Interface<Real>>& interfaces)
      : interfaces_(queue, 0), stress_(queue, 0), acceleration_(queue, 0) {
    if (interfaces.empty()) return;
    interfaces_ = to_device(queue, interfaces);
    materials_ = static_cast<int>(std::lround(std::sqrt(interfaces.size())));
    reserve(room);
  }

  bool empty() const { return materials_ == 0; }

  /// Makes room between steps.
  void reserve(std::int64_t room) {
    if (empty()) return;
    stress_.resize(room);
    acceleration_.resize(room);
  }

  const VectorOf<Real, dimensions>* accelerations() const { return empty() ? nullptr : acceleration_.data(); }

  /// Sets the accelerations before a stage.
  /// @param exchange_stresses  exchange_stresses(array) gets the stresses of ghosts, after those of this rank are set
  template <class Search, class ExchangeStresses>
  void set(const Lane& lane, const Parameters<Real, dimensions>& parameters, const StepArrays<Real, dimensions>& arrays,
           const StageArguments<Real, dimensions>& stage, const ExchangeStresses& exchange_stresses) {
    if (arrays.is_small)
      set_by_teams<Search, Search::few_width>(lane, parameters, arrays, stage, exchange_stresses);
    else
      set_by_teams<Search, 1>(lane, parameters, arrays, stage, exchange_stresses);
  }

 private:
  /// @tparam width  threads that share a particle
  template <class Search, int width, class ExchangeStresses>
  void set_by_teams(const Lane& lane, const Parameters<Real, dimensions>& parameters,
                    const StepArrays<Real, dimensions>& arrays, const StageArguments<Real, dimensions>& stage,
                    const ExchangeStresses& exchange_stresses) {
    const std::int64_t threads = std::int64_t{arrays.n} * width;
    const TensionTable<Real> table{interfaces_.data(), materials_};
    lane.run("set_capillary_stresses", threads, set_capillary_stresses<Search, width, Real, dimensions>, parameters,
             arrays, stage.now, stage.stage, table, stress_.data());
    exchange_stresses(stress_.data());
    lane.run("set_capillary_accelerations", threads, set_capillary_accelerations<Search, width, Real, dimensions>,
             parameters, arrays, stage.now, table, stress_.data(), acceleration_.data());
  }

  Array<Interface<Real>> interfaces_;
  int materials_ = 0;
  Array<SymmetricTensor<Real, dimensions>> stress_;
  Array<VectorOf<Real, dimensions>> acceleration_;
};

}  // namespace shoal::sph
