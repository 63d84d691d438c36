// SPDX-License-Identifier: Apache-2.0
// Interface of a method: it steps the particles on one device.
#pragma once
#include <shoal/ranks/communicator.hpp>
#include <shoal/ranks/slabs.hpp>
#include <shoal/sph.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "sph/open_boundaries/open_boundaries.hpp"
#include "sph/physics/bodies/contact_item.hpp"
#include "sph/physics/bodies/rigid_body_item.hpp"
#include "sph/physics/bodies/spring_item.hpp"
#include "sph/physics/parameters.hpp"
#include "sph/physics/probe_item.hpp"
#include "sph/physics/rheologies/flow_curve.hpp"
#include "sph/physics/state.hpp"
#include "sph/physics/steps/damping_item.hpp"
#include "sph/physics/surface_tension/interface.hpp"
#include "sph/refinement/level_zones_item.hpp"
#include "sph/setup/bodies/contacts.hpp"
#include "sph/setup/parts/part_ids.hpp"
#include "sph/tuning.hpp"
#include "sph/waves/absorption/absorption_item.hpp"

namespace shoal::sph {

/// The particles on the host, in any order.
template <class Real, int dimensions>
struct HostState {
  Clock clock;
  std::vector<PositionDensity<Real, dimensions>> position;
  std::vector<PackedVelocity<Real, dimensions>> velocity;
  std::vector<Real> energy;
  std::vector<std::uint8_t> tag;
  std::vector<std::int64_t> id;
  std::vector<Properties<Real>> properties;          ///< empty in plain physics
  std::vector<Previous<Real, dimensions>> previous;  ///< empty unless the integrator is verlet
  std::vector<Real> viscosity;                       ///< η, Pa s, in the last stage; empty if fluids are newtonian
  std::vector<RigidBodyState> rigid_bodies;          ///< the same on all ranks, as the next
  std::vector<AbsorptionState> absorption;

  explicit HostState(std::size_t n = 0) : position(n), velocity(n), energy(n), tag(n), id(n) {}
  std::size_t count() const { return position.size(); }

  /// Indices of the particles in the order of their ids.
  std::vector<std::size_t> order_of_ids() const {
    std::vector<std::size_t> order(count());
    if (order.empty()) return order;
    const auto [first, last] = std::minmax_element(id.begin(), id.end());
    if (*last - *first < static_cast<std::int64_t>(order.size())) {  // there are no gaps
      for (std::size_t i = 0; i < order.size(); ++i) order[static_cast<std::size_t>(id[i] - *first)] = i;
    } else {
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return id[i] < id[j]; });
    }
    return order;
  }
  StateView<Real, dimensions> view() {
    const auto data = [](auto& array) { return array.empty() ? nullptr : array.data(); };
    return {position.data(), velocity.data(), energy.data(),  data(properties),
            data(previous),  nullptr,         data(viscosity)};
  }
  Particle<Real, dimensions> particle(std::size_t i) const { return {position[i], velocity[i]}; }
};

/// Copies particle i of a state to particle k of another one.
template <class Real, int dimensions>
void copy_particle(const HostState<Real, dimensions>& source, std::size_t i, HostState<Real, dimensions>& target,
                   std::size_t k) {
  target.position[k] = source.position[i];
  target.velocity[k] = source.velocity[i];
  target.energy[k] = source.energy[i];
  target.tag[k] = source.tag[i];
  target.id[k] = source.id[i];
  if (!target.properties.empty()) target.properties[k] = source.properties[i];
  if (!target.previous.empty()) target.previous[k] = source.previous[i];
  if (!target.viscosity.empty()) target.viscosity[k] = source.viscosity[i];
}

/// Initial data of a stepper.
template <class Real, int dimensions>
struct Setup {
  Parameters<Real, dimensions> parameters;
  ModelTables<Real, dimensions> tables;  ///< used in general physics only
  bool is_general = false;
  double spacing = 0;                          ///< m
  std::vector<Coordinate<Real>> initial = {};  ///< [walls][D] from tables.first_initial on; empty unless a wall moves
  std::vector<PathKnot> knots = {};            ///< knots of the paths of moving walls
  std::vector<BodyParameters> rigid_bodies = {};
  std::vector<SpringParameters> springs = {};
  ContactParameters contact = {};
  std::vector<AbsorptionParameters> absorption = {};
  std::vector<FlowCurve<Real>> flow_curves = {};  ///< [materials]; empty if all are newtonian
  std::vector<Interface<Real>> interfaces = {};   ///< [materials][materials]; empty without surface tension
  WallFaces faces = {};                           ///< faces of walls; empty without contact
  PartIds part_ids = {};  ///< ids of bodies and walls; empty if the run resumes without a filling
  DampingParameters<Real, dimensions> damping = {};
  OpenBoundaries<Real, dimensions> open_boundaries = {};
  std::optional<LevelZones<Real, dimensions>> level = {};  ///< none: the case has one spacing
  Communicator ranks = Communicator::alone();
  std::int64_t particles = 0;        ///< number of particles of all ranks, by which methods and kernels are chosen
  std::int64_t present = 0;          ///< number of those of the state, also outside the domain
  std::int64_t wall_particles = 0;   ///< number of those of walls
  Slabs slabs;                       ///< layers of cells of each rank; empty on one rank
  std::vector<Share> together = {};  ///< layers of cells that one rank has
  std::int64_t rebalance_every = 0;  ///< steps after which cuts move in any case; 0: they move if ranks are uneven
  std::int64_t least_beside_halo = particles_beside_halo;  ///< inner particles that CUDA computes beside a halo
  std::int64_t spare_particles = 0;   ///< particles that may enter before CUDA makes room for more; 0: by their number
  bool has_wide_ids = false;          ///< CUDA sorts ids of 64 bits in any case, not only where 32 bits are too few
  HostState<Real, dimensions> state;  ///< particles of this rank
};

