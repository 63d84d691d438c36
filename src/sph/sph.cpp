// SPDX-License-Identifier: Apache-2.0
// The solver: argument checks, choice of precision, dimensions and method, and reports on the state.
#include <shoal/sph.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "core/text.hpp"
#include "sph/diagnostics/body_probes.hpp"
#include "sph/diagnostics/probes.hpp"
#include "sph/diagnostics/report.hpp"
#include "sph/diagnostics/vorticity.hpp"
#include "sph/diagnostics/wall_force.hpp"
#include "sph/physics/rheologies.hpp"
#include "sph/physics/stage_item.hpp"
#include "sph/ranks/particle_exchange.hpp"
#include "sph/ranks/slab_layers.hpp"
#include "sph/setup/case_parts.hpp"
#include "sph/setup/filling/fill.hpp"
#include "sph/setup/lattice.hpp"
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

  Case simulation;
  const Method* method = nullptr;
};

namespace {

template <class Real, int dimensions>
class EngineOf final : public Solver::Engine {
 public:
  EngineOf(const Queue& queue, const Case& setup, const Snapshot* snapshot, const Communicator& ranks)
      : Engine(setup), queue_(queue), ranks_(ranks), lattice_(make_lattice(setup, 8 * sizeof(Coordinate<Real>))) {
    ranks.agree([&] {
      // An invalid probe fails here instead of at its first value.
      for (const Probe& probe : setup.probes) probe_points<Real, dimensions>(probe, lattice_, setup.spacing);
    });
    auto start = make_setup<Real, dimensions>(setup, lattice_, queue, snapshot, ranks);
    arrays_ = ArraysOf<Real, dimensions>(start);
    if (snapshot && ranks.size() > 1) join_parts(start);
    particles_ = start.particles;
    parameters_ = start.parameters;
    tables_ = start.tables;
    part_ids_ = std::move(start.part_ids);
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
    // A run that resumes takes the method and the kernels of its start, whatever has entered since.
    if (!open_boundaries_.empty()) particles_ = start.particles = part_ids_.count();
    method = &choose_method(setup.method, queue.device().kind, {dimensions, particles_, support});
    stepper_ = method->make<Real, dimensions>()(queue, std::move(start));
  }

  void advance(const Goal& goal, const Solver::Observer& observer) override {
    step(observer, [&](const Solver::Observer& clearing) { stepper_->advance(goal, clearing); });
  }
  std::vector<KernelProfile> profile(const Goal& goal, const Solver::Observer& observer) override {
    std::vector<KernelProfile> profiles;
    step(observer, [&](const Solver::Observer& clearing) { profiles = stepper_->profile(goal, clearing); });
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
    return probe_values<Real, dimensions>(probes, simulation, lattice_, sums, components);
  }
  std::vector<RigidBodyState> rigid_bodies() const override { return stepper_->rigid_bodies(); }

 private:
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
    plan_step(tables_, parameters_.integrator, state().clock.time, 0, plan_);
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
    start.particles = counts[0];
    start.wall_particles = counts[1];
    std::vector<std::int64_t> weight = weights_of_layers(start.parameters, start.state);
    ranks_.group().all_sum(weight);
    ranks_.agree([&] { start.slabs = cut_by_weight(weight, ranks_.size()); });
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
    clock_.reset();
    downloaded_.reset();
    block_.reset();
  }

  IdBlocks blocks() const {
    return {open_boundaries_.empty() ? particles_ : open_boundaries_.end_of_ids(clock()), ranks_.size()};
  }

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

  /// Particles on the host, cached until the next advance: several reports use them.
  const HostState<Real, dimensions>& state() const {
    if (!downloaded_) downloaded_ = std::make_shared<const HostState<Real, dimensions>>(stepper_->download());
    return *downloaded_;
  }

  /// Ids of the bodies and walls. A run that resumed without the particles of its start finds them here. Collective.
  const PartIds& part_ids() const {
    if (part_ids_.empty()) part_ids_ = PartIds(parts_of(simulation, queue_, ranks_));
    return part_ids_;
  }
  IdRange ids_of(std::size_t wall) const { return part_ids().of_wall(wall); }

  Queue queue_;
  Communicator ranks_;
  Lattice lattice_;
  std::unique_ptr<Stepper<Real, dimensions>> stepper_;
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
  mutable std::optional<Clock> clock_;  ///< cached until the next step: CUDA waits for its device to read it
  mutable std::shared_ptr<const HostState<Real, dimensions>> downloaded_;
  mutable std::optional<HostState<Real, dimensions>> block_;  ///< cached as downloaded_
  mutable PartIds part_ids_;                                  ///< cached
};

