// SPDX-License-Identifier: Apache-2.0
// The time loop of the CPU methods: sort, find neighbors, three stages. A method implements the sums.
#pragma once
#include <optional>

#include "cells/cell_sorter.hpp"
#include "sph/control/host_control.hpp"
#include "sph/physics/cells/host_cells.hpp"
#include "sph/physics/particle_item.hpp"
#include "sph/physics/rheologies/apparent_viscosity_physics.hpp"
#include "sph/ranks/host_slab.hpp"
#include "sph/refinement/host_level.hpp"
#include "sph/sph_method.hpp"
#include "sph/stepping/host_absorption.hpp"
#include "sph/stepping/host_open_boundaries.hpp"
#include "sph/stepping/host_rigid_bodies.hpp"
#include "sph/stepping/host_surface_tension.hpp"
#include "sph/stepping/kernel_profiles.hpp"
#include "sph/stepping/stepper.hpp"

namespace shoal::sph {

/// Largest values of a stage, and the first particle that moved too far.
struct StageExtremes {
  double displacement_squared = 0;
  double speed_squared = 0;
  double acceleration_squared = 0;
  double friction_rate = 0;  ///< η/(ρ₀ h²), 1/s, where viscosities are apparent
  std::uint64_t fault_word = fault::none;

  template <class Physics, class Real, int dimensions>
  void take(const Parameters<Real, dimensions>& parameters, const StageResult<Physics, Real, dimensions>& result,
            int stage, std::int64_t id) {
    displacement_squared = max(displacement_squared, static_cast<double>(result.displacement_squared));
    speed_squared = max(speed_squared, static_cast<double>(result.speed_squared));
    acceleration_squared = max(acceleration_squared, static_cast<double>(result.acceleration_squared));
    const bool calm = result.displacement_squared < parameters.support_squared;  // false for NaN
    if (!calm || !result.in_range) fault_word = min(fault_word, fault::word(stage, !calm, id));
  }
  void take(const StageExtremes& part) {
    displacement_squared = max(displacement_squared, part.displacement_squared);
    speed_squared = max(speed_squared, part.speed_squared);
    acceleration_squared = max(acceleration_squared, part.acceleration_squared);
    fault_word = min(fault_word, part.fault_word);
  }
};

template <class Real, int dimensions>
class HostStepper : public Stepper<Real, dimensions>, private LevelStepper<Real, dimensions> {
 public:
  HostStepper(const Queue& queue, Setup<Real, dimensions>&& setup, const HostCells& cells = {});
  ~HostStepper() override;

  void advance(const Goal& goal, const Solver::Observer& observer) final;
  std::vector<KernelProfile> profile(const Goal& goal, const Solver::Observer& observer) final;
  Clock clock() const final { return state_.clock; }
  std::vector<RigidBodyState> rigid_bodies() const final { return state_.rigid_bodies; }
  ParticleControl<Real, dimensions>& control() final { return control_; }
  void set_control(std::size_t body, const BodyControl& control) final { bodies_.set_control(body, control); }
  void set_rigid_body(std::size_t body, const RigidBodyState& state) final { state_.rigid_bodies[body] = state; }
  SlabCounts slab_counts() const final;
  HostState<Real, dimensions> download() const final;
  std::vector<ProbeSums> measure(const std::vector<ProbePoint<Real, dimensions>>& probes) const final;
  LevelStepper<Real, dimensions>* level() final { return level_ ? this : nullptr; }

 protected:
  using State = StateView<Real, dimensions>;

  /// Called when the particles have been sorted; `base()` is their state at the start of the step. Allocates the memory that
  /// later parts of the step need.
  virtual void find_neighbors() {}
  /// Sets the pressure of wall particles in `now` before a stage, where the walls sum over the fluid.
  virtual void set_wall_pressures(int stage, State now) = 0;
  /// Writes the state after a stage to `next`, for every particle.
  virtual StageExtremes stage(StageStep<Real> step, State now, State next) = 0;

  /// Number of runs of cells around a particle.
  template <class Physics>
  int runs() const {
    return cells_.template run_count<Physics>(parameters_);
  }