/// End of a run: a time, for which the last step is shortened, or a step number, whichever comes first.
struct Goal {
  double time = std::numeric_limits<double>::infinity();
  std::int64_t step = std::numeric_limits<std::int64_t>::max();
};

/// Particles of one rank between two steps, and its ghosts in a step.
struct SlabCounts {
  std::int64_t particles = 0;
  std::int64_t ghosts = 0;
  std::int64_t weight = 0;  ///< weight of the particles in the cuts between ranks
};

/// A stepper as a level of refinement. All levels of a run have the same type.
template <class Real, int dimensions>
class LevelStepper {
 public:
  virtual ~LevelStepper() = default;
  using Levels = std::vector<LevelStepper*>;
  /// Steps all levels of a run, of which this is the first one, until the goal, or until the observer returns false.
  /// @throws Error  the run is unstable; all levels then have the state before the step
  virtual void advance_levels(const Levels& levels, const Goal& goal, const std::function<bool()>& observer) = 0;
  /// Advances with the same bits and measures the time of each kernel or part of a step.
  virtual std::vector<KernelProfile> profile_levels(const Levels& levels, const Goal& goal,
                                                    const std::function<bool()>& observer) = 0;
};

template <class Real, int dimensions>
class ParticleControl;

template <class Real, int dimensions>
class Stepper {
 public:
  virtual ~Stepper() = default;
  /// This stepper as a level; null if its setup has none.
  virtual LevelStepper<Real, dimensions>* level() { return nullptr; }
  /// Steps until the goal, or until the observer returns false.
  /// @throws Error  the run is unstable; the state is then that before the step
  virtual void advance(const Goal& goal, const Solver::Observer& observer) = 0;
  /// Advances with the same bits and measures the time of each kernel or part of a step.
  virtual std::vector<KernelProfile> profile(const Goal& goal, const Solver::Observer& observer) = 0;
  virtual Clock clock() const = 0;
  virtual SlabCounts slab_counts() const = 0;
  virtual HostState<Real, dimensions> download() const = 0;
  virtual std::vector<RigidBodyState> rigid_bodies() const { return {}; }
  /// Particles of a run on one rank, for a program between two steps.
  virtual ParticleControl<Real, dimensions>& control() = 0;
  /// @name Rigid bodies by a program, between two steps; the same on all ranks
  /// @{
  virtual void set_control(std::size_t body, const BodyControl& control) = 0;
  virtual void set_rigid_body(std::size_t body, const RigidBodyState& state) = 0;
  /// @}
  /// One sum a probe, over the particles of all ranks: the same bits in any order of them.
  virtual std::vector<ProbeSums> measure(const std::vector<ProbePoint<Real, dimensions>>& probes) const = 0;
};

/// Code of a particle that moved too far or is not a number. The minimum of several codes is the first offender: the
/// earliest stage, then the smallest id. Later stages spread a fault to the neighbors.
namespace fault {
constexpr std::uint64_t none = ~std::uint64_t{0};
constexpr int kind_shift = 56;
/// @param in_range  false: the state is outside the range of its equation of state
SHOAL_HD std::uint64_t word(int stage, bool in_range, std::int64_t id) {
  return (static_cast<std::uint64_t>(2 * stage + !in_range) << kind_shift) | static_cast<std::uint64_t>(id);
}
constexpr std::int64_t id(std::uint64_t word) {
  return static_cast<std::int64_t>(word & ((std::uint64_t{1} << kind_shift) - 1));
}
constexpr bool in_range(std::uint64_t word) { return ((word >> kind_shift) & 1) == 0; }
}  // namespace fault

/// Error message of a step that diverged. `largest` is the longest displacement of any particle, m.
std::string divergence_message(const Clock& clock, std::uint64_t fault_word, double largest, double support);

/// Time after step `step`, which begins at `time`, s.
SHOAL_HD double end_of_step(const StepControl& control, double time, std::int64_t step, double dt) {
  return control.by_cfl ? time + dt : static_cast<double>(step + 1) * dt;
}

/// The step that the CFL condition allows, over all fluid particles: cfl · min(h / (c + |v|), √(h / |a|)), and no
/// longer than viscosity, contact and surface tension allow.
/// @param speed_squared  |v|², or ((c + |v|)/h)² where particles have sound speeds of their own; m²/s² or 1/s²
/// @param push_squared   |a|², or |a|²/h²
SHOAL_HD double allowed_step(const StepControl& control, double speed_squared, double push_squared) {
  const bool is_per_particle = control.smoothing_length == 0;
  const double h = is_per_particle ? 1 : control.smoothing_length;
  const double acoustic = h / ((is_per_particle ? 0 : control.sound_speed) + std::sqrt(speed_squared));
  const double push = std::sqrt(push_squared);
  const double pushed = push > 0 ? std::sqrt(h / push) : acoustic;
  return min(control.cfl * min(acoustic, pushed), min(control.max_dt, control.force_dt));
}

}  // namespace shoal::sph
