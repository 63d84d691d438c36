// SPDX-License-Identifier: Apache-2.0
#include "sph/refinement/join_levels.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace shoal::sph {

namespace {

/// Calls visit(array of a, array of b, width) for the arrays of two fields but that of ids. A row has `width` numbers.
template <class Visit>
void for_each_column(Fields& a, const Fields& b, const Visit& visit) {
  visit(a.material, b.material, 1);
  visit(a.wall, b.wall, 1);
  visit(a.wall_number, b.wall_number, 1);
  visit(a.body, b.body, 1);
  visit(a.position, b.position, 3);
  visit(a.velocity, b.velocity, 3);
  visit(a.density, b.density, 1);
  visit(a.pressure, b.pressure, 1);
  visit(a.energy, b.energy, 1);
  visit(a.viscosity, b.viscosity, 1);
  visit(a.vorticity, b.vorticity, 3);
}

/// The same for snapshots.
template <class Visit>
void for_each_column(Snapshot& a, const Snapshot& b, const Visit& visit) {
  visit(a.tag, b.tag, 1);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    visit(a.coordinate[axis], b.coordinate[axis], 1);
    visit(a.velocity[axis], b.velocity[axis], 1);
    visit(a.previous_velocity[axis], b.previous_velocity[axis], 1);
  }
  visit(a.density_deviation, b.density_deviation, 1);
  visit(a.pressure_over_density2, b.pressure_over_density2, 1);
  visit(a.energy, b.energy, 1);
  visit(a.smoothing_length, b.smoothing_length, 1);
  visit(a.sound_speed, b.sound_speed, 1);
  visit(a.viscosity, b.viscosity, 1);
  visit(a.previous_density_deviation, b.previous_density_deviation, 1);
  visit(a.previous_energy, b.previous_energy, 1);
}

/// Appends the rows of `source` for which keeps(row) is true.
template <class Report, class Keeps>
void append_rows(Report& target, const Report& source, const Keeps& keeps) {
  const std::size_t n = source.id.size();
  for (std::size_t row = 0; row < n; ++row)
    if (keeps(row)) target.id.push_back(source.id[row]);
  for_each_column(target, source, [&](auto& column, const auto& values, std::size_t width) {
    if (values.empty()) return;
    for (std::size_t row = 0; row < n; ++row)
      if (keeps(row))
        column.insert(column.end(), values.begin() + static_cast<std::ptrdiff_t>(width * row),
                      values.begin() + static_cast<std::ptrdiff_t>(width * (row + 1)));
  });
}

template <class Report>
Report joined(const std::vector<Report>& levels) {
  Report whole;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const std::size_t first = whole.id.size();
    append_rows(whole, levels[k], [](std::size_t) { return true; });
    for (std::size_t row = first; row < whole.id.size(); ++row)
      whole.id[row] |= static_cast<std::int64_t>(k) << level_shift;
  }
  return whole;
}

}  // namespace

bool holds(const Box& box, int dimensions, const Vector& place) {
  for (int axis = 0; axis < dimensions; ++axis)
    if (place[axis] < box.from[axis] || place[axis] >= box.to[axis]) return false;
  return true;
}

bool is_shown(const Level& level, int dimensions, const Vector& place) {
  return (!level.box || holds(*level.box, dimensions, place)) &&
         (!level.finer || !holds(*level.finer, dimensions, place));
}

Fields rows_of_level(const Level& level, int dimensions, const Fields& fields) {
  Fields rows;
  append_rows(rows, fields, [&](std::size_t row) {
    return is_shown(level, dimensions,
                    {fields.position[3 * row], fields.position[3 * row + 1], fields.position[3 * row + 2]});
  });
  return rows;
}

Fields join(const std::vector<Fields>& levels) { return joined(levels); }
Snapshot join(const std::vector<Snapshot>& levels) { return joined(levels); }

std::vector<Snapshot> split_by_level(const Snapshot& whole, std::size_t levels) {
  const auto level_of = [&](std::size_t row) { return static_cast<std::size_t>(whole.id[row] >> level_shift); };
  for (std::size_t row = 0; row < whole.id.size(); ++row)
    require(level_of(row) < levels, "sph: the snapshot has particles of ", level_of(row) + 1,
            " spacings, the case has ", levels, ". Resume the case that it was taken from.");
  std::vector<Snapshot> parts(levels);
  for (std::size_t k = 0; k < levels; ++k) {
    append_rows(parts[k], whole, [&](std::size_t row) { return level_of(row) == k; });
    for (std::int64_t& id : parts[k].id) id &= (std::int64_t{1} << level_shift) - 1;
    parts[k].clock = whole.clock;
  }
  return parts;
}

Balance sum(const std::vector<Balance>& levels) {
  Balance whole;
  double squares = 0;
  for (const Balance& level : levels) {
    whole.mass += level.mass;
    for (std::size_t axis = 0; axis < 3; ++axis) whole.momentum[axis] += level.momentum[axis];
    whole.kinetic += level.kinetic;
    whole.potential += level.potential;
    whole.internal += level.internal;
    whole.elastic += level.elastic;
    squares += level.mass * level.density_error * level.density_error;
    whole.largest_density_error = std::max(whole.largest_density_error, level.largest_density_error);
  }
  if (whole.mass > 0) whole.density_error = std::sqrt(squares / whole.mass);
  return whole;
}

}  // namespace shoal::sph
