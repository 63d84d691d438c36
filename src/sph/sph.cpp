// SPDX-License-Identifier: Apache-2.0
// The solver: argument checks, choice of precision, dimensions and method, and what people ask of the state.
#include <shoal/sph.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "core/text.hpp"
#include "sph/fill.hpp"
#include "sph/probes.hpp"
#include "sph/report.hpp"
#include "sph/sph_methods.hpp"
#include "sph/wall_force.hpp"

namespace shoal::sph {

/// A run of one precision and one number of dimensions, behind one interface.
struct Solver::Engine {
  Engine(Case simulation_, const Method& method_) : simulation(std::move(simulation_)), method(method_) {}
  virtual ~Engine() = default;
  virtual void advance(const Goal& goal, const Observer& observer) = 0;
  virtual Clock clock() const = 0;
  virtual Snapshot snapshot() const = 0;
  virtual Fields fields() const = 0;
  virtual Ledger ledger() const = 0;
  virtual std::vector<double> measure(const std::vector<Probe>& probes) const = 0;

  Case simulation;
  const Method& method;
};

namespace {

template <class Real, int dimensions>
HostState<Real, dimensions> unpack(const Snapshot& snapshot) {
  for (int axis = 0; axis < dimensions; ++axis)
    require(snapshot.coordinate[axis].size() == snapshot.id.size(), "sph: the snapshot has ", snapshot.id.size(),
            " particles and ", snapshot.coordinate[axis].size(), " coordinates along axis ", axis,
            ". It is not of a case of ", dimensions, " dimensions.");
  HostState<Real, dimensions> state(snapshot.id.size());
  state.clock = snapshot.clock;
  state.id = snapshot.id;
  state.tag = snapshot.tag;
  for (std::size_t i = 0; i < state.count(); ++i) {
    Particle<Real, dimensions> particle{};
    for (int axis = 0; axis < dimensions; ++axis) {
      particle.place.x[axis] = static_cast<Coordinate<Real>>(snapshot.coordinate[axis][i]);
      particle.motion.velocity[axis] = static_cast<Real>(snapshot.velocity[axis][i]);
    }
    particle.place.density = static_cast<Real>(snapshot.density_deviation[i]);
    particle.set_stress(static_cast<Real>(snapshot.stress[i]));
    state.view().store(static_cast<std::int64_t>(i), particle);
    state.energy[i] = static_cast<Real>(snapshot.energy[i]);
  }
  return state;
}

template <class Real, int dimensions>
Snapshot pack(const HostState<Real, dimensions>& state) {
  Snapshot snapshot;
  const std::size_t n = state.count();
  snapshot.clock = state.clock;
  for (auto* vector : {&snapshot.density_deviation, &snapshot.stress, &snapshot.energy}) vector->resize(n);
  for (int axis = 0; axis < dimensions; ++axis) {
    snapshot.coordinate[axis].resize(n);
    snapshot.velocity[axis].resize(n);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Particle<Real, dimensions> particle = state.particle(i);
    for (int axis = 0; axis < dimensions; ++axis) {
      snapshot.coordinate[axis][i] = particle.place.x[axis];
      snapshot.velocity[axis][i] = particle.motion.velocity[axis];
    }
    snapshot.density_deviation[i] = particle.place.density;
    snapshot.stress[i] = particle.stress();
    snapshot.energy[i] = state.energy[i];
  }
  snapshot.id = state.id;
  snapshot.tag = state.tag;
  return snapshot;
}

template <class Real, int dimensions>
class EngineOf final : public Solver::Engine {
 public:
  EngineOf(const Queue& queue, const Case& setup, const Method& row, const Snapshot* snapshot)
      : Engine(setup, row),
        queue_(queue),
        lattice_(make_lattice(setup, 8 * sizeof(Coordinate<Real>))),
        parameters_(make_parameters<Real, dimensions>(setup, lattice_)) {
    HostState<Real, dimensions> state = unpack<Real, dimensions>(snapshot ? *snapshot : fill(setup, lattice_, queue));
    if (!snapshot) state.clock.next_dt = parameters_.by_cfl ? first_step(state) : parameters_.dt;
    for (const Probe& probe : setup.probes)
      places_of<Real, dimensions>(probe, lattice_, setup.spacing);  // says now what measure() would say later
    stepper_ = row.make<Real, dimensions>()(queue, parameters_, std::move(state));
  }

  void advance(const Goal& goal, const Solver::Observer& observer) override {
    downloaded_.reset();
    stepper_->advance(goal, observer);
  }
  Clock clock() const override { return stepper_->clock(); }
  Snapshot snapshot() const override { return pack(state()); }
  Fields fields() const override { return fields_of(state(), simulation, lattice_); }
  Ledger ledger() const override { return ledger_of(state(), simulation, lattice_); }

