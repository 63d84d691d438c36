// SPDX-License-Identifier: Apache-2.0
// A run with refinement: its levels are runs of their own, which step together and exchange values after each step.
#pragma once
#include <memory>
#include <vector>

#include "sph/engine.hpp"
#include "sph/refinement/join_levels.hpp"
#include "sph/refinement/level_probes.hpp"

namespace shoal::sph {

template <class Real, int dimensions>
class RefinedEngine final : public Solver::Engine {
 public:
  RefinedEngine(const Queue& queue, const Case& setup, const Snapshot* snapshot)
      : Engine(setup), queue_(queue), levels_(levels_of(setup)) {
    const std::vector<Snapshot> parts = snapshot ? split_by_level(*snapshot, levels_.size()) : std::vector<Snapshot>();
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      if (k > 0) levels_[k].simulation.method = engines_.front()->method->name;  // levels step together
      engines_.push_back(std::make_unique<LevelEngine>(queue, levels_[k].simulation, snapshot ? &parts[k] : nullptr,
                                                       Communicator::alone(), &levels_[k]));
    }
    method = engines_.front()->method;
    // An invalid probe fails here instead of at its first value.
    for (const Probe& probe : setup.probes) probe_points<Real, dimensions>(probe, engines_.front()->lattice(), setup);
  }

  void advance(const Goal& goal, const Solver::Observer& observer) override {
    step([&](const auto& levels, const auto& after) { levels.front()->advance_levels(levels, goal, after); }, observer);
  }
  std::vector<KernelProfile> profile(const Goal& goal, const Solver::Observer& observer) override {
    std::vector<KernelProfile> profiles;
    step([&](const auto& levels, const auto& after) { profiles = levels.front()->profile_levels(levels, goal, after); },
         observer);
    return profiles;
  }
  Clock clock() const override {
    Clock clock = engines_.front()->clock();
    clock.particles = 0;
    for (const auto& engine : engines_) {
      clock.particles += engine->clock().particles;
      clock.next_dt = std::min(clock.next_dt, engine->clock().next_dt);
    }
    return clock;
  }
  RankLoad load() const override { return {}; }
  Snapshot snapshot() const override {
    std::vector<Snapshot> parts;
    for (const auto& engine : engines_) parts.push_back(engine->snapshot());
    Snapshot whole = join(std::move(parts));
    whole.clock = clock();
    whole.total = static_cast<std::int64_t>(whole.id.size());
    return whole;
  }
  Fields fields() const override {
    std::vector<Fields> parts;
    for (std::size_t k = 0; k < levels_.size(); ++k)
      parts.push_back(rows_of_level(levels_[k], dimensions, engines_[k]->fields()));
    Fields whole = join(std::move(parts));
    whole.clock = clock();
    whole.total = static_cast<std::int64_t>(whole.id.size());
    return whole;
  }
  std::function<Fields()> fields_later() const override {
    return [made = std::make_shared<Fields>(fields())] { return std::move(*made); };
  }
  Balance balance() const override {
    std::vector<Balance> parts;
    for (std::size_t k = 0; k < levels_.size(); ++k)
      parts.push_back(balance_in(k, [&](const Vector& place) { return is_shown(levels_[k], dimensions, place); }));
    Balance whole = sum(parts);
    whole.clock = clock();
    for (std::size_t k = 1; k < levels_.size(); ++k) {
      const auto in_box = [&](const Vector& place) { return holds(*levels_[k].box, dimensions, place); };
      whole.refinement_defect.push_back(balance_in(k, in_box).mass - balance_in(k - 1, in_box).mass);
    }
    return whole;
  }
  std::vector<double> measure(const std::vector<Probe>& probes) const override {
    std::vector<double> values;
    for (const Probe& probe : probes)
      if (has_sums(probe.kind))
        append_values(probe, simulation, first_lattice(), sums_of(probe).data(), values);
      else
        append_components(probe, dimensions, on_wall(probe), values);
    return values;
  }
  std::vector<RigidBodyState> rigid_bodies() const override { return {}; }
  std::shared_ptr<ParticleAccess> particles() override {
    throw Error(
        "sph: the case has [[refinement]]. A program reads and sets the particles of a run with one spacing; use "
        "Solver::fields(), or remove the refinement.");
  }
  void set_control(std::size_t, const BodyControl&) override {}
  void set_rigid_body(std::size_t, const RigidBodyState&) override {}
  const std::vector<BodyParameters>& bodies() const override { return engines_.front()->bodies(); }

