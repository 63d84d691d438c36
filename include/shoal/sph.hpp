// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>
#include <shoal/methods.hpp>
#include <shoal/ranks/communicator.hpp>
#include <shoal/sph/case.hpp>
#include <shoal/sph/clock.hpp>
#include <shoal/sph/particles.hpp>

#include <functional>
#include <limits>
#include <memory>

namespace shoal::sph {

/// The exact state of a run, in the order of ids, with the particles that left the domain. A solver made from it
/// continues with the same bits. Floats are kept as doubles, which holds them exactly; positions are the solver's own
/// fixed-point numbers (docs/decisions/0003). Each rank has a part: the ids of rank 0 come first, then those of rank 1.
struct Snapshot {
  Clock clock;
  std::int64_t first = 0;  ///< number of rows on the ranks before this one
  std::int64_t total = 0;  ///< number of rows on all ranks; 0 stands for the rows of one rank
  std::vector<std::int64_t> id;
  std::vector<std::uint8_t> tag;                        ///< material index; walls have bit 7 set
  std::array<std::vector<std::int64_t>, 3> coordinate;  ///< fixed-point
  std::array<std::vector<double>, 3> velocity;          ///< m/s
  std::vector<double> density_deviation;                ///< ρ − ρ₀, kg/m³
  std::vector<double> pressure_over_density2;           ///< p/ρ², as the last stage left it
  std::vector<double> energy;                           ///< J/kg
  /// @name State of the general model (docs/theory/sph.md); empty in other runs
  /// @{
  std::vector<double> smoothing_length;  ///< m
  std::vector<double> sound_speed;       ///< m/s
  /// @}
  /// η of the last stage, Pa s; 0 of walls; empty if all materials are newtonian
  std::vector<double> viscosity;
  /// @name State of the previous step for verlet; empty in other runs
  /// @{
  std::array<std::vector<double>, 3> previous_velocity;  ///< m/s
  std::vector<double> previous_density_deviation;        ///< kg/m³
  std::vector<double> previous_energy;                   ///< J/kg
  /// @}
  std::vector<RigidBodyState> rigid_bodies;  ///< bodies in the order of the case, the same on all ranks
  std::vector<AbsorptionState> absorption;   ///< wavemakers with absorption in the order of the case, as the bodies
  ParticleChanges changes;                   ///< changes by programs, of all ranks
};

/// Output fields of the particles within the domain, in the order of their ids: [n] or [n][3], host. Each rank has the
/// rows of its part of the ids, as in a Snapshot.
struct Fields {
  Clock clock;
  std::int64_t first = 0;  ///< number of rows on the ranks before this one
  std::int64_t total = 0;  ///< number of rows on all ranks
  std::vector<std::int64_t> id;
  std::vector<std::uint8_t> material;     ///< index into Case::materials
  std::vector<std::uint8_t> wall;         ///< 1 for particles of walls
  std::vector<std::int32_t> wall_number;  ///< index into Case::walls; −1: fluid
  /// Index into Case::bodies of the body in which the particle started; −1: a wall, or fluid that came since.
  std::vector<std::int32_t> body;
  std::vector<double> position;  ///< [n][3] m
  std::vector<float> velocity;   ///< [n][3] m/s
  std::vector<float> density;    ///< kg/m³
  std::vector<float> pressure;   ///< Pa
  std::vector<float> energy;     ///< J/kg
  std::vector<float> viscosity;  ///< η of the last stage, Pa s; 0 of walls; empty if all materials are newtonian
  /// [n][3] ∇ × v of the fluid, 1/s; 0 of walls; in 2-D along z. Empty unless Output::vorticity is set.
  std::vector<float> vorticity;
};

/// Totals over the fluid particles within the domain.
///
/// Without heat flow, moving walls and heat pulses the sum of all energies changes by dissipation only. A case without
/// energy stores the work of pressure as elastic energy: the integral of each material's own equation of state, with
/// its least_pressure. Artificial and laminar viscosity and density diffusion dissipate. A case that integrates u adds
/// the work of the whole pressure, elastic part and heat of friction to u, so that the elastic energy is part of
/// `internal` and only density diffusion dissipates.
struct Balance {
  Clock clock;
  double mass = 0;                   ///< kg (per meter of depth in 2-D)
  Vector momentum{};                 ///< kg m/s
  double kinetic = 0;                ///< J
  double potential = 0;              ///< J, −Σ m g·x
  double internal = 0;               ///< J, Σ m u; 0 unless the case integrates energy
  double elastic = 0;                ///< J, Σ m ∫ p dρ/ρ² from ρ₀ at u = 0; 0 if the case integrates energy
  double wall_power = 0;             ///< W, power of the moving walls on the fluid
  double inflow = 0;                 ///< kg that entered through open boundaries since the start, in whole particles
  double outflow = 0;                ///< kg that left through them, less what returned through outlets
  double added = 0;                  ///< kg that programs added since the start, in whole particles
  double removed = 0;                ///< kg that programs removed
  double density_error = 0;          ///< root of the mean of (ρ/ρ₀ − 1)²
  double largest_density_error = 0;  ///< maximum of |ρ/ρ₀ − 1|
  std::vector<double>
      refinement_defect{};  ///< kg, mass of the fluid in the box of each refinement less that which it covers