  /// Run `run` of cells around particle i as a range of particles.
  struct Range {
    std::int64_t begin;
    std::int64_t end;
  };
  template <class Physics>
  Range range(std::int64_t i, int run) const {
    return range_of_cell<Physics>(cell_[static_cast<std::size_t>(i)], run);
  }
  template <class Physics>
  Range range_of_cell(std::uint32_t cell, int run) const {
    const CellRun cells = cells_.template run_of<Physics>(parameters_, cell, run);
    return {cell_begin(cells.first), cell_begin(cells.end)};
  }
  /// The first particle of a cell, and the end of the cell before it.
  std::int64_t cell_begin(std::uint32_t cell) const { return cell_start_[cell]; }

  /// Calls visit(j) for the neighbors of particle i in the order of their cells.
  template <class Physics, class Visit>
  void for_each_neighbor(std::int64_t i, const Visit& visit) const {
    const PositionDensity<Real, dimensions>* position = base_.position.data();
    for (int run = 0; run < runs<Physics>(); ++run) {
      const Range candidates = range<Physics>(i, run);
      for (std::int64_t j = candidates.begin; j < candidates.end; ++j)
        if (j != i && within_support<Physics>(parameters_, position[i], position[j])) visit(j);
    }
  }

  /// Calls visit.operator()<Physics>() for the model of this run.
  template <class Visit>
  auto with_model(const Visit& visit) const {
    return with_physics(parameters_, !flow_curves_.empty(), visit);
  }

  /// Calls visit.operator()<Treatment, Physics>() for walls that sum over the fluid.
  template <class Visit>
  void with_walls_and_physics(const Visit& visit) const {
    with_model([&]<class Physics> {
      with_summing_walls(parameters_.walls, [&]<class Treatment> { visit.template operator()<Treatment, Physics>(); });
    });
  }

  /// Adds the time since the previous lap to a part of the step, while a profile is measured.
  void lap(const char* part) {
    if (parts_) parts_->lap(part);
  }

  State base() { return view(base_); }
  const PositionDensity<Real, dimensions>* base_position() const { return base_.position.data(); }
  /// Cell of a ghost.
  std::uint32_t ghost_cell(std::int64_t i) const {
    return cells_.cell_of(parameters_, base_.position[static_cast<std::size_t>(i)]);
  }
  /// Particles of this rank during a step. Ghosts of other ranks stand before and after them; on one rank particles
  /// outside the domain come last.
  Range owned() const { return owned_; }
  /// End of the particles of this rank that are in the domain.
  std::int64_t alive() const { return slab_ ? owned_.end : cell_start_[parameters_.cell_count]; }
  /// Number of particles with the ghosts.
  std::int64_t count() const { return static_cast<std::int64_t>(state_.count()); }
  const std::int64_t* ids() const { return base_.id.data(); }
  std::int64_t id(std::int64_t i) const { return base_.id[static_cast<std::size_t>(i)]; }

  Queue queue_;
  Communicator ranks_;
  Parameters<Real, dimensions> parameters_;

 private:
  State view(HostState<Real, dimensions>& state) {
    State view = state.view();
    view.mirrored_velocity = mirrored_velocity_.empty() ? nullptr : mirrored_velocity_.data();
    return view;
  }
  void number_cells();
  void sort();
  void make_room(std::int64_t particles);
  void add_ghosts(std::int64_t particles);
  void exchange_halo(State state, HaloValues values);
  void take_extremes_of_ranks(StageExtremes& extremes) const;
  void end_step_of_ranks();
  bool continues(const Solver::Observer& observer) const;
  void undo_step();
  [[noreturn]] void fail(const StageExtremes& extremes);
  void order_cells_by_id();
  double choose_step(const Goal& goal) const;
  void damp_velocities(double dt);
  void prescribe_open_boundaries();
  std::int64_t leave_open_boundaries();
  void enter_open_boundaries(double end, std::int64_t change);
  void take_change(std::int64_t change);
  template <class Visit>
  void for_each_around(const PositionDensity<Real, dimensions>& place, const Visit& visit) const;
  void prescribe_level(double dt);
  void renew_level();
  double set_viscosities(State now);
  void set_surface_tension(State now);
  template <class Physics>
  Vector3 force_on(const Parameters<Real, dimensions>& parameters, State now, std::int64_t j) const;
  void move_bodies(int stage, double dt, State now);
  void move_paddles(double dt);
  void accelerate(const StageStep<Real>& step, const State& next, StageExtremes& extremes) const;
  void step(double dt);

