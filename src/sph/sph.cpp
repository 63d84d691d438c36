// SPDX-License-Identifier: Apache-2.0
// The solver: argument checks, and choice of precision, dimensions and method.
#include <shoal/sph.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/text.hpp"
#include "sph/control/body_control.hpp"
#include "sph/engine.hpp"
#include "sph/physics/rheologies/rheologies.hpp"
#include "sph/physics/steps/stage_item.hpp"
#include "sph/refinement/refined_engine.hpp"

namespace shoal::sph {

namespace {

std::unique_ptr<Solver::Engine> make_engine(const Queue& queue, const Case& simulation, const Snapshot* snapshot,
                                            const Communicator& ranks) {
  ranks.agree([&] {
    require_valid(simulation);
    choose_method(simulation.method, queue.device().kind);  // throws if there is none
    require(simulation.refinements.empty() || ranks.size() == 1,
            "sph: the case has [[refinement]], which one rank has, got ", ranks.size(),
            " ranks. Run it on one rank, or remove the refinement.");
  });
  const auto make = [&]<class Real>(Real) -> std::unique_ptr<Solver::Engine> {
    if (!simulation.refinements.empty()) {
      if (simulation.dimensions == 2) return std::make_unique<RefinedEngine<Real, 2>>(queue, simulation, snapshot);
      return std::make_unique<RefinedEngine<Real, 3>>(queue, simulation, snapshot);
    }
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

Particles Solver::particles() { return Particles(engine_->particles()); }

void Solver::on_step(StepCallback callback, std::int64_t every) {
  require(every >= 1, "sph: a callback every ", every, " steps, expected at least 1.");
  engine_->callback = std::move(callback);
  engine_->callback_every = every;
}

void Solver::drive(std::string_view wall, const Vector& velocity, const Vector& angular_velocity) {
  const std::size_t body = rigid_body_named(simulation(), wall);
  BodyControl control = engine_->bodies()[body].control;
  sph::drive(simulation(), velocity, angular_velocity, control);
  engine_->set_control(body, control);
  engine_->set_rigid_body(body, driven_state(engine_->bodies()[body], rigid_bodies()[body]));
}

void Solver::release(std::string_view wall) {
  const std::size_t body = rigid_body_named(simulation(), wall);
  BodyControl control = engine_->bodies()[body].control;
  if (!control.is_driven) return;
  control.is_driven = false;
  engine_->set_control(body, control);
  engine_->set_rigid_body(body, released_state(engine_->bodies()[body], rigid_bodies()[body]));
}

void Solver::push(std::string_view wall, const Vector& force, const Vector& moment) {
  const std::size_t body = rigid_body_named(simulation(), wall);
  BodyControl control = engine_->bodies()[body].control;
  sph::push(simulation(), force, moment, control);
  engine_->set_control(body, control);
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
