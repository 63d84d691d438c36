// SPDX-License-Identifier: Apache-2.0
#include "sph/stepping/host_stepper.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/text.hpp"
#include "sph/diagnostics/probes/probes.hpp"
#include "sph/ranks/agree_on_memory.hpp"
#include "sph/stepping/host_stepper_levels.hpp"
#include "sph/stepping/host_stepper_open_boundaries.hpp"
#include "sph/stepping/viscosities.hpp"

namespace shoal::sph {

template <class Real, int dimensions>
HostStepper<Real, dimensions>::HostStepper(const Queue& queue, Setup<Real, dimensions>&& setup, const HostCells& cells)
    : queue_(queue),
      ranks_(setup.ranks),
      parameters_(setup.parameters),
      cells_(cells),
      slab_(make_slab(setup, cells)),
      owned_{0, static_cast<std::int64_t>(setup.state.count())},
      state_(std::move(setup.state)),
      base_(state_),
      intermediate_(state_),
      tables_(setup.tables),
      initial_(std::move(setup.initial)),
      knots_(std::move(setup.knots)),
      damping_(setup.damping),
      open_boundaries_(std::move(setup.open_boundaries), queue.threads()),
      arrays_(setup),
      bodies_(std::move(setup.rigid_bodies), std::move(setup.springs), setup.contact, setup.ranks, queue.threads()),
      absorption_(std::move(setup.absorption), setup.ranks, queue.threads()),
      flow_curves_(std::move(setup.flow_curves)),
      surface_tension_(std::move(setup.interfaces), queue.threads()),
      cell_(state_.count()),
      sorter_(queue) {
  parameters_ = slab_ ? slab_->parameters() : cells_.number(parameters_);
  if (slab_) slab_->migrate(parameters_, state_, 0, owned_.end);  // takes out what a restart has outside the domain
  if (setup.level) level_.emplace(queue, *setup.level);
  key_.resize(state_.count());
  order_.resize(state_.count());
  number_cells();
  if (!setup.is_general) return;
  parameters_.tables = &tables_;
  tables_.plan = &plan_;
  tables_.initial = initial_.empty() ? nullptr : initial_.data();
  tables_.knots = knots_.data();
  if (mirrors_velocity(parameters_)) mirrored_velocity_.resize(state_.count());
}

template <class Real, int dimensions>
HostStepper<Real, dimensions>::~HostStepper() = default;

/// Assigns cells to the particles of state_ and counts those outside the domain.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::number_cells() {
  const std::int64_t n = count();
  std::int64_t inside = 0;
#pragma omp parallel for num_threads(queue_.threads()) reduction(+ : inside)
  for (std::int64_t i = 0; i < n; ++i) {
    key_[i] = cells_.cell_of(parameters_, state_.position[i]);
    inside += key_[i] != parameters_.cell_count;
  }
  state_.clock.particles = slab_ ? slab_->inside() : inside;
  state_.clock.lost = slab_ ? slab_->lost() : n - inside;
}

/// Sorts the particles of each cell by id. Few of them have another order than before, and cells are small.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::order_cells_by_id() {
  const std::int64_t* begin_of = sorter_.cell_start().data;
  const std::int32_t* by_cell = sorter_.order().data;
  const std::int64_t* id_of = state_.id.data();
  const std::int64_t cells = std::int64_t{parameters_.cell_count} + 1;  // with that of particles outside the domain
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t cell = 0; cell < cells; ++cell)
    for (std::int64_t k = begin_of[cell]; k < begin_of[cell + 1]; ++k) {
      const std::int32_t particle = by_cell[k];
      std::int64_t free = k;
      for (; free > begin_of[cell] && id_of[order_[free - 1]] > id_of[particle]; --free)
        order_[free] = order_[free - 1];
      order_[free] = particle;
    }
}

/// Gives the states of a step as many particles.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::make_room(std::int64_t particles) {
  const auto n = static_cast<std::size_t>(particles);
  for (HostState<Real, dimensions>* state : {&base_, &intermediate_, &state_}) arrays_.resize(*state, n);
  surface_tension_.resize(n);
  tables_.capillary_acceleration = surface_tension_.accelerations();
  cell_.resize(n);
  if (parameters_.tables && mirrors_velocity(parameters_)) mirrored_velocity_.resize(n);
}

/// Makes room for the ghosts of this step before and after the particles of this rank.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::add_ghosts(std::int64_t particles) {
  slab_->begin_step(parameters_);
  cell_start_ = slab_->cell_start();
  owned_ = {slab_->first(), slab_->first() + particles};
  agree_on_memory(ranks_, [&] { make_room(slab_->room()); });
}