  using Levels = std::vector<LevelStepper<Real, dimensions>*>;
  void advance_levels(const Levels& levels, const Goal& goal, const std::function<bool()>& observer) final;
  std::vector<KernelProfile> profile_levels(const Levels& levels, const Goal& goal,
                                            const std::function<bool()>& observer) final;
  double shortest_step(const Levels& levels, const Goal& goal) const;
  void step_levels(const Levels& levels, double dt);
  void take_values(HostStepper& finer);

  using Slab = HostSlab<Real, dimensions>;
  /// Slab of this rank; null on one rank.
  static std::unique_ptr<Slab> make_slab(Setup<Real, dimensions>& setup, const HostCells& cells) {
    return setup.ranks.size() > 1 ? std::make_unique<Slab>(setup, cells) : nullptr;
  }

  HostCells cells_;
  std::unique_ptr<Slab> slab_;
  Range owned_{};
  const std::int64_t* cell_start_ = nullptr;  ///< [cells + 2] first particle of each cell in this step
  HostState<Real, dimensions> state_;         ///< state between steps
  HostState<Real, dimensions> base_;          ///< state at the start of a step, sorted
  HostState<Real, dimensions> intermediate_;  ///< state between stages
  ModelTables<Real, dimensions> tables_;
  StepPlan<dimensions> plan_{};
  std::vector<Coordinate<Real>> initial_;  ///< [walls][D]; empty unless a wall moves
  std::vector<PathKnot> knots_;            ///< knots of the paths of moving walls
  DampingParameters<Real, dimensions> damping_;
  HostOpenBoundaries<Real, dimensions> open_boundaries_;
  ArraysOf<Real, dimensions> arrays_;
  HostRigidBodies<Real, dimensions> bodies_;
  HostAbsorption<Real, dimensions> absorption_;
  std::optional<HostLevel<Real, dimensions>> level_;  ///< none: the case has one spacing
  std::vector<FlowCurve<Real>> flow_curves_;          ///< [materials]; empty if all are newtonian
  HostSurfaceTension<Real, dimensions> surface_tension_;
  std::vector<PackedVelocity<Real, dimensions>> mirrored_velocity_;  ///< [n] before a stage; empty where fluid slips
  std::vector<std::uint32_t> cell_;                                  ///< [n] cells of base_
  std::vector<std::uint32_t> key_;                                   ///< [n] cells of state_
  HostControl<Real, dimensions> control_{
      ranks_,
      parameters_,
      state_,
      key_,
      queue_.threads(),
      {arrays_, state_, queue_.threads(),
       HostChangeHooks<Real, dimensions>{[this](const auto& position) { return !slab_ || slab_->owns(position); },
                                         [this](std::int64_t change) { take_change(change); }}}};
  cells::CellSorter sorter_;
  std::vector<std::int32_t> order_;  ///< [n] particles by cell and id
  std::optional<PartClock> parts_;   ///< clock of a profile; empty otherwise
};

template <template <class, int> class Host, class Real, int dimensions>
std::unique_ptr<Stepper<Real, dimensions>> make_host(const Queue& queue, Setup<Real, dimensions>&& setup) {
  return std::make_unique<Host<Real, dimensions>>(queue, std::move(setup));
}

/// Entry of the method table with steppers for both precisions and all dimensions.
template <template <class, int> class Host>
constexpr Method host_method(const MethodEntry& entry) {
  return {entry,
          {make_host<Host, float, 1>, make_host<Host, float, 2>, make_host<Host, float, 3>, make_host<Host, double, 1>,
           make_host<Host, double, 2>, make_host<Host, double, 3>}};
}

}  // namespace shoal::sph
