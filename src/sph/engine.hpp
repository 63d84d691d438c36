// SPDX-License-Identifier: Apache-2.0
// A run of one precision and one number of dimensions: its method, and reports on its state.
#pragma once
#include <shoal/sph.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "sph/control/particle_access.hpp"
#include "sph/diagnostics/fields/part_masses.hpp"
#include "sph/diagnostics/fields/vorticity.hpp"
#include "sph/diagnostics/following/placed_probe.hpp"
#include "sph/diagnostics/probes/body_probes.hpp"
#include "sph/diagnostics/probes/probes.hpp"
#include "sph/diagnostics/report.hpp"
#include "sph/diagnostics/wall_force.hpp"
#include "sph/ranks/particle_exchange.hpp"
#include "sph/ranks/slab_layers.hpp"
#include "sph/refinement/level_zones.hpp"
#include "sph/setup/filling/fill.hpp"
#include "sph/setup/filling/lattice.hpp"
#include "sph/setup/parts/case_parts.hpp"
#include "sph/setup/setup.hpp"
#include "sph/setup/wall_movement.hpp"
#include "sph/sph_method.hpp"

namespace shoal::sph {

/// A run of one precision and one number of dimensions, behind one interface.
struct Solver::Engine {
  explicit Engine(Case simulation_) : simulation(std::move(simulation_)) {}
  virtual ~Engine() = default;
  virtual void advance(const Goal& goal, const Observer& observer) = 0;
  virtual std::vector<KernelProfile> profile(const Goal& goal, const Observer& observer) = 0;
  virtual Clock clock() const = 0;
  virtual RankLoad load() const = 0;
  virtual Snapshot snapshot() const = 0;
  virtual Fields fields() const = 0;
  virtual std::function<Fields()> fields_later() const = 0;
  virtual Balance balance() const = 0;
  virtual std::vector<double> measure(const std::vector<Probe>& probes) const = 0;
  virtual std::vector<RigidBodyState> rigid_bodies() const = 0;
  /// The particles of this rank, for a program that reads and sets them.
  virtual std::shared_ptr<ParticleAccess> particles() = 0;
  virtual void set_control(std::size_t body, const BodyControl& control) = 0;
  virtual void set_rigid_body(std::size_t body, const RigidBodyState& state) = 0;
  virtual const std::vector<BodyParameters>& bodies() const = 0;

  Case simulation;
  const Method* method = nullptr;
  StepCallback callback;            ///< empty: none
  std::int64_t callback_every = 1;  ///< steps from one call to the next
};

template <class Real, int dimensions>
class EngineOf final : public Solver::Engine {
 public:
  /// @param level  the level of a refined run that this is; null: the run has one spacing
  EngineOf(const Queue& queue, const Case& setup, const Snapshot* snapshot, const Communicator& ranks,
           const Level* level = nullptr)
      : Engine(setup), queue_(queue), ranks_(ranks), lattice_(make_lattice(setup, 8 * sizeof(Coordinate<Real>))) {
    ranks.agree([&] {
      // An invalid probe fails here instead of at its first value.
      for (const Probe& probe : setup.probes)
        if (probe.follows.empty()) probe_points<Real, dimensions>(probe, lattice_, setup);
    });
    auto start = make_setup<Real, dimensions>(setup, lattice_, queue, snapshot, ranks);
    arrays_ = ArraysOf<Real, dimensions>(start);
    if (snapshot && ranks.size() > 1) join_parts(start);
    particles_ = start.particles;
    parameters_ = start.parameters;
    tables_ = start.tables;
    part_ids_ = std::move(start.part_ids);
    if (snapshot) changes_ = snapshot->changes;
    open_boundaries_ = start.open_boundaries;
    if (start.is_general) parameters_.tables = &tables_;
    bodies_ = start.rigid_bodies;
    springs_ = start.springs;
    absorption_ = start.absorption;
    initial_ = start.initial;
    knots_ = start.knots;
    tables_.initial = initial_.data();
    tables_.knots = knots_.data();
    tables_.plan = &plan_;
    const double support = std::sqrt(static_cast<double>(start.parameters.support_squared)) / start.spacing;
    // A run that resumes takes the method and the kernels of its start, whatever has come or gone since.
    if (!open_boundaries_.empty() || changes_.any() || setup.crop) particles_ = start.particles = part_ids().count();
    method = &choose_method(setup.method, queue.device().kind, {dimensions, particles_, support});
    if (level) {
      start.level = make_zones<Real, dimensions>(*level, lattice_);
      start.has_wide_ids = true;  // those of particles that enter
    }
    stepper_ = method->make<Real, dimensions>()(queue, std::move(start));
    access_ = std::make_shared<ParticleAccessOf<Real, dimensions>>(
        queue_, ranks_, simulation, lattice_, stepper_->control(),
        AccessHooks<Real, dimensions>{parameters_, changes_, [this] { return clock(); },
                                      [this] { return end_of_ids(); }, [this] { clear_reports(); }});
    if (!snapshot) require_probes_that_follow_in_domain();
  }
  ~EngineOf() override { access_->close(); }

