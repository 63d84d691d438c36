// SPDX-License-Identifier: Apache-2.0
// The pass over the fluid that sets apparent viscosities before a stage, on CUDA, and its memory.
#pragma once
#include <shoal/array.hpp>

#include <algorithm>
#include <vector>

#include "core/memory/lengthen.hpp"
#include "sph/physics/rheologies/apparent_viscosity_item.hpp"
#include "sph/stepping/cuda/launches/lane.cuh"
#include "sph/stepping/cuda/stages.cuh"

namespace shoal::sph {

/// Sets the viscosities of the particles in `now`: of the fluid in the domain from its shear rates, of others 0. Before the
/// first stage it finds the neighbors that are not in a list, also for that stage.
/// @param curves  [materials]
template <class Search, int width, class Real, int dimensions>
__global__ void __launch_bounds__(search_threads)
    set_viscosities(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                    StateView<Real, dimensions> now, int stage, const FlowCurve<Real>* curves) {
  using Physics = GeneralPhysics;  // which does not read the viscosities that other threads write
  join_chain(arrays.is_small);
  if (!arrays.clock->running) return;
  const std::int64_t index = thread_index() / width;
  const bool exists = index < arrays.n;
  const auto i = static_cast<std::int32_t>(arrays.first + (exists ? index : 0));
  const auto particle = load<Physics>(now, i);
  const bool inside = exists && arrays.base_cell[i] != parameters.cell_count;
  if constexpr (!Search::has_list)
    if (stage == 0) {
      const bool active = inside && is_active(parameters, particle.position);
      Search::template find<Physics, width>(parameters, arrays, i, active, false);
    }
  const bool flows = inside && !is_wall(particle.position);
  VelocityGradientSums<Real, dimensions> sums;
  if (flows)
    Search::template for_each<Physics, width>(parameters, arrays, i, [&](std::int32_t j) {
      add_velocity_gradient<Physics>(parameters, particle, load<Physics>(now, j), sums);
    });
  sums = sum_team<width>(sums);
  Real viscosity = 0;
  const double friction_rate = flows ? set_apparent_viscosity(curves, particle, sums, viscosity) : 0;
  if (exists && Team<width>::lane() == 0) now.viscosity[i] = viscosity;
  arrays.clock->record_friction(friction_rate);
}

/// Apparent viscosities of a run, which belong to the particles in the order of a step: those of its first stage, and those
/// of the latest stage, which the state keeps between steps. With one stage both are one array.
template <class Real>
class DeviceViscosities {
 public:
  /// @param curves  [materials]; empty if all are newtonian, so that there is no memory
  DeviceViscosities(const Queue& queue, std::int64_t room, const std::vector<FlowCurve<Real>>& curves, int stages)
      : queue_(queue), curves_(queue, 0), first_(queue, 0), latest_(queue, 0) {
    if (curves.empty()) return;
    curves_ = to_device(queue, curves);
    latest_.resize(room);
    if (stages > 1) first_.resize(room);
  }

  bool empty() const { return curves_.count() == 0; }
  Real* first() { return first_.count() > 0 ? first_.data() : latest(); }  ///< null without viscosities, as latest()
  Real* latest() { return empty() ? nullptr : latest_.data(); }

  /// Viscosities of the state between steps, or of that before the step that failed.
  const Array<Real>& of_state(bool before_step) const { return before_step && first_.count() > 0 ? first_ : latest_; }

  /// Sets the viscosities of the state between steps.
  void upload(const std::vector<Real>& viscosity) {
    if (viscosity.empty()) return;
    copy(queue_, View<const Real>(viscosity),
         View<Real>(latest_.data(), static_cast<std::int64_t>(viscosity.size()), latest_.device()));
  }

  /// Sets the viscosities before a stage.
  template <class Search, int dimensions>
  void set(const Lane& lane, const Parameters<Real, dimensions>& parameters, const StepArrays<Real, dimensions>& arrays,
           const StageArguments<Real, dimensions>& stage) const {
    if (arrays.is_small)
      set_by_teams<Search, Search::few_width>(lane, parameters, arrays, stage);
    else
      set_by_teams<Search, 1>(lane, parameters, arrays, stage);
  }

  /// Makes room between steps: the state keeps its viscosities.
  void reserve(std::int64_t room) {
    lengthen(queue_, latest_, room);
    if (first_.count() > 0) first_.resize(room);
  }

 private:
  /// @tparam width  threads that share a particle
  template <class Search, int width, int dimensions>
  void set_by_teams(const Lane& lane, const Parameters<Real, dimensions>& parameters,
                    const StepArrays<Real, dimensions>& arrays, const StageArguments<Real, dimensions>& stage) const {
    lane.run("set_viscosities", std::int64_t{arrays.n} * width, set_viscosities<Search, width, Real, dimensions>,
             parameters, arrays, stage.now, stage.stage, curves_.data());
  }

  Queue queue_;
  Array<FlowCurve<Real>> curves_;
  Array<Real> first_;
  Array<Real> latest_;
};

}  // namespace shoal::sph