  double total() const { return kinetic + potential + internal + elastic; }  ///< J
};

/// Names and units of the numbers of a probe: "pressure [Pa]", or "velocity_x [m/s]" and "velocity_y [m/s]".
std::vector<std::string> probe_columns(const Probe& probe, int dimensions);

/// Time of a kernel on CUDA, or of a part of a step on the CPU.
struct KernelProfile {
  std::string name;
  double seconds = 0;
  std::int64_t launches = 0;
  int threads = 0;       ///< threads of a block; 0: unknown, as on the CPU
  int registers = 0;     ///< registers of a thread; 0: unknown
  double occupancy = 0;  ///< share of a multiprocessor's threads that can be resident; 0: unknown
};

/// Evenness of the ranks of a run, and the share of their ghosts. One rank has 1 and 0.
struct RankLoad {
  double heaviest = 1;  ///< largest work of a rank, relative to the mean of all ranks: ten particles of a repulsive or
                        ///< adami wall count as one other particle
  double halo = 0;      ///< ghosts of all ranks in a step, copies of other ranks' particles, relative to all particles
};

/// A weakly compressible SPH run: equations (4) to (6) of Massidda, density as deviation from its reference,
/// third-order TVD Runge-Kutta, particles sorted by cell in every step.
///
///     shoal::sph::Solver solver(shoal::Queue::best(), simulation);
///     solver.advance_to(0.5);
///     shoal::sph::Fields fields = solver.fields();
///
/// Source: Massidda, "SPH code parallelization and validation for free surface flow" (THINS). Method notes are at
/// the head of each file in src/sph/methods; formulas are in docs/theory/sph.md.
class Solver {
 public:
  /// Fills the bodies and walls of the case with particles.
  /// @throws Error  the case is invalid, has no particles, or has bodies inside walls; method not on this device
  Solver(const Queue& queue, const Case& simulation);

  /// Continues from `snapshot`, with the same bits as the run that it was taken from.
  Solver(const Queue& queue, const Case& simulation, const Snapshot& snapshot);

  /// @name Several ranks
  /// A run that ranks share: each has the particles of some layers of cells across the last axis. Results have the bits of
  /// one rank. All ranks make the same calls; clock, balance and probes are those of all of them.
  /// @{
  /// @throws Error  fewer than two layers of cells for each rank: names how many ranks can be used
  Solver(const Queue& queue, const Case& simulation, const Communicator& ranks);

  /// @param snapshot  a part of the rows on each rank, and all else: any number of ranks, any parts
  Solver(const Queue& queue, const Case& simulation, const Snapshot& snapshot, const Communicator& ranks);
  /// @}

  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// Called between some of the steps; returning false ends advance_to early.
  using Observer = std::function<bool(const Clock&)>;