  void advance(const Goal& goal, const Solver::Observer& observer) override {
    call_back_between(goal, observer, [&](const Goal& part, const Solver::Observer& watched) {
      step(watched, [&](const Solver::Observer& clearing) { stepper_->advance(part, clearing); });
    });
  }
  std::vector<KernelProfile> profile(const Goal& goal, const Solver::Observer& observer) override {
    std::vector<KernelProfile> profiles;
    call_back_between(goal, observer, [&](const Goal& part, const Solver::Observer& watched) {
      step(watched,
           [&](const Solver::Observer& clearing) { add_profiles(stepper_->profile(part, clearing), profiles); });
    });
    return profiles;
  }
  Clock clock() const override {
    if (!clock_) clock_ = stepper_->clock();
    return *clock_;
  }
  RankLoad load() const override {
    const SlabCounts part = stepper_->slab_counts();
    std::vector<SlabCounts> counts(static_cast<std::size_t>(ranks_.size()));
    ranks_.group().all_gather(&part, sizeof part, counts.data());
    SlabCounts sum;
    std::int64_t most = 0;
    for (const SlabCounts& count : counts) {
      sum.particles += count.particles;
      sum.ghosts += count.ghosts;
      sum.weight += count.weight;
      most = std::max(most, count.weight);
    }
    if (sum.particles == 0) return {};
    return {static_cast<double>(most) * ranks_.size() / static_cast<double>(sum.weight),
            static_cast<double>(sum.ghosts) / static_cast<double>(sum.particles)};
  }
  Snapshot snapshot() const override {
    Snapshot snapshot = pack(block());
    snapshot.changes = changes_;
    count_rows(snapshot);
    return snapshot;
  }
  Fields fields() const override {
    Fields fields =
        fields_of(block(), parameters_, queue_.threads(), simulation, lattice_, part_ids(), vorticity_of_block());
    count_rows(fields);
    return fields;
  }
  std::function<Fields()> fields_later() const override {
    if (queue_.on_cpu() || ranks_.size() > 1)
      return [made = std::make_shared<Fields>(fields())] { return std::move(*made); };
    state();
    Parameters<Real, dimensions> parameters = parameters_;
    parameters.tables = nullptr;  // they belong to this engine, and fields need none
    return [particles = downloaded_, parameters, threads = queue_.threads(), description = simulation,
            lattice = lattice_, ids = part_ids()] {
      std::vector<std::array<float, 3>> vorticity;
      if (description.output.vorticity) vorticity = vorticity_of(*particles, parameters, threads, description);
      Fields fields = fields_of(*particles, parameters, threads, description, lattice, ids, vorticity);
      fields.total = static_cast<std::int64_t>(fields.id.size());
      return fields;
    };
  }
  Balance balance() const override {
    Balance balance = balance_of(state(), parameters_, ranks_, queue_.threads(), simulation, lattice_);
    if (!open_boundaries_.empty()) {
      balance.inflow = open_boundaries_.mass_entered(balance.clock.time);
      balance.outflow = mass_at_start() + balance.inflow - fluid_mass(state(), simulation, ranks_, queue_.threads());
    }
    balance.added = changes_.added_mass;
    if (changes_.removed > 0)
      balance.removed = mass_at_start() + balance.added - fluid_mass(state(), simulation, ranks_, queue_.threads());
    if (tables_.movements == 0) return balance;
    plan_now();
    for (std::size_t wall = 0; wall < simulation.walls.size(); ++wall)
      if (moves(simulation, simulation.walls[wall]))
        balance.wall_power += wall_power(near_wall(wall), parameters_, queue_.threads(), ids_of(wall));
    return balance;
  }