  std::vector<double> measure(const std::vector<Probe>& probes) const override {
    std::vector<ProbePlace<Real, dimensions>> places;
    for (const Probe& probe : probes) {
      const auto its = places_of<Real, dimensions>(probe, lattice_, simulation.spacing);
      places.insert(places.end(), its.begin(), its.end());
    }
    const std::vector<ProbeSums> sums = stepper_->measure(places);
    std::vector<double> values;
    const ProbeSums* next = sums.data();
    for (const Probe& probe : probes) {
      if (probe.kind == ProbeKind::force) {
        const Vector force = wall_force(state(), parameters_, ids_of(probe));
        values.insert(values.end(), force.begin(), force.begin() + dimensions);
        continue;
      }
      append_values(probe, dimensions, lattice_, next, values);
      next += probe.kind == ProbeKind::line ? probe.points : 1;
    }
    return values;
  }

 private:
  double first_step(const HostState<Real, dimensions>& state) const {
    double speed_squared = 0;
    for (const Motion<Real, dimensions>& motion : state.motion) {
      double squared = 0;
      for (const Real v : motion.velocity) squared += static_cast<double>(v) * static_cast<double>(v);
      speed_squared = std::max(speed_squared, squared);
    }
    const Vector& g = simulation.scheme.gravity;
    return allowed_step(parameters_.cfl, parameters_.smoothing_length, parameters_.sound_speed, speed_squared,
                        std::inner_product(g.begin(), g.end(), g.begin(), 0.0));
  }

  /// The particles on the host, kept until the next advance: people ask for several reports at a time.
  const HostState<Real, dimensions>& state() const {
    if (!downloaded_) downloaded_ = stepper_->download();
    return *downloaded_;
  }

  /// The particles of the wall that a probe is on. Ids count up through the bodies, then the walls.
  WallIds ids_of(const Probe& probe) const {
    if (wall_ids_.empty()) {
      const CaseParts parts = parts_of(simulation, queue_);
      WallIds ids;
      for (const Part& body : parts.bodies) ids.end += static_cast<std::int64_t>(body.points.size());
      for (const Part& wall : parts.walls) {
        ids = {ids.end, ids.end + static_cast<std::int64_t>(wall.points.size())};
        wall_ids_.push_back(ids);
      }
    }
    return wall_ids_[wall_number(simulation, probe)];
  }

  Queue queue_;
  Lattice lattice_;
  std::unique_ptr<Stepper<Real, dimensions>> stepper_;
  Parameters<Real, dimensions> parameters_;
  mutable std::optional<HostState<Real, dimensions>> downloaded_;
  mutable std::vector<WallIds> wall_ids_;  ///< found when first asked for
};

std::unique_ptr<Solver::Engine> make_engine(const Queue& queue, const Case& simulation, const Snapshot* snapshot) {
  require_valid(simulation);
  const Method& method = find_method("sph", sph_rows(), simulation.method, queue.device().kind);
  const bool flat = simulation.dimensions == 2;
  if (simulation.precision == Precision::float_) {
    if (flat) return std::make_unique<EngineOf<float, 2>>(queue, simulation, method, snapshot);
    return std::make_unique<EngineOf<float, 3>>(queue, simulation, method, snapshot);
  }
  if (flat) return std::make_unique<EngineOf<double, 2>>(queue, simulation, method, snapshot);
  return std::make_unique<EngineOf<double, 3>>(queue, simulation, method, snapshot);
}

}  // namespace

std::string blow_up_message(const Clock& clock, std::uint64_t fault_word, double largest, double support) {
  return text("sph: blow-up at step ", clock.step, ", t = ", clock.time, " s: particle ", fault::id(fault_word),
              " moves further than the kernel's support of ", static_cast<float>(support),
              " m in one step, or is not a number; the furthest way of any particle is ", static_cast<float>(largest),
              " m. Reduce dt or raise the viscosity. The state before that step is kept.");
}

Solver::Solver(const Queue& queue, const Case& simulation) : engine_(make_engine(queue, simulation, nullptr)) {}
Solver::Solver(const Queue& queue, const Case& simulation, const Snapshot& snapshot)
    : engine_(make_engine(queue, simulation, &snapshot)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

void Solver::advance_to(double time, const Observer& observer) {
  const Clock now = clock();
  require(std::isfinite(time) && time >= now.time, "sph: cannot advance to t = ", time, " s from t = ", now.time,
          " s.");
  const Scheme& scheme = engine_->simulation.scheme;
  if (scheme.time_step == TimeStep::cfl) return engine_->advance({.time = time}, observer);
  engine_->advance({.step = std::llround(time / scheme.dt)}, observer);
}

void Solver::advance_steps(std::int64_t steps) {
  require(steps >= 0, "sph: cannot advance by ", steps, " steps.");
  engine_->advance({.step = clock().step + steps}, {});
}

Clock Solver::clock() const { return engine_->clock(); }
Snapshot Solver::snapshot() const { return engine_->snapshot(); }
Fields Solver::fields() const { return engine_->fields(); }
Ledger Solver::ledger() const { return engine_->ledger(); }
std::vector<double> Solver::measure(const std::vector<Probe>& probes) const { return engine_->measure(probes); }
const Case& Solver::simulation() const { return engine_->simulation; }

MethodInfo Solver::method() const { return method_info("sph", engine_->method); }

}  // namespace shoal::sph
