// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>
#include <shoal/enumerator_names.hpp>
#include <shoal/sph/case.hpp>
#include <shoal/sph/clock.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace shoal::sph {

/// Quantities of the fluid that a program sets between two steps.
enum class Quantity {
  velocity,     ///< m/s
  density,      ///< kg/m³; the pressure follows by the equation of state
  energy,       ///< J/kg, of cases that integrate it; the pressure follows
  acceleration  ///< m/s², by a force of the program; it acts in every step until it is set again
};

/// Values of a quantity: one column for each axis of a vector, one for a density or an energy. The columns are on the
/// device of the solver, of float or double in any run.
struct ParticleValues {
  ParticleValues(View<const float> x, View<const float> y = {}, View<const float> z = {});
  ParticleValues(View<const double> x, View<const double> y = {}, View<const double> z = {});

  /// Column of numbers of either precision.
  struct Column {
    const void* data = nullptr;
    std::int64_t count = 0;
    std::int64_t stride = 1;
    Device device{};
  };
  std::array<Column, 3> columns{};
  bool is_double = false;
};

/// Fluid that a program adds between two steps. The values are on the device of the solver.
struct NewParticles {
  ParticleValues position;                     ///< m, in the domain, half a spacing or more from all other particles
  ParticleValues velocity;                     ///< m/s
  std::string material = {};                   ///< name; empty: the only one of the case
  std::optional<ParticleValues> density = {};  ///< kg/m³; none: that of the material, at which the pressure is 0
  std::optional<ParticleValues> energy = {};   ///< J/kg, of cases that integrate it; none: 0
};

/// Particles that programs have added and removed since the start of a run.
struct ParticleChanges {
  std::int64_t added = 0;    ///< their ids follow those of the particles at the start
  std::int64_t removed = 0;  ///< number, also of particles that had been added
  double added_mass = 0;     ///< kg

  bool any() const { return added > 0 || removed > 0; }
};

class ParticleAccess;  ///< private to shoal: src/sph/control/particle_access.hpp

/// The particles of a Solver between two steps, on its device, and what a program sets of them.
///
///     solver.on_step([&](sph::Particles& particles) {
///       const shoal::Array<double> x = particles.position();   // [n][D]
///       ...                                                    // kernels on particles.queue()
///       particles.set(sph::Quantity::acceleration, {ax, ay});
///       return true;
///     });
///
/// Rows are particles in the order of the solver's memory. Each step changes it, so that an object of this class, and
/// its views, end with the next step: a later call throws. A view itself cannot check that.
///
/// `id()` says which particle a row is, and `rows(ids)` where particles are. A row with id −1 is no particle in the domain.
/// What is set acts on fluid alone: walls and rows without a particle keep what they have. A restart holds it, but no
/// accelerations: set them again. On several ranks rows are the particles of this rank. All ranks call the functions that set,
/// and `rows`, with the same ids and values; rows of particles of other ranks are −1. What one finds wrong all throw.
class Particles {
 public:
  explicit Particles(std::shared_ptr<ParticleAccess> access);  ///< private to shoal: see Solver::particles()

  const Clock& clock() const { return clock_; }
  /// Queue of the solver, in whose order its work and that of these functions is done.
  const Queue& queue() const;
  int dimensions() const;
  Precision precision() const;
  std::int64_t count() const { return count_; }  ///< Number of rows

  /// @name Views of the solver's memory, for reading, without a copy
  /// @tparam Real   float or double, as the precision of the case
  /// @throws Error  a step has been made since; another type; an axis beyond the dimensions
  /// @{
  template <class Real>
  View<const Real> velocity(int axis) const;  ///< m/s
  template <class Real>
  View<const Real> density_deviation() const;  ///< ρ − ρ₀, kg/m³
  template <class Real>
  View<const Real> pressure_over_density2() const;  ///< p/ρ², m⁵/(kg s²)
  template <class Real>
  View<const Real> energy() const;  ///< J/kg; empty unless the case integrates energy
  /// Fixed-point position: position() is origin + unit · coordinate. Walls have odd numbers along x.
  /// @tparam Integer  std::int32_t with float, std::int64_t with double
  template <class Integer>
  View<const Integer> coordinate(int axis) const;
  /// @}

  /// @name Copies, made on the device by a pass over the particles
  /// @throws Error  a step has been made since
  /// @{
  Array<std::int64_t> id() const;        ///< −1: no particle in the domain
  Array<std::uint8_t> material() const;  ///< index into Case::materials
  Array<std::uint8_t> wall() const;      ///< 1 for particles of walls
  Array<double> position() const;        ///< [n][D] m
  Array<double> density() const;         ///< kg/m³
  Array<double> pressure() const;        ///< Pa
  /// Rows of particles: an array by id is one gathered through them.
  /// @param ids     [m] on the device of the solver
  /// @throws Error  an id without a particle in the domain: names the first one
  Array<std::int64_t> rows(View<const std::int64_t> ids) const;
  /// @}