/// Puts the particles into base_ in the order of their cells, then of their ids, those outside the domain last.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::sort() {
  const std::int64_t n = count();
  agree_on_memory(ranks_, [&] {
    sorter_.sort(View<const std::uint32_t>(key_), parameters_.cell_count);
    order_cells_by_id();
    if (slab_)
      slab_->count_particles(parameters_, sorter_.cell_start().data, n);
    else
      make_room(n);
  });
  cell_start_ = sorter_.cell_start().data;
  owned_ = {0, n};
  if (slab_) add_ghosts(n);
  const std::int64_t first = owned_.begin;
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t k = 0; k < n; ++k) {
    const std::int32_t i = order_[k];
    copy_particle(state_, i, base_, first + k);
    cell_[first + k] = key_[i];
  }
  const std::int64_t total = count();
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t k = 0; k < total; ++k) {
    state_.tag[k] = base_.tag[k];
    state_.id[k] = base_.id[k];
  }
  base_.clock = state_.clock;
  base_.rigid_bodies = state_.rigid_bodies;
  base_.absorption = state_.absorption;
}

template <class Real, int dimensions>
void HostStepper<Real, dimensions>::exchange_halo(State state, HaloValues values) {
  if (!slab_) return;
  slab_->exchange_halo(state, values);
  lap("exchange_halo");
}

template <class Real, int dimensions>
void HostStepper<Real, dimensions>::take_extremes_of_ranks(StageExtremes& extremes) const {
  std::array<std::uint64_t, 5> words{
      ~extremes.fault_word, magnitude_bits(extremes.displacement_squared), magnitude_bits(extremes.speed_squared),
      magnitude_bits(extremes.acceleration_squared), magnitude_bits(extremes.friction_rate)};
  ranks_.group().all_max(words);
  extremes.fault_word = ~words[0];
  extremes.displacement_squared = std::bit_cast<double>(words[1]);
  extremes.speed_squared = std::bit_cast<double>(words[2]);
  extremes.acceleration_squared = std::bit_cast<double>(words[3]);
  extremes.friction_rate = std::bit_cast<double>(words[4]);
}

/// Lets particles change their rank, and moves the cuts from time to time.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::end_step_of_ranks() {
  slab_->migrate(parameters_, state_, owned_.begin, owned_.end - owned_.begin);
  if (slab_->rebalance(parameters_, state_.clock.step + 1, state_)) {
    const ModelTables<Real, dimensions>* const tables = parameters_.tables;
    parameters_ = slab_->parameters();
    parameters_.tables = tables;
  }
  agree_on_memory(ranks_, [&] {
    key_.resize(state_.count());
    order_.resize(state_.count());
  });
}

/// Takes the number of particles after a program has added or removed some between two steps.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::take_change(std::int64_t change) {
  if (slab_) slab_->take_change(change);
  agree_on_memory(ranks_, [&] {
    key_.resize(state_.count());
    order_.resize(state_.count());
  });
  number_cells();
}

/// Makes the state that before the step.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::undo_step() {
  std::swap(state_, base_);
  if (slab_) slab_->remove_ghosts(state_);
  number_cells();
}

/// @throws Error  the same on all ranks; the state is that before the step
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::fail(const StageExtremes& extremes) {
  const Clock failed = state_.clock;
  undo_step();
  throw Error(divergence_message(failed, extremes.fault_word, std::sqrt(extremes.displacement_squared),
                                 std::sqrt(static_cast<double>(parameters_.support_squared))));
}

/// Lets the fluid in damping zones lose velocity after the last stage.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::damp_velocities(double dt) {
  const State state = state_.view();
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t i = owned_.begin; i < owned_.end; ++i) damp(damping_, dt, state, i);
  lap("damp_velocities");
}

/// Sets the apparent viscosities before a stage.
/// @return  the largest friction rate of this rank, 1/s
template <class Real, int dimensions>
double HostStepper<Real, dimensions>::set_viscosities(State now) {
  double largest = 0;
  if constexpr (dimensions > 1)
    largest = set_apparent_viscosities(
        parameters_, flow_curves_, queue_.threads(), {owned_.begin, alive(), owned_.end}, now,
        [&](std::int64_t i, const auto& visit) { for_each_neighbor<GeneralPhysics>(i, visit); });
  lap("set_viscosities");
  exchange_halo(now, HaloValues::viscosities);
  return largest;
}

