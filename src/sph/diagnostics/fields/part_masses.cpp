// SPDX-License-Identifier: Apache-2.0
#include "sph/diagnostics/fields/part_masses.hpp"

#include "sph/open_boundaries/open_boundaries.hpp"
#include "sph/setup/filling/fill.hpp"

namespace shoal::sph {

PartMasses::PartMasses(const Case& simulation) : bodies_(simulation.bodies.size()), walls_(simulation.walls.size()) {
  for (const Body& body : simulation.bodies) masses_.push_back(group_of(simulation, body, 0).mass);
  for (const Wall& wall : simulation.walls) masses_.push_back(group_of(simulation, wall, 0, 0).mass);
  for (const Material& material : simulation.materials) masses_.push_back(entering_mass(simulation, material));
}

double PartMasses::mass(const Fields& fields, std::size_t i) const {
  if (fields.wall[i]) return masses_[bodies_ + static_cast<std::size_t>(fields.wall_number[i])];
  if (fields.body[i] >= 0) return masses_[static_cast<std::size_t>(fields.body[i])];
  return masses_[bodies_ + walls_ + fields.material[i]];
}

}  // namespace shoal::sph