  /// Sets a quantity of the fluid in all rows. It waits for the check of the values.
  ///
  /// An acceleration is one more term of dv/dt in each stage, the same in all of them, and holds until it is set again:
  /// where a step by CFL is limited by accelerations, by this one too. Particles that enter later have none. A velocity
  /// that is set shortens the next step by CFL where it must.
  /// @throws Error  a step has been made since; counts or devices differ; a value of fluid is not finite, or a density
  ///                is not positive or beyond the equation of state: names the first one. Nothing is set then.
  void set(Quantity quantity, const ParticleValues& values);
  /// The same for some particles.
  /// @param ids     [m] of fluid, each once, on the device of the solver
  /// @throws Error  also an id that is no particle in the domain, is one of a wall, or is there twice
  void set(Quantity quantity, const ParticleValues& values, View<const std::int64_t> ids);
  /// Removes all accelerations.
  void clear_acceleration();

  /// @name Particles added and removed
  /// The memory may move, so that views, rows and other objects of this class end. This one goes on with the new particles.
  /// All ranks make the same calls with the same values; flags are of the rows of each rank. A restart holds the particles.
  /// Cases with open boundaries cannot change their particles so.
  ///
  /// Cost: a pass over the particles and a sort for the next step; on CUDA more memory and a capture of the steps when there
  /// are too few free places.
  /// @{
  /// Adds fluid. A particle has the mass of a cube of the spacing, with the density of the first body of its material. What
  /// verlet keeps of the step before is its present state. The next step by CFL is no longer than they allow.
  /// @return        id of the first; the others have the next ones. Ids are never used again
  /// @throws Error  a step has been made since; counts or devices differ; a value is not finite, a position is outside the
  ///                domain or nearer than half a spacing to another particle, a density is not positive or beyond the
  ///                equation of state, no such material: names the first one. Nothing is added then.
  std::int64_t add(const NewParticles& added);
  /// Removes fluid.
  /// @param ids     [m] of fluid, each once, on the device of the solver
  /// @return        number of removed particles on all ranks, as the next
  /// @throws Error  a step has been made since; an id that is no particle in the domain, is one of a wall, or is there
  ///                twice: names the first one. Nothing is removed then.
  std::int64_t remove(View<const std::int64_t> ids);
  /// Removes the fluid of some rows; flags of other rows are not read.
  /// @param flags  [count()] other than 0: removed
  std::int64_t remove_rows(View<const std::uint8_t> flags);
  /// Removes the fluid in a box, with its faces.
  /// @throws Error  a corner is not a number, or the box is empty
  std::int64_t remove_in(const Box& box);
  /// @}

 private:
  enum class Stored { coordinate, velocity, density_deviation, pressure_over_density2, energy };
  friend class ParticleAccess;

  ParticleAccess& access() const;
  /// Takes the particles after a change.
  void renew();
  /// @throws Error  elements of another type or size
  ParticleValues::Column stored(Stored what, int axis, bool is_integer, std::size_t element_bytes) const;
  template <class T>
  View<const T> view(Stored what, int axis) const;

  std::shared_ptr<ParticleAccess> access_;
  std::uint64_t version_ = 0;
  std::int64_t count_ = 0;
  Clock clock_;
};

/// Function that is called before a step, with the particles at its start. Returning false ends the run before the step.
using StepCallback = std::function<bool(Particles&)>;

}  // namespace shoal::sph

namespace shoal {
template <>
inline constexpr auto enumerator_names<sph::Quantity> =
    std::array<std::string_view, 4>{"velocity", "density", "energy", "acceleration"};
}  // namespace shoal

namespace shoal::sph {

template <class T>
View<const T> Particles::view(Stored what, int axis) const {
  const ParticleValues::Column column = stored(what, axis, std::is_integral_v<T>, sizeof(T));
  return {static_cast<const T*>(column.data), column.count, column.device, column.stride};
}
template <class Real>
View<const Real> Particles::velocity(int axis) const {
  return view<Real>(Stored::velocity, axis);
}
template <class Real>
View<const Real> Particles::density_deviation() const {
  return view<Real>(Stored::density_deviation, 0);
}
template <class Real>
View<const Real> Particles::pressure_over_density2() const {
  return view<Real>(Stored::pressure_over_density2, 0);
}
template <class Real>
View<const Real> Particles::energy() const {
  return view<Real>(Stored::energy, 0);
}
template <class Integer>
View<const Integer> Particles::coordinate(int axis) const {
  return view<Integer>(Stored::coordinate, axis);
}

}  // namespace shoal::sph
