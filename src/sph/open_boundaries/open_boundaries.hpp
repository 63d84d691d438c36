// SPDX-License-Identifier: Apache-2.0
// Boxes through which fluid enters and leaves, in the coordinates of the lattice. What has entered by a time follows from the
// time alone, so that a run resumes, and ranks agree, without counting.
#pragma once
#include <shoal/sph.hpp>

#include <cstdint>
#include <vector>

#include "sph/open_boundaries/open_boundary_item.hpp"

namespace shoal::sph {

class Filling;

/// All open boundaries of a case.
template <class Real, int dimensions>
class OpenBoundaries {
 public:
  OpenBoundaries() = default;
  /// @param start  particles at the start; those that enter have larger ids
  OpenBoundaries(const Case& simulation, const Lattice& lattice, const Filling& start);

  bool empty() const { return boundaries_.empty(); }
  const std::vector<OpenBoundaryParameters<Real, dimensions>>& boundaries() const { return boundaries_; }
  const std::vector<InflowKnot>& knots() const { return knots_; }
  const std::vector<InletColumn<Real, dimensions>>& columns() const { return columns_; }
  /// Pointers to the memory of this object.
  OpenBoundaryView<Real, dimensions> view() const;

  /// Boundary through which the particle of an id entered, or null for one that was there at the start.
  const OpenBoundaryParameters<Real, dimensions>* entered_through(std::int64_t id) const;
  /// Mass that has entered by a time, in whole particles, kg.
  double mass_entered(double time) const;
  /// A number above the ids of all particles after a step.
  std::int64_t end_of_ids(const Clock& clock) const;
  /// Particles that enter between two times, in the order of columns, at their places at the later one.
  std::vector<EnteringParticle<Real, dimensions>> entering(double begin, double end) const;

 private:
  void add(const Case& simulation, const OpenBoundary& given, const Lattice& lattice);
  void add_columns(const OpenBoundary& given);
  void close_columns_at_walls(const Filling& start);
  void number_returns();

  std::vector<OpenBoundaryParameters<Real, dimensions>> boundaries_;
  std::vector<InflowKnot> knots_;
  std::vector<InletColumn<Real, dimensions>> columns_;
  OpenBoundaryView<Real, dimensions> view_{};  ///< numbers only; pointers are set by view()
};

/// @throws Error  an open boundary is invalid: names the first member by its case-file key
void check_open_boundaries(const Case& simulation);

/// Mass of a particle of a material that enters, kg: with the density that the first body of the material has at the start.
double entering_mass(const Case& simulation, const Material& material);

/// Mass of a particle as a run keeps it, kg: rounded where particles have masses of their own.
template <class Real>
double mass_in_run(const Case& simulation, double mass);

/// Largest speed at which fluid enters, m/s.
double largest_inflow_speed(const Case& simulation);

}  // namespace shoal::sph