  /// Runs until the clock shows `time`; the last step is shortened to end there if the step is by CFL. With a fixed
  /// step, runs the whole number of steps nearest to it.
  /// @throws Error  the run is unstable: a particle moved further than its support in one step, or is not finite; names
  ///                step, time and particle. `snapshot()` then returns the last good state.
  /// @throws OutOfMemory  on all ranks: one lacks memory for a step, of its GPU or of the host. A run on one rank keeps the
  ///                      state before that step; the state of several ranks is lost.
  void advance_to(double time, const Observer& observer = {});

  /// Runs a number of steps.
  void advance_steps(std::int64_t steps);

  /// Runs at most `steps` steps toward `time`, with the same bits as advance_to, and measures their time: of each
  /// kernel on CUDA, of each part of a step on the CPU, in their order. The run is slower, because CUDA kernels are
  /// launched one by one.
  /// @throws Error  as advance_to, and for a negative number of steps
  std::vector<KernelProfile> profile(std::int64_t steps, double time = std::numeric_limits<double>::infinity(),
                                     const Observer& observer = {});

  /// @name Control by a program between two steps
  /// It costs nothing where it is not used.
  /// @{
  /// The particles at the present time: views, copies, and what can be set of them. It ends with the next step.
  /// On several ranks these are the particles that this rank steps.
  Particles particles();
  /// Calls a function before each step whose number is a multiple of `every`, in all that advances the run. It may set
  /// what a program can set.
  ///
  /// Cost: on CUDA steps are launched `every` at a time, and the host waits for them; nothing is copied.
  /// @param callback  empty: removes the function
  /// @throws Error    every < 1; on several ranks, which all call it, what the function of one of them throws
  void on_step(StepCallback callback, std::int64_t every = 1);

  /// Lets a rigid body move with given velocities, whatever acts on it, also along locked axes; from one call to the
  /// next, or to release(). All ranks make the same calls. A restart holds the velocities, but not that they are given.
  /// @param wall              name of the wall that the body is
  /// @param velocity          m/s, of the center of mass
  /// @param angular_velocity  degrees/s; along z in 2-D
  /// @throws Error            no such body; a component that is not finite, or is beyond the dimensions
  void drive(std::string_view wall, const Vector& velocity, const Vector& angular_velocity = {});
  /// Lets a driven body move freely again, with its velocities, but 0 along locked axes.
  void release(std::string_view wall);
  /// Adds a load to those of a rigid body in all steps, until it is set again. A restart does not hold it.
  /// @param force   N (2-D: N/m)
  /// @param moment  N m about the center of mass
  void push(std::string_view wall, const Vector& force, const Vector& moment = {});
  /// @}

  Clock clock() const;
  /// Load of the ranks in the last step. All ranks call it, also in an Observer.
  RankLoad load() const;
  Snapshot snapshot() const;
  /// @name Reports
  /// Copies the particles to the host once for any number of them between two advances.
  /// @{
  Fields fields() const;
  Balance balance() const;
  /// A function that returns the fields of the present state. It may run in another thread, while this solver goes on or
  /// after its end: a run writes output beside its steps. Call it once.
  ///
  /// On one rank with CUDA it has the particles as they were copied to the host, and turns them into fields when it is
  /// called. On the CPU, whose threads step, and on several ranks, which all take part, the fields are made at once.
  std::function<Fields()> fields_later() const;
  /// @}

  /// Values of probes at the present time, one after the other; each has one number for each of its probe_columns(). ProbeKind
  /// has the formulas.
  ///
  /// A force or moment copies the particles to the host; nothing else does.
  /// @throws Error  a point outside the domain, no wall of that name, an impossible section, a moment or flow rate in 1-D
  std::vector<double> measure(const std::vector<Probe>& probes) const;

  /// Rigid bodies in the order of the case, the same on all ranks.
  std::vector<RigidBodyState> rigid_bodies() const;

  const Case& simulation() const;

  /// Entry of the method table that runs.
  MethodInfo method() const;

  struct Engine;  ///< private to shoal

 private:
  std::unique_ptr<Engine> engine_;
};

}  // namespace shoal::sph
