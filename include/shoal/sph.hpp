// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>
#include <shoal/methods.hpp>
#include <shoal/sph_case.hpp>

#include <functional>
#include <memory>

namespace shoal::sph {

/// Where a run stands.
struct Clock {
  double time = 0;  ///< s
  std::int64_t step = 0;
  double dt = 0;               ///< s, of the last step
  double next_dt = 0;          ///< s, what the step control suggests for the next one
  std::int64_t particles = 0;  ///< still in the domain
  std::int64_t lost = 0;       ///< left the domain
};

/// The exact state of a run. A solver made from it continues with the same bits. Floats are kept as doubles, which
/// holds them exactly; particles that left the domain come last; positions are the solver's own fixed-point numbers
/// (docs/decisions/0003).
struct Snapshot {
  Clock clock;
  std::vector<std::int64_t> id;
  std::vector<std::uint8_t> tag;                        ///< material index; walls have bit 7 set
  std::array<std::vector<std::int64_t>, 3> coordinate;  ///< fixed-point
  std::array<std::vector<double>, 3> velocity;          ///< m/s
  std::vector<double> density_deviation;                ///< ρ − ρ₀, kg/m³
  std::vector<double> stress;                           ///< p/ρ², as the last stage left it
  std::vector<double> energy;                           ///< J/kg
  /// @name Of runs with more than the plainest physics (docs/sph.md), else empty
  /// @{
  std::vector<double> smoothing_length;  ///< m
  std::vector<double> sound_speed;       ///< m/s
  /// @}
  /// @name What verlet keeps of the step before, else empty
  /// @{
  std::array<std::vector<double>, 3> earlier_velocity;  ///< m/s
  std::vector<double> earlier_density_deviation;        ///< kg/m³
  std::vector<double> earlier_energy;                   ///< J/kg
  /// @}
};

/// The particles within the domain as people look at them, in the order of their ids: [n] or [n][3], host.
struct Fields {
  Clock clock;
  std::vector<std::int64_t> id;
  std::vector<std::uint8_t> material;  ///< index into Case::materials
  std::vector<std::uint8_t> wall;      ///< 1 for particles of walls
  std::vector<double> position;        ///< [n][3] m
  std::vector<float> velocity;         ///< [n][3] m/s
  std::vector<float> density;          ///< kg/m³
  std::vector<float> pressure;         ///< Pa
  std::vector<float> energy;           ///< J/kg
};

/// Totals over the fluid particles within the domain.
struct Ledger {
  Clock clock;
  double mass = 0;       ///< kg (per metre of depth in 2-D)
  Vector momentum{};     ///< kg m/s
  double kinetic = 0;    ///< J
  double potential = 0;  ///< J, −Σ m g·x
  double internal = 0;   ///< J, Σ m u; 0 unless the case integrates energy
  double elastic = 0;    ///< J, ∫ p dρ/ρ² of tait, from ρ₀; 0 for other equations of state
};

/// A weakly compressible SPH run: equations (4) to (6) of Massidda, density as deviation from its reference,
/// third-order TVD Runge-Kutta, particles sorted by cell in every step.
///
///     shoal::sph::Solver solver(shoal::Queue::best(), simulation);
///     solver.advance_to(0.5);
///     shoal::sph::Fields fields = solver.fields();
///
/// Source: Massidda, "SPH code parallelization and validation for free surface flow" (THINS). The methods' cards are in
/// src/sph/methods; formulas in docs/sph.md.
class Solver {
 public:
  /// Fills the bodies and walls of the case with particles.
  /// @throws Error  the case makes no sense, has no particles, or has bodies inside walls; method not on this device
  Solver(const Queue& queue, const Case& simulation);

  /// Continues from `snapshot`, with the same bits as the run that it was taken from.
  Solver(const Queue& queue, const Case& simulation, const Snapshot& snapshot);

  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// Called now and then between steps; returning false ends advance_to early.
  using Observer = std::function<bool(const Clock&)>;

  /// Runs until the clock shows `time`; the last step is shortened to end there if the step is by CFL. With a fixed
  /// step, runs the whole number of steps nearest to it.
  /// @throws Error  blow-up: a particle moved further than its support in one step, or is not finite; names step, time
  ///                and particle. `snapshot()` then returns the last good state.
  void advance_to(double time, const Observer& observer = {});

  /// Runs a number of steps.
  void advance_steps(std::int64_t steps);

  Clock clock() const;
  Snapshot snapshot() const;
  /// @name Reports
  /// Copies the particles to the host once for any number of them between two advances.
  /// @{
  Fields fields() const;
  Ledger ledger() const;
  /// @}

  /// What probes show now, one number each, without copying the particles to the host:
  ///
  ///     surge_front   m, the largest x of fluid, so that a drop that flies ahead counts; NaN if there is no fluid
  ///     pressure      Pa, Σ p W V / Σ W V with V = m/ρ over the fluid within the kernel's support of the place; 0 if
  ///                   there is none. At a wall that is the pressure of the fluid on its wet side
  std::vector<double> measure(const std::vector<Probe>& probes) const;

  const Case& simulation() const;

  /// The row of the method table that runs.
  MethodInfo method() const;

  struct Engine;  ///< private to shoal

 private:
  std::unique_ptr<Engine> engine_;
};

}  // namespace shoal::sph