 private:
  using LevelEngine = EngineOf<Real, dimensions>;

  /// Calls steps(levels, observer). What is cached of states ends with it: before the steps, between them and after them.
  template <class Steps>
  void step(const Steps& steps, const Solver::Observer& observer) {
    if (callback) particles();  // which it would get
    const auto clear = [this] {
      for (const auto& engine : engines_) engine->clear_reports();
    };
    typename LevelStepper<Real, dimensions>::Levels levels;
    for (const auto& engine : engines_) levels.push_back(engine->level());
    clear();
    std::function<bool()> after;
    if (observer)
      after = [&] {
        clear();
        return observer(clock());
      };
    try {
      steps(levels, after);
    } catch (...) {
      clear();
      throw;
    }
    clear();
  }

  /// Balance of the fluid of a level at places for which takes(place) is true.
  template <class Takes>
  Balance balance_in(std::size_t k, const Takes& takes) const {
    const LevelEngine& engine = *engines_[k];
    return balance_of(particles_in(engine.state(), engine.arrays(), engine.lattice(), takes), engine.parameters(),
                      Communicator::alone(), queue_.threads(), levels_[k].simulation, engine.lattice());
  }

  const Lattice& first_lattice() const { return engines_.front()->lattice(); }

  /// Sums of a probe in the units of the first level: at points those of the finest level there, over all fluid those of each
  /// level where it is the finest.
  std::vector<ProbeSums> sums_of(const Probe& probe) const {
    const auto points = probe_points<Real, dimensions>(probe, first_lattice(), simulation);
    std::vector<ProbeSums> sums(points.size());
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      const LevelEngine& engine = *engines_[k];
      if (sums_over_all_fluid(probe.kind)) {
        const auto shown = shown_particles(k);
        const auto of_level = sum_probes(shown, engine.parameters(), Communicator::alone(), queue_.threads(),
                                         {point_in(engine.lattice(), first_lattice(), points[0])});
        add_sums(probe, first_lattice(), engine.lattice(), std::ldexp(1.0, -dimensions * static_cast<int>(k)),
                 dimensions, of_level[0], sums[0]);
        continue;
      }
      std::vector<ProbePoint<Real, dimensions>> points_of_level;
      std::vector<std::size_t> numbers;
      for (std::size_t point = 0; point < points.size(); ++point) {
        if (!is_shown(levels_[k], dimensions, place_of(first_lattice(), points[point].position))) continue;
        points_of_level.push_back(point_in(engine.lattice(), first_lattice(), points[point]));
        numbers.push_back(point);
      }
      const std::vector<ProbeSums> of_level = engine.measure_points(points_of_level);
      for (std::size_t point = 0; point < numbers.size(); ++point) sums[numbers[point]] = of_level[point];
    }
    return sums;
  }

  /// Force or moment on the wall of a probe: on the particles of each level where it is the finest.
  Vector on_wall(const Probe& probe) const {
    Vector total{};
    const std::size_t wall = wall_number(simulation, probe);
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      const LevelEngine& engine = *engines_[k];
      HostState<Real, dimensions> state = engine.state();
      for (std::size_t i = 0; i < state.count(); ++i)
        if (!is_shown(levels_[k], dimensions, place_of(engine.lattice(), state.position[i]))) state.id[i] = -1;
      const IdRange ids = engine.ids_of(wall);
      const Vector part = probe.kind == ProbeKind::force ? wall_force(state, engine.parameters(), queue_.threads(), ids)
                                                         : wall_moment(state, engine.parameters(), engine.lattice(),
                                                                       queue_.threads(), ids, probe.about);
      for (std::size_t axis = 0; axis < 3; ++axis) total[axis] += part[axis];
    }
    return total;
  }

  HostState<Real, dimensions> shown_particles(std::size_t k) const {
    return particles_in(engines_[k]->state(), engines_[k]->arrays(), engines_[k]->lattice(),
                        [&](const Vector& place) { return is_shown(levels_[k], dimensions, place); });
  }

  Queue queue_;
  std::vector<Level> levels_;
  std::vector<std::unique_ptr<LevelEngine>> engines_;  ///< [levels]
};

}  // namespace shoal::sph