/// Sets the accelerations by surface tension before a stage.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::set_surface_tension(State now) {
  const OwnedParticles owned{owned_.begin, alive(), owned_.end};
  const auto for_each = [&](std::int64_t i, const auto& visit) { for_each_neighbor<GeneralPhysics>(i, visit); };
  surface_tension_.set_stresses(parameters_, owned, now, for_each);
  lap("set_capillary_stresses");
  if (slab_) {
    slab_->exchange_halo(surface_tension_.stresses());
    lap("exchange_halo");
  }
  surface_tension_.set_accelerations(parameters_, owned, now, for_each);
  lap("set_capillary_accelerations");
}

/// Force on particle j of a rigid body, N: the opposite of what each pair gives the fluid.
/// @param parameters  without gravity, which is no force of the body
template <class Real, int dimensions>
template <class Physics>
Vector3 HostStepper<Real, dimensions>::force_on(const Parameters<Real, dimensions>& parameters, State now,
                                                std::int64_t j) const {
  const ParticleOf<Physics, Real, dimensions> wall = load<Physics>(now, j);
  Vector3 force{};
  for_each_neighbor<Physics>(
      j, [&](std::int64_t i) { add_body_force<Physics>(parameters, wall, load<Physics>(now, i), force); });
  return force;
}

/// Moves the rigid bodies through a stage.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::move_bodies(int stage, double dt, State now) {
  Parameters<Real, dimensions> parameters = parameters_;
  for (Real& g : parameters.gravity) g = 0;
  if (bodies_.have_contact())
    bodies_.touch(parameters_, stage, now, ids(), [&](std::int64_t j, const auto& visit) {
      with_model([&]<class Physics> { for_each_neighbor<Physics>(j, visit); });
    });
  bodies_.move(
      {parameters_.integrator, stage, dt, state_.clock.step}, tables_, ids(),
      [&](std::int64_t j) { return with_model([&]<class Physics> { return force_on<Physics>(parameters, now, j); }); },
      plan_);
  lap("move_bodies");
}

/// Adds active absorption to the planned motion of paddles.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::move_paddles(double dt) {
  absorption_.move(parameters_, base(), owned_.begin, alive(), state_.clock.time, dt, state_.absorption, plan_);
  lap("move_paddles");
}

/// Adds the accelerations by a program after a stage.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::accelerate(const StageStep<Real>& step, const State& next,
                                               StageExtremes& extremes) const {
  const ValueLimits<Real> limits = control_.accelerate(step, next, ids(), owned_.begin, alive());
  extremes.speed_squared = max(extremes.speed_squared, static_cast<double>(limits.speed_squared));
  extremes.acceleration_squared = max(extremes.acceleration_squared, static_cast<double>(limits.acceleration_squared));
}

