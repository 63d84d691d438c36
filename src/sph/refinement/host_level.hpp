// SPDX-License-Identifier: Apache-2.0
// A level of refinement of the CPU methods: the particles of its guard zone in a step, those that enter and leave it, and the
// fluid that follows the next level.
#pragma once
#include <optional>
#include <vector>

#include "sph/ranks/particle_exchange.hpp"
#include "sph/refinement/fluid_samples.hpp"
#include "sph/refinement/guard_item.hpp"
#include "sph/refinement/level_zones_item.hpp"

namespace shoal::sph {

template <class Real, int dimensions>
class HostLevel {
 public:
  using State = StateView<Real, dimensions>;
  using Setting = Parameters<Real, dimensions>;

  HostLevel(const Queue& queue, const LevelZones<Real, dimensions>& zones)
      : zones_(zones), threads_(queue.threads()), outside_(queue), inside_(queue) {}

  void connect(const HostLevel& parent) { parent_ = &parent; }

  /// Finds the particles in the guard zone, and the values that they have after the step: those of the parent, which is there.
  /// @param begin, end  the particles in the domain
  /// @param for_each_around  for_each_around(position, visit) calls visit(j) for those in the cells around a position
  template <class ForEachAround>
  void prescribe(const Setting& parameters, const State& base, std::int64_t begin, std::int64_t end, double dt,
                 const ForEachAround& for_each_around) {
    guard_.clear();
    if (!parent_) return;
    for (std::int64_t i = begin; i < end; ++i)
      if (!is_wall(base.position[i]) && zones_.is_guard(base.position[i])) guard_.push_back(i);
    target_.resize(guard_.size());
#pragma omp parallel for num_threads(threads_)
    for (std::size_t k = 0; k < guard_.size(); ++k)
      target_[k] = {values_after(parameters, base, guard_[k], dt), shift_of(base, guard_[k], for_each_around)};
  }

  /// Moves the particles of the guard zone through a stage.
  void follow(const Setting& parameters, int stage, double dt, const State& base, const State& next) const {
#pragma omp parallel for num_threads(threads_)
    for (std::size_t k = 0; k < guard_.size(); ++k)
      sph::follow(parameters, stage, dt, target_[k], base, next, guard_[k]);
  }

  /// Finds the parts that enter the next level in a step, in the order of the particles.
  void find_entering(const Setting& parameters, const State& base, const State& after,
                     const HostState<Real, dimensions>& state) {
    entering_.clear();
    if (!zones_.finer_region.exists) return;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(state.count()); ++i) {
      if (is_wall(after.position[i]) || is_outside(parameters, after.position[i])) continue;
      for (int k = 0; k < 1 << dimensions; ++k)
        if (zones_.enters(base.position[i], after.position[i], k))
          entering_.push_back({place_of(zones_, zones_.part(after.position[i], k)),
                               Tag::material(state.tag[static_cast<std::size_t>(i)])});
    }
  }

  /// Lets particles leave and enter after a step.
  /// @param is_free  is_free(position) is true where a particle may enter
  template <class IsFree>
  void renew(const Setting& parameters, const ArraysOf<Real, dimensions>& arrays, const IsFree& is_free,
             HostState<Real, dimensions>& state) {
    if (!parent_) return;
    const std::vector<Entering>& candidates = parent_->entering_;
    require(std::cmp_less(candidates.size(), LevelIds::most_of_step), "sph: ", candidates.size(),
            " particles enter a refinement in one step, expected fewer than ", LevelIds::most_of_step, ".");
    std::vector<std::size_t> entering;
    for (std::size_t k = 0; k < candidates.size(); ++k)
      if (is_free(position_of(zones_, candidates[k].place)) && is_free_of_previous(parameters, candidates, k))
        entering.push_back(k);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < state.count(); ++i) {
      if (!is_wall(state.position[i]) && zones_.has_left(state.position[i])) continue;
      if (kept != i) copy_particle(state, i, state, kept);
      ++kept;
    }
    arrays.resize(state, kept + entering.size());
    for (const std::size_t k : entering) {
      const Entering& part = candidates[k];
      const HeldValues<dimensions> values = parent_->outside_.values_at(part.place).value_or(HeldValues<dimensions>{});
      state.tag[kept] = static_cast<std::uint8_t>(part.material);
      state.id[kept] = LevelIds::id_of(state.clock.step, static_cast<std::int64_t>(k));
      put(parameters, LevelFluid{zones_.mass[part.material], part.material}, position_of(zones_, part.place), values,
          state.view(), static_cast<std::int64_t>(kept++));
    }
  }

  /// Makes the fluid that does not follow the next level available to it.
  void offer_outside(const Setting& parameters, const State& state, std::int64_t count) {
    if (zones_.finer_region.exists)
      outside_.take(parameters, zones_, state, count,
                    [&](std::int64_t i) { return !zones_.is_covered(state.position[i]); });
  }

  /// Makes the fluid of the level's own box available to the parent.
  void offer_inside(const Setting& parameters, const State& state, std::int64_t count) {
    if (parent_)
      inside_.take(parameters, zones_, state, count,
                   [&](std::int64_t i) { return zones_.box.holds(state.position[i]); });
  }

  /// Gives covered fluid the pressure and velocity of the next level.
  void restrict_from(const HostLevel& finer, const Setting& parameters, const State& state, std::int64_t count) const {
#pragma omp parallel for schedule(dynamic, 1024) num_threads(threads_)
    for (std::int64_t i = 0; i < count; ++i) {
      if (is_wall(state.position[i]) || !zones_.is_covered(state.position[i])) continue;
      if (const auto values = finer.inside_.values_at(place_of(zones_, state.position[i])))
        store_values(parameters, state, i, *values);
    }
  }

 private:
  struct Entering {
    Place<dimensions> place;
    int material;
  };
  /// Returns true if no part before part k is too near to it.
  bool is_free_of_previous(const Setting& parameters, const std::vector<Entering>& parts, std::size_t k) const {
    const auto position = [&](std::size_t part) { return position_of(zones_, parts[part].place); };
    for (std::size_t j = 0; j < k; ++j)
      if (are_too_near(parameters, position(k), position(j))) return false;
    return true;
  }

  template <class ForEachAround>
  Place<dimensions> shift_of(const State& base, std::int64_t i, const ForEachAround& for_each_around) const {
    const Place<dimensions> place = place_of(zones_, base.position[i]);
    Arrangement<dimensions> arrangement;
    for_each_around(base.position[i], [&](std::int64_t j) {
      arrangement.add(zones_.spacing, WayBetween<dimensions>(place_of(zones_, base.position[j]), place));
    });
    return sph::shift_of(zones_, place, arrangement);
  }

  /// Values of a particle after the step; without fluid of the parent there it falls freely.
  HeldValues<dimensions> values_after(const Setting& parameters, const State& base, std::int64_t i, double dt) const {
    if (const auto end = parent_->outside_.values_at(place_after(zones_, base, i, dt))) return *end;
    HeldValues<dimensions> values = values_of(parameters, base, i);
    fall(parameters, dt, values);
    return values;
  }

  LevelZones<Real, dimensions> zones_;
  int threads_;
  const HostLevel* parent_ = nullptr;
  std::vector<std::int64_t> guard_;              ///< particles of the guard zone in a step
  std::vector<GuardTarget<dimensions>> target_;  ///< [guard]
  std::vector<Entering> entering_;               ///< parts that entered the next level in the last step
  FluidSamples<Real, dimensions> outside_;       ///< fluid that the next level follows
  FluidSamples<Real, dimensions> inside_;        ///< fluid that the parent follows
};

}  // namespace shoal::sph
