// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>

#include <string>
#include <vector>

#include "io/run/ranks/rank_rows.hpp"

namespace shoal::io {

/// Arrays that only the fields of some cases have.
struct CaseArrays {
  bool energy = true;
  bool viscosity = true;
  bool vorticity = true;

  CaseArrays() = default;
  explicit CaseArrays(const sph::Case& simulation)
      : energy(simulation.scheme.energy),
        viscosity(sph::has_apparent_viscosity(simulation)),
        vorticity(simulation.output.vorticity) {}
  int columns() const { return energy + viscosity + 3 * vorticity; }  ///< number of floats of a particle
};

/// Calls `visit(name, values, columns)` for each array that changes from state to state, without the positions.
template <class Visit>
void for_each_changing_array(const sph::Fields& fields, CaseArrays with, Visit visit) {
  visit("velocity", fields.velocity, 3);
  visit("pressure", fields.pressure, 1);
  visit("density", fields.density, 1);
  if (with.energy) visit("energy", fields.energy, 1);
  if (with.viscosity) visit("viscosity", fields.viscosity, 1);
  if (with.vorticity) visit("vorticity", fields.vorticity, 3);
}

/// Calls `visit(name, values, columns)` for each array that is constant while no particle leaves.
template <class Visit>
void for_each_fixed_array(const sph::Fields& fields, Visit visit) {
  visit("id", fields.id, 1);
  visit("material", fields.material, 1);
  visit("wall", fields.wall, 1);
  visit("wall_number", fields.wall_number, 1);
  visit("body", fields.body, 1);
}

/// Sum of a hash of each id, modulo 2^64: equal for equal sets of particles.
std::uint64_t digest_of(const std::int64_t* ids, std::int64_t count);

/// State of a run as its fields are written: arrays in the order of ids, in pieces that come from all ranks.
class FieldState {
 public:
  /// All ranks call it.
  /// @param part  fields of this rank's particles, which must outlive this object
  FieldState(const Communicator& ranks, const sph::Fields& part);

  const sph::Clock& clock() const { return part_.clock; }
  std::int64_t count() const { return rows_.count(); }    ///< number of particles on all ranks
  std::uint64_t id_digest() const { return id_digest_; }  ///< digest_of() the ids of all particles
  const sph::Fields& part() const { return part_; }       ///< fields of this rank; shows names and types
  RankRows& arrays() const { return rows_; }

  /// Copies an array of all ranks. For the reader of arrays().
  template <class T>
  std::vector<T> whole(const std::string& name, const std::vector<T>&, int columns) const {
    std::vector<T> values;
    values.reserve(static_cast<std::size_t>(rows_.count(name) * columns));
    rows_.for_each_piece(name, [&](const void* piece, std::int64_t rows) {
      const T* first = static_cast<const T*>(piece);
      values.insert(values.end(), first, first + rows * columns);
    });
    return values;
  }

 private:
  const sph::Fields& part_;
  mutable RankRows rows_;
  std::uint64_t id_digest_;
};

/// The fields of all ranks: positions, velocities, densities, pressures, and what does not change. For the reader of
/// FieldState::arrays(). Cost: memory for all particles.
sph::Fields whole_fields(const FieldState& state);

}  // namespace shoal::io
