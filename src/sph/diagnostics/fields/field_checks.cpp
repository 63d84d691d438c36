// SPDX-License-Identifier: Apache-2.0
#include "sph/diagnostics/fields/field_checks.hpp"

#include "core/text.hpp"

namespace shoal::sph {

namespace {

void require_index(std::int64_t index, std::size_t count, const char* array, std::int64_t id) {
  require(index >= 0 && static_cast<std::size_t>(index) < count, "sph: the fields have ", array, " = ", index,
          " for particle ", id, ", but the case has ", count, ", numbered from 0. Give the case of these fields.");
}

}  // namespace

void require_fields_of(const Queue& queue, const Case& simulation, const Fields& fields, const char* use) {
  require(queue.on_cpu(), "sph: ", use, " on the CPU, but the queue is of ", queue.name(), ". Use Queue::cpu().");
  require_valid(simulation);
  const std::size_t n = fields.id.size();
  const auto require_rows = [n](const auto& values, const char* array, std::size_t columns) {
    require(values.size() == columns * n, "sph: the fields have ", n, " particles, but ", values.size(), " values of ",
            array, ", expected ", columns * n, ".");
  };
  require_rows(fields.material, "material", 1);
  require_rows(fields.wall, "wall", 1);
  require_rows(fields.wall_number, "wall_number", 1);
  require_rows(fields.body, "body", 1);
  require_rows(fields.position, "position", 3);
  require_rows(fields.velocity, "velocity", 3);
  require_rows(fields.density, "density", 1);
  require_rows(fields.pressure, "pressure", 1);
  require(fields.total == static_cast<std::int64_t>(n), "sph: these are ", n, " of ", fields.total,
          " particles, expected the fields of all ranks. Join the parts of the ranks.");
  for (std::size_t i = 0; i < n; ++i) {
    require_index(fields.material[i], simulation.materials.size(), "material", fields.id[i]);
    if (fields.wall[i])
      require_index(fields.wall_number[i], simulation.walls.size(), "wall_number", fields.id[i]);
    else if (fields.body[i] != -1 || simulation.open_boundaries.empty())
      require_index(fields.body[i], simulation.bodies.size(), "body", fields.id[i]);
  }
}

}  // namespace shoal::sph
