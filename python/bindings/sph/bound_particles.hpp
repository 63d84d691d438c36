// SPDX-License-Identifier: Apache-2.0
// Particles of a solver as Python sees them.
#pragma once
#include <shoal/sph.hpp>

#include <memory>
#include <string>
#include <vector>

#include "bindings.hpp"

namespace shoal::python {

/// Particles, and how their arrays are exported.
class BoundParticles {
 public:
  /// @param solver   Python object of the solver, which exported arrays keep alive
  /// @param exports  its copies count exported views
  BoundParticles(sph::Particles particles, nb::object solver, const std::shared_ptr<int>& exports, Library library);

  const sph::Particles& particles() const { return particles_; }

  nb::object velocity() const;
  nb::object density_deviation() const;
  nb::object pressure_over_density2() const;
  nb::object energy() const;
  nb::object coordinate() const;

  nb::object id() const;
  nb::object material() const;
  nb::object wall() const;
  nb::object position() const;
  nb::object density() const;
  nb::object pressure() const;
  nb::object rows(nb::handle ids) const;

  void set(nb::handle quantity, nb::handle values, nb::handle ids);
  void clear_acceleration();

  nb::object add(nb::handle position, nb::handle velocity, nb::handle material, nb::handle density, nb::handle energy);
  std::int64_t remove(nb::handle ids);
  std::int64_t remove_rows(nb::handle flags);
  std::int64_t remove_in(nb::handle lower, nb::handle upper);

 private:
  /// Arrays of a call whose results are of the library that the caller chose.
  CallArrays arrays() const;
  template <class T>
  nb::object view(View<const T> (sph::Particles::*column)(int) const, std::int64_t columns) const;
  template <class T>
  nb::object export_view(View<const T> memory, std::int64_t columns) const;
  template <class T>
  nb::object copied(Array<T> array, std::int64_t columns = 0) const;
  /// Calls visit(T()) for the type of the numbers of the run.
  template <class Visit>
  nb::object with_type(const Visit& visit) const {
    return particles_.precision() == sph::Precision::float_ ? visit(0.0F) : visit(0.0);
  }
  /// Values of float or double, a column for each axis of a vector.
  sph::ParticleValues values_of(CallArrays& inputs, nb::handle values, const std::string& name, bool is_vector) const;
  /// @throws Error  Python has views of memory that may move
  void require_no_views() const;

  sph::Particles particles_;
  nb::object solver_;
  std::weak_ptr<int> exports_;
  Library library_;
  PlanContext context_;
};

/// Library of a keyword: "numpy", "cupy", "torch" or "jax"; None: NumPy on the CPU, arrays of DLPack on CUDA.
Library read_library(nb::handle library, const Queue& queue);

void bind_sph_particles(nb::module_& module);

}  // namespace shoal::python