  std::vector<double> measure(const std::vector<Probe>& probes) const override {
    const auto sums = [this](const auto& points) { return stepper_->measure(points); };
    const auto components = [this](const Probe& probe) {
      if (!is_of_body(probe.kind)) return on_wall(probe);
      return body_value(simulation, probe, bodies_, springs_, rigid_bodies());
    };
    return probe_values<Real, dimensions>(placed_now(probes), simulation, lattice_, sums, components);
  }
  std::vector<RigidBodyState> rigid_bodies() const override { return stepper_->rigid_bodies(); }

  std::shared_ptr<ParticleAccess> particles() override { return access_; }
  void set_control(std::size_t body, const BodyControl& control) override {
    bodies_[body].control = control;
    stepper_->set_control(body, control);
  }
  void set_rigid_body(std::size_t body, const RigidBodyState& state) override {
    stepper_->set_rigid_body(body, state);
    clear_reports();
  }
  const std::vector<BodyParameters>& bodies() const override { return bodies_; }

  /// @name Parts of a refined run
  /// @{
  LevelStepper<Real, dimensions>* level() { return stepper_->level(); }
  const Parameters<Real, dimensions>& parameters() const { return parameters_; }
  const Lattice& lattice() const { return lattice_; }
  const ArraysOf<Real, dimensions>& arrays() const { return arrays_; }
  IdRange ids_of(std::size_t wall) const { return part_ids().of_wall(wall); }
  std::vector<ProbeSums> measure_points(const std::vector<ProbePoint<Real, dimensions>>& points) const {
    return stepper_->measure(points);
  }
  /// Particles on the host, cached until the next advance: several reports use them.
  const HostState<Real, dimensions>& state() const {
    if (!downloaded_) downloaded_ = std::make_shared<const HostState<Real, dimensions>>(stepper_->download());
    return *downloaded_;
  }
  /// Clears what is cached of a state.
  void clear_reports() {
    clock_.reset();
    downloaded_.reset();
    block_.reset();
  }
  /// @}

 private:
  /// Calls advance(part, observer) for the steps from one call of the callback to the next; for all without a callback.
  template <class Advance>
  void call_back_between(const Goal& goal, const Solver::Observer& observer, const Advance& advance) {
    if (!callback) return advance(goal, observer);
    bool continues = true;
    const Solver::Observer watched = [&](const Clock& now) { return continues = observer(now); };
    while (continues) {
      const Clock now = clock();
      if (now.step >= goal.step || now.time >= goal.time) return;
      if (now.step % callback_every == 0) {
        Particles present(particles());
        if (!callback_continues(present)) return;
      }
      const std::int64_t next_call = (now.step / callback_every + 1) * callback_every;
      advance(Goal{goal.time, std::min(goal.step, next_call)}, observer ? watched : observer);
    }
  }

  /// Calls the callback on all ranks.
  /// @return  true if it continues on all of them
  bool callback_continues(Particles& present) {
    std::array<std::uint64_t, 1> stops{};
    ranks_.agree([&] { stops[0] = !callback(present); });
    ranks_.group().all_max(stops);
    return stops[0] == 0;
  }

  /// Adds the times of some steps to those before.
  static void add_profiles(const std::vector<KernelProfile>& part, std::vector<KernelProfile>& profiles) {
    for (const KernelProfile& added : part) {
      const auto same = std::find_if(profiles.begin(), profiles.end(),
                                     [&](const KernelProfile& one) { return one.name == added.name; });
      if (same == profiles.end()) {
        profiles.push_back(added);
      } else {
        same->seconds += added.seconds;
        same->launches += added.launches;
      }
    }
  }