template <class Real, int dimensions>
void HostStepper<Real, dimensions>::step(double dt) {
  if (parts_) parts_->start();
  sort();
  lap("sort");
  exchange_halo(base(), HaloValues::particles);
  if (!open_boundaries_.empty()) prescribe_open_boundaries();
  if (level_) prescribe_level(dt);
  try {
    agree_on_memory(ranks_, [&] { find_neighbors(); });
  } catch (const OutOfMemory&) {
    undo_step();
    throw;
  }
  // The base stays as it was, so that a failed step can be undone; the last stage writes to state_.
  const int stages = stages_of(parameters_.integrator);
  if (parameters_.tables) plan_step(tables_, parameters_.integrator, state_.clock.time, dt, plan_);
  if (!absorption_.empty()) move_paddles(dt);
  State now = base();
  if (!bodies_.empty()) bodies_.begin_step(state_.rigid_bodies, now, owned_.begin, alive());
  StageExtremes extremes;
  for (int s = 0; s < stages; ++s) {
    const State next = view((stages - s) % 2 ? state_ : intermediate_);
    if (s > 0) exchange_halo(now, HaloValues::particles);
    if (sums_over_fluid(parameters_.walls)) {
      set_wall_pressures(s, now);
      lap("set_wall_pressures");
      exchange_halo(now, HaloValues::wall_pressures);
    }
    if (!flow_curves_.empty()) extremes.friction_rate = max(extremes.friction_rate, set_viscosities(now));
    if constexpr (dimensions > 1)
      if (!surface_tension_.empty()) set_surface_tension(now);
    if (!bodies_.empty()) move_bodies(s, dt, now);
    const StageStep<Real> part(parameters_.integrator, s, static_cast<Real>(dt), state_.clock.step);
    StageExtremes stage_extremes = stage(part, now, next);
    if (control_.accelerates()) accelerate(part, next, stage_extremes);
    if (!open_boundaries_.empty()) open_boundaries_.hold(parameters_, s, state_.clock.time, dt, base(), next);
    if (level_) level_->follow(parameters_, s, dt, base(), next);
    lap("advance_stage");
    if (s + 1 == stages) {
      extremes.speed_squared = stage_extremes.speed_squared;
      extremes.acceleration_squared = stage_extremes.acceleration_squared;
      if (!flow_curves_.empty()) std::copy(now.viscosity, now.viscosity + count(), next.viscosity);
    }
    extremes.displacement_squared = max(extremes.displacement_squared, stage_extremes.displacement_squared);
    extremes.fault_word = min(extremes.fault_word, stage_extremes.fault_word);
    now = next;
  }
  if (!bodies_.empty()) state_.rigid_bodies = bodies_.states();
  if (damping_.zones > 0) damp_velocities(dt);
  if (slab_) take_extremes_of_ranks(extremes);
  const bool has_failed = extremes.fault_word != fault::none;
  const bool renews = !open_boundaries_.empty() && !has_failed;
  const std::int64_t change = renews ? leave_open_boundaries() : 0;
  if (slab_ && !has_failed) end_step_of_ranks();
  Clock& clock = state_.clock;
  StepControl control = parameters_.control;
  const double end = end_of_step(control, clock.time, clock.step, dt);
  if (renews) enter_open_boundaries(end, change);
  if (level_ && !has_failed) renew_level();
  if (!has_failed) number_cells();
  lap("number_cells");
  ++clock.step;
  clock.dt = dt;
  clock.time = end;
  if (!flow_curves_.empty()) control.max_dt = stable_viscous_number / extremes.friction_rate;
  clock.next_dt = control.by_cfl ? allowed_step(control, extremes.speed_squared, extremes.acceleration_squared) : dt;
  if (has_failed) fail(extremes);
}

template <class Real, int dimensions>
HostState<Real, dimensions> HostStepper<Real, dimensions>::download() const {
  HostState<Real, dimensions> state = state_;
  if (slab_) slab_->complete(state);
  return state;
}

template <class Real, int dimensions>
SlabCounts HostStepper<Real, dimensions>::slab_counts() const {
  std::int64_t weight = 0;
#pragma omp parallel for num_threads(queue_.threads()) reduction(+ : weight)
  for (std::size_t i = 0; i < state_.count(); ++i) weight += slab_weight(parameters_, state_.position[i]);
  return slab_ ? slab_->counts(weight) : SlabCounts{.particles = count(), .weight = weight};
}

/// Returns true if the observers of all ranks do.
template <class Real, int dimensions>
bool HostStepper<Real, dimensions>::continues(const Solver::Observer& observer) const {
  std::array<std::uint64_t, 1> stops{observer(state_.clock) ? 0U : 1U};
  ranks_.group().all_max(stops);
  return stops[0] == 0;
}

template <class Real, int dimensions>
double HostStepper<Real, dimensions>::choose_step(const Goal& goal) const {
  const Clock& clock = state_.clock;
  return parameters_.control.by_cfl ? std::min(clock.next_dt, goal.time - clock.time) : clock.next_dt;
}

template <class Real, int dimensions>
void HostStepper<Real, dimensions>::advance(const Goal& goal, const Solver::Observer& observer) {
  while (state_.clock.step < goal.step && state_.clock.time < goal.time) {
    step(choose_step(goal));
    if (observer && !continues(observer)) return;
  }
}

template <class Real, int dimensions>
std::vector<KernelProfile> HostStepper<Real, dimensions>::profile(const Goal& goal, const Solver::Observer& observer) {
  struct Off {
    std::optional<PartClock>& parts;
    ~Off() { parts.reset(); }
  } off{parts_};
  parts_.emplace();
  advance(goal, observer);
  return parts_->read();
}

template <class Real, int dimensions>
std::vector<ProbeSums> HostStepper<Real, dimensions>::measure(
    const std::vector<ProbePoint<Real, dimensions>>& probes) const {
  return sum_probes(state_, parameters_, ranks_, queue_.threads(), probes);
}

template class HostStepper<float, 1>;
template class HostStepper<double, 1>;
template class HostStepper<float, 2>;
template class HostStepper<float, 3>;
template class HostStepper<double, 2>;
template class HostStepper<double, 3>;

}  // namespace shoal::sph
