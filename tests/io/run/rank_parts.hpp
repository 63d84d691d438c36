// SPDX-License-Identifier: Apache-2.0
// Parts of a state for ranks: rank r of R has the rows [r n/R, (r + 1) n/R).
#pragma once
#include <shoal/ranks/communicator.hpp>
#include <shoal/sph.hpp>

#include <cstddef>
#include <vector>

namespace shoal::testing_support {

/// Rows of one rank of an array with `columns` values a row.
template <class T>
std::vector<T> part_of(const std::vector<T>& values, const Communicator& ranks, std::size_t columns = 1) {
  const auto size = static_cast<std::size_t>(ranks.size()), rank = static_cast<std::size_t>(ranks.rank());
  const std::size_t rows = values.size() / columns;
  const auto row = [&](std::size_t number) {
    return values.begin() + static_cast<std::ptrdiff_t>(rows * number / size * columns);
  };
  return {row(rank), row(rank + 1)};
}

inline sph::Fields part_of(const sph::Fields& fields, const Communicator& ranks) {
  sph::Fields part;
  part.clock = fields.clock;
  part.id = part_of(fields.id, ranks);
  part.material = part_of(fields.material, ranks);
  part.wall = part_of(fields.wall, ranks);
  part.wall_number = part_of(fields.wall_number, ranks);
  part.body = part_of(fields.body, ranks);
  part.position = part_of(fields.position, ranks, 3);
  part.velocity = part_of(fields.velocity, ranks, 3);
  part.density = part_of(fields.density, ranks);
  part.pressure = part_of(fields.pressure, ranks);
  part.energy = part_of(fields.energy, ranks);
  part.viscosity = part_of(fields.viscosity, ranks);
  part.vorticity = part_of(fields.vorticity, ranks, 3);
  return part;
}

inline sph::Snapshot part_of(const sph::Snapshot& snapshot, const Communicator& ranks) {
  sph::Snapshot part;
  part.clock = snapshot.clock;
  part.changes = snapshot.changes;
  part.id = part_of(snapshot.id, ranks);
  part.tag = part_of(snapshot.tag, ranks);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    part.coordinate[axis] = part_of(snapshot.coordinate[axis], ranks);
    part.velocity[axis] = part_of(snapshot.velocity[axis], ranks);
    part.previous_velocity[axis] = part_of(snapshot.previous_velocity[axis], ranks);
  }
  part.density_deviation = part_of(snapshot.density_deviation, ranks);
  part.pressure_over_density2 = part_of(snapshot.pressure_over_density2, ranks);
  part.energy = part_of(snapshot.energy, ranks);
  part.smoothing_length = part_of(snapshot.smoothing_length, ranks);
  part.sound_speed = part_of(snapshot.sound_speed, ranks);
  part.viscosity = part_of(snapshot.viscosity, ranks);
  part.previous_density_deviation = part_of(snapshot.previous_density_deviation, ranks);
  part.previous_energy = part_of(snapshot.previous_energy, ranks);
  return part;
}

}  // namespace shoal::testing_support