std::unique_ptr<Solver::Engine> make_engine(const Queue& queue, const Case& simulation, const Snapshot* snapshot,
                                            const Communicator& ranks) {
  ranks.agree([&] {
    require_valid(simulation);
    choose_method(simulation.method, queue.device().kind);  // throws if there is none
    require(simulation.open_boundaries.empty() || ranks.size() == 1 || queue.device().kind == DeviceKind::cpu,
            "sph: the case has open boundaries, which the methods of CUDA have on one rank, got ", ranks.size(),
            " ranks. Run it on one rank, or on the CPU.");
    require_open_boundaries_beside_cuts(simulation, ranks.size());
  });
  const auto make = [&]<class Real>(Real) -> std::unique_ptr<Solver::Engine> {
    if (simulation.dimensions == 1) return std::make_unique<EngineOf<Real, 1>>(queue, simulation, snapshot, ranks);
    if (simulation.dimensions == 2) return std::make_unique<EngineOf<Real, 2>>(queue, simulation, snapshot, ranks);
    return std::make_unique<EngineOf<Real, 3>>(queue, simulation, snapshot, ranks);
  };
  return simulation.precision == Precision::float_ ? make(0.0f) : make(0.0);
}

/// Goal of a run to `time`.
/// @throws Error  `time` is before the clock, or not a number
Goal goal_at(double time, const Clock& now, const Scheme& scheme) {
  require(time >= now.time, "sph: cannot advance to t = ", time, " s from t = ", now.time, " s.");
  if (scheme.time_step == TimeStep::cfl || std::isinf(time)) return {.time = time};
  return {.step = std::llround(time / scheme.dt)};
}

}  // namespace

std::string divergence_message(const Clock& clock, std::uint64_t fault_word, double largest, double support) {
  if (!fault::in_range(fault_word))
    return text("sph: the equation of state of particle ", fault::id(fault_word), " leaves its range at step ",
                clock.step, ", t = ", clock.time,
                " s: no density is left, or mie_grueneisen is beyond its pole at a density of ρ₀ s/(s − 1), or a gas "
                "has lost its heat, or sound would not travel. Reduce dt, or choose an equation of state that reaches "
                "further. The state before that step is kept.");
  const std::string reason =
      std::isfinite(largest) && largest > support
          ? text("moves further than the kernel's support of ", static_cast<float>(support),
                 " m in one step; the furthest way of any particle is ", static_cast<float>(largest), " m")
          : "gets a position or velocity that is no finite number";
  return text("sph: unstable at step ", clock.step, ", t = ", clock.time, " s: particle ", fault::id(fault_word), " ",
              reason, ". Reduce dt or raise the viscosity. The state before that step is kept.");
}

Solver::Solver(const Queue& queue, const Case& simulation) : Solver(queue, simulation, Communicator::alone()) {}
Solver::Solver(const Queue& queue, const Case& simulation, const Snapshot& snapshot)
    : Solver(queue, simulation, snapshot, Communicator::alone()) {}
Solver::Solver(const Queue& queue, const Case& simulation, const Communicator& ranks)
    : engine_(make_engine(queue, simulation, nullptr, ranks)) {}
Solver::Solver(const Queue& queue, const Case& simulation, const Snapshot& snapshot, const Communicator& ranks)
    : engine_(make_engine(queue, simulation, &snapshot, ranks)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

void Solver::advance_to(double time, const Observer& observer) {
  require(std::isfinite(time), "sph: cannot advance to t = ", time, " s.");
  engine_->advance(goal_at(time, clock(), engine_->simulation.scheme), observer);
}

void Solver::advance_steps(std::int64_t steps) {
  require(steps >= 0, "sph: cannot advance by ", steps, " steps.");
  engine_->advance({.step = clock().step + steps}, {});
}

std::vector<KernelProfile> Solver::profile(std::int64_t steps, double time, const Observer& observer) {
  require(steps >= 0, "sph: cannot profile ", steps, " steps.");
  const Clock now = clock();
  Goal goal = goal_at(time, now, engine_->simulation.scheme);
  goal.step = now.step + std::min(steps, goal.step - now.step);
  return engine_->profile(goal, observer);
}

Clock Solver::clock() const { return engine_->clock(); }
RankLoad Solver::load() const { return engine_->load(); }
Snapshot Solver::snapshot() const { return engine_->snapshot(); }
Fields Solver::fields() const { return engine_->fields(); }
std::function<Fields()> Solver::fields_later() const { return engine_->fields_later(); }
Balance Solver::balance() const { return engine_->balance(); }
std::vector<double> Solver::measure(const std::vector<Probe>& probes) const { return engine_->measure(probes); }
std::vector<RigidBodyState> Solver::rigid_bodies() const { return engine_->rigid_bodies(); }
const Case& Solver::simulation() const { return engine_->simulation; }

MethodInfo Solver::method() const { return method_info("sph", *engine_->method); }

}  // namespace shoal::sph