  /// The probes, with those that follow a wall where it has carried them.
  std::vector<Probe> placed_now(const std::vector<Probe>& probes) const {
    std::vector<Probe> now = probes;
    for (Probe& probe : now)
      if (!probe.follows.empty()) probe = placed(simulation, probe, displacement_of(followed_wall(simulation, probe)));
    return now;
  }

  /// Displacement of a moving wall from where it was drawn to the present time.
  RigidTransform displacement_of(std::size_t wall) const {
    int movement = 0;
    for (std::size_t k = 0; k < wall; ++k) movement += moves(simulation, simulation.walls[k]);
    const int body = body_of(bodies_.data(), static_cast<int>(bodies_.size()), movement);
    if (body >= 0) {
      const auto k = static_cast<std::size_t>(body);
      return displacement_by(pose_of<dimensions>(bodies_[k], to_body_state(rigid_bodies()[k])), lattice_.origin);
    }
    plan_now();
    return displacement_by(plan_.pose[0][movement], lattice_.origin);
  }

  void require_probes_that_follow_in_domain() const {
    for (const Probe& probe : placed_now(simulation.probes))
      if (!probe.follows.empty()) probe_points<Real, dimensions>(probe, lattice_, simulation);
  }

  /// Force or moment on the wall of a probe.
  Vector on_wall(const Probe& probe) const {
    plan_now();
    const std::size_t wall = wall_number(simulation, probe);
    if (probe.kind == ProbeKind::force) return wall_force(near_wall(wall), parameters_, queue_.threads(), ids_of(wall));
    return wall_moment(near_wall(wall), parameters_, lattice_, queue_.threads(), ids_of(wall), probe.about);
  }

  /// Sets the poses of moving walls at the present time, for reports that the stepper does not make.
  void plan_now() const {
    if (!parameters_.tables) return;
    plan_step(tables_, parameters_.integrator, clock().time, 0, plan_);
    for (std::size_t k = 0; k < absorption_.size(); ++k) {
      const AbsorptionState& paddle = state().absorption[k];
      for (auto& poses : plan_.pose)
        add_absorption(absorption_[k], paddle, paddle.acceleration, 0, poses[absorption_[k].movement]);
    }
  }

  /// Gives each particle of the parts of a snapshot to the rank that has its layer.
  void join_parts(Setup<Real, dimensions>& start) const {
    std::array<std::int64_t, 2> counts{start.particles, start.wall_particles};
    ranks_.group().all_sum(counts);
    start.particles = start.present = counts[0];
    start.wall_particles = counts[1];
    std::vector<std::int64_t> weight = weights_of_layers(start.parameters, start.state);
    ranks_.group().all_sum(weight);
    ranks_.agree([&] { start.slabs = cut_by_layers(weight, start); });
    start.state = redistribute(ranks_, arrays_, start.state, [&](std::size_t i) {
      return owner_of(start.parameters, start.slabs, start.state.position[i]);
    });
  }

  /// Sets the number of rows of a report on all ranks and on those before this one. Collective.
  template <class Report>
  void count_rows(Report& report) const {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(ranks_.size()));
    const auto count = static_cast<std::int64_t>(report.id.size());
    ranks_.group().all_gather(&count, sizeof count, rows.data());
    report.first = std::accumulate(rows.begin(), rows.begin() + ranks_.rank(), std::int64_t{0});
    report.total = std::accumulate(rows.begin(), rows.end(), std::int64_t{0});
  }

  /// Mass of the fluid at the start, kg.
  double mass_at_start() const {
    double mass = 0;
    for (std::size_t body = 0; body < simulation.bodies.size(); ++body) {
      const IdRange ids = part_ids().of_body(body);
      mass += mass_in_run<Real>(simulation, group_of(simulation, simulation.bodies[body], ids.first).mass) *
              static_cast<double>(ids.end - ids.first);
    }
    return mass;
  }

  /// Calls steps(observer). What is cached of a state ends with it: before the steps, between them and after them.
  template <class Steps>
  void step(const Solver::Observer& observer, const Steps& steps) {
    const struct Clearing {
      EngineOf& engine;
      ~Clearing() { engine.clear(); }
    } at_the_end{*this};
    clear();
    if (!observer) return steps(observer);
    steps([&](const Clock& now) {
      clear();
      return observer(now);
    });
  }

  void clear() {
    access_->end_version();
    clear_reports();
  }

  /// A number above the ids of all particles.
  std::int64_t end_of_ids() const {
    return open_boundaries_.empty() ? particles_ + changes_.added : open_boundaries_.end_of_ids(clock());
  }
  IdBlocks blocks() const { return {end_of_ids(), ranks_.size()}; }

  /// The particles with the ids of this rank's part of reports.
  const HostState<Real, dimensions>& block() const {
    if (ranks_.size() == 1) return state();
    if (!block_) {
      const IdBlocks ids = blocks();
      block_ = redistribute(ranks_, arrays_, state(), [&](std::size_t i) { return ids.owner(state().id[i]); });
    }
    return *block_;
  }

  /// Vorticity of the particles of block(); empty unless the case has it. On several ranks each makes that of the particles
  /// it steps, which travel with it in place of the velocity.
  std::vector<std::array<float, 3>> vorticity_of_block() const {
    if (!simulation.output.vorticity) return {};
    if (ranks_.size() == 1) return vorticity_of(state(), parameters_, queue_.threads(), simulation);
    const std::vector<std::array<float, 3>> values = vorticity_of(
        with_layers_of_other_ranks(state(), parameters_, ranks_, arrays_), parameters_, queue_.threads(), simulation);
    constexpr std::size_t skipped = dimensions == 3 ? 0 : 2;  // in 2-D the only component is that along z
    HostState<Real, dimensions> traveling = state();
    for (std::size_t i = 0; i < traveling.count(); ++i)
      for (std::size_t k = 0; k + skipped < 3; ++k)
        traveling.velocity[i].v[k] = static_cast<Real>(values[i][k + skipped]);
    const IdBlocks ids = blocks();
    const HostState<Real, dimensions> arrived =
        redistribute(ranks_, arrays_, traveling, [&](std::size_t i) { return ids.owner(state().id[i]); });
    std::vector<std::array<float, 3>> vorticity(arrived.count());
    for (std::size_t i = 0; i < vorticity.size(); ++i)
      for (std::size_t k = 0; k + skipped < 3; ++k)
        vorticity[i][k + skipped] = static_cast<float>(arrived.velocity[i].v[k]);
    return vorticity;
  }

  /// A state with all particles that the force on a wall needs, the same on all ranks.
  HostState<Real, dimensions> near_wall(std::size_t wall) const {
    return ranks_.size() == 1 ? state() : gather_near_wall(state(), parameters_, ranks_, arrays_, ids_of(wall));
  }

  /// Ids of the bodies and walls. A run that resumed without the particles of its start finds them here. Collective.
  const PartIds& part_ids() const {
    if (part_ids_.empty()) part_ids_ = PartIds(parts_of(simulation, queue_, ranks_));
    return part_ids_;
  }

  Queue queue_;
  Communicator ranks_;
  Lattice lattice_;
  std::unique_ptr<Stepper<Real, dimensions>> stepper_;
  std::shared_ptr<ParticleAccess> access_;
  Parameters<Real, dimensions> parameters_;  ///< host copy, for reports
  ModelTables<Real, dimensions> tables_;
  std::vector<BodyParameters> bodies_;
  std::vector<SpringParameters> springs_;
  std::vector<AbsorptionParameters> absorption_;
  std::vector<Coordinate<Real>> initial_;
  std::vector<PathKnot> knots_;
  mutable StepPlan<dimensions> plan_{};  ///< poses of moving walls at the time of the clock
  ArraysOf<Real, dimensions> arrays_;
  OpenBoundaries<Real, dimensions> open_boundaries_;
  std::int64_t particles_ = 0;          ///< number on all ranks at the start
  ParticleChanges changes_;             ///< changes by programs since then
  mutable std::optional<Clock> clock_;  ///< cached until the next step: CUDA waits for its device to read it
  mutable std::shared_ptr<const HostState<Real, dimensions>> downloaded_;
  mutable std::optional<HostState<Real, dimensions>> block_;  ///< cached as downloaded_
  mutable PartIds part_ids_;                                  ///< cached
};

}  // namespace shoal::sph
