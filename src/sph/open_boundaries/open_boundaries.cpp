// SPDX-License-Identifier: Apache-2.0
#include "sph/open_boundaries/open_boundaries.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "sph/open_boundaries/velocity_profiles.hpp"
#include "sph/setup/filling/fill.hpp"
#include "sph/setup/filling/part_bounds.hpp"
#include "sph/setup/parameters.hpp"

namespace shoal::sph {

namespace {

/// Axis along which gravity acts; −1 without gravity, or along none.
int vertical_axis(const Vector& gravity, int dimensions) {
  int vertical = -1;
  for (int axis = 0; axis < dimensions; ++axis) {
    if (gravity[static_cast<std::size_t>(axis)] == 0) continue;
    if (vertical >= 0) return -1;
    vertical = axis;
  }
  return vertical;
}

}  // namespace

double entering_mass(const Case& simulation, const Material& material) {
  return material.density * std::pow(simulation.spacing, simulation.dimensions);
}

template <class Real>
double mass_in_run(const Case& simulation, double mass) {
  return needs_general_physics(simulation) ? static_cast<double>(static_cast<Real>(mass)) : mass;
}

template <class Real, int dimensions>
bool OpenBoundaryParameters<Real, dimensions>::holds(const Position& position) const {
  for (int k = 0; k < dimensions; ++k)
    if (position.x[k] < from[k] || position.x[k] >= to[k]) return false;
  return true;
}

template <class Real, int dimensions>
bool OpenBoundaryParameters<Real, dimensions>::is_behind(const Position& position) const {
  Position shifted = position;
  shifted.x[axis] += fluid_is_above ? to[axis] - from[axis] : from[axis] - to[axis];
  return holds(shifted);
}

template <class Real, int dimensions>
PositionDensity<Real, dimensions> OpenBoundaryParameters<Real, dimensions>::mirrored(Position position) const {
  position.x[axis] = 2 * plane() - position.x[axis];
  return position;
}

template <class Real, int dimensions>
double OpenBoundaryParameters<Real, dimensions>::profile(const Position& position) const {
  const auto share = [&](int k) {
    const double s = static_cast<double>(position.x[k] - from[k]) / static_cast<double>(to[k] - from[k]);
    return std::clamp(s, 0.0, 1.0);
  };
  double s = 0.5;  // 1-D has no section
  std::optional<double> r;
  for (int k = 0; k < dimensions; ++k) {
    if (k == axis) continue;
    if (dimensions == 3 && k == (axis == 0 ? 1 : 0))
      r = share(k);
    else
      s = share(k);
  }
  return VelocityProfiles::visit(given.profile, [&]<class Profile> { return Profile::factor(s, r); });
}

template <class Real, int dimensions>
OpenBoundaries<Real, dimensions>::OpenBoundaries(const Case& simulation, const Lattice& lattice, std::int64_t first_id)
    : gravity_(simulation.scheme.gravity), unit_(lattice.unit), spacing_(simulation.spacing), first_id_(first_id) {
  std::copy(std::begin(lattice.origin), std::end(lattice.origin), origin_);
  for (const OpenBoundary& given : simulation.open_boundaries) {
    OpenBoundaryParameters<Real, dimensions> boundary{};
    boundary.given = given;
    boundary.axis = axis_of(given.fluid, dimensions);
    boundary.fluid_is_above = is_upper(given.fluid);
    boundary.material = material_index(simulation, given.material);
    const Material& material = simulation.materials[static_cast<std::size_t>(boundary.material)];
    boundary.eos = make_eos<double>(material);
    boundary.reference_density = material.density;
    boundary.mass = mass_in_run<Real>(simulation, entering_mass(simulation, material));
    if (given.is_inlet()) boundary.inflow = InflowSpeed(given);
    for (int axis = 0; axis < 3; ++axis) {
      boundary.columns[axis] = 1;
      if (axis >= dimensions) continue;
      const auto even = [&](double x) {
        return static_cast<Coordinate<Real>>(2 * std::llround((x - origin_[axis]) / unit_ / 2));
      };
      boundary.from[axis] = even(given.box.from[static_cast<std::size_t>(axis)]);
      boundary.to[axis] = even(given.box.to[static_cast<std::size_t>(axis)]);
      if (axis != boundary.axis)
        boundary.columns[axis] =
            std::llround(static_cast<double>(boundary.to[axis] - boundary.from[axis]) * unit_ / spacing_);
    }
    boundary.first_column = columns_;
    columns_ += boundary.column_count();
    boundaries_.push_back(boundary);
  }
}

template <class Real, int dimensions>
std::size_t OpenBoundaries<Real, dimensions>::box_of(const Position& position) const {
  for (std::size_t k = 0; k < boundaries_.size(); ++k)
    if (boundaries_[k].holds(position)) return k;
  return none;
}

template <class Real, int dimensions>
bool OpenBoundaries<Real, dimensions>::is_behind_a_box(const Position& position) const {
  return std::any_of(boundaries_.begin(), boundaries_.end(),
                     [&](const auto& boundary) { return boundary.is_behind(position); });
}

template <class Real, int dimensions>
std::size_t OpenBoundaries<Real, dimensions>::entered_through(std::int64_t id) const {
  if (id < first_id_ || columns_ == 0) return none;
  const std::int64_t column = (id - first_id_) % columns_;
  std::size_t k = 0;
  while (column >= boundaries_[k].first_column + boundaries_[k].column_count()) ++k;
  return k;
}

/// Place of a column where it crosses the far side of the box.
template <class Real, int dimensions>
PositionDensity<Real, dimensions> OpenBoundaries<Real, dimensions>::corner(
    const OpenBoundaryParameters<Real, dimensions>& boundary, std::int64_t column) const {
  Position position{};
  for (int axis = 0; axis < dimensions; ++axis) {
    const std::int64_t index = column % boundary.columns[axis];
    column /= boundary.columns[axis];
    const double units = (static_cast<double>(index) + 0.5) * spacing_ / unit_;
    position.x[axis] = axis == boundary.axis
                           ? boundary.far_side()
                           : boundary.from[axis] + static_cast<Coordinate<Real>>(2 * std::llround(units / 2));
  }
  return position;
}

/// Number of particles of a column that have entered by a time. The first is half a spacing behind the far side at t = 0.
template <class Real, int dimensions>
std::int64_t OpenBoundaries<Real, dimensions>::entered(const OpenBoundaryParameters<Real, dimensions>& boundary,
                                                       std::int64_t column, double time) const {
  const Position place = corner(boundary, column);
  if (boundary.given.water_level) {
    const int vertical = vertical_axis(gravity_, dimensions);
    const double above = meters_along(vertical, place.x[vertical]) - *boundary.given.water_level;
    if (above * gravity_[static_cast<std::size_t>(vertical)] < 0) return 0;
  }
  const double way = boundary.profile(place) * boundary.inflow.distance(time);
  return static_cast<std::int64_t>(std::floor(way / spacing_ + 0.5));
}

template <class Real, int dimensions>
template <class Visit>
void OpenBoundaries<Real, dimensions>::for_each_column(const Visit& visit) const {
  for (const OpenBoundaryParameters<Real, dimensions>& boundary : boundaries_)
    for (std::int64_t column = 0; column < boundary.column_count(); ++column) visit(boundary, column);
}

template <class Real, int dimensions>
double OpenBoundaries<Real, dimensions>::mass_entered(double time) const {
  double mass = 0;
  for_each_column([&](const auto& boundary, std::int64_t column) {
    mass += boundary.mass * static_cast<double>(entered(boundary, column, time));
  });
  return mass;
}

template <class Real, int dimensions>
std::int64_t OpenBoundaries<Real, dimensions>::end_of_ids(double time) const {
  std::int64_t most = 0;
  for_each_column(
      [&](const auto& boundary, std::int64_t column) { most = std::max(most, entered(boundary, column, time)); });
  return first_id_ + most * columns_;
}

template <class Real, int dimensions>
std::vector<EnteringParticle<Real, dimensions>> OpenBoundaries<Real, dimensions>::entering(double begin,
                                                                                           double end) const {
  std::vector<EnteringParticle<Real, dimensions>> particles;
  for_each_column([&](const OpenBoundaryParameters<Real, dimensions>& boundary, std::int64_t column) {
    const std::int64_t before = entered(boundary, column, begin), after = entered(boundary, column, end);
    if (before == after) return;
    const Position place = corner(boundary, column);
    const double way = boundary.profile(place) * boundary.inflow.distance(end);
    for (std::int64_t k = before + 1; k <= after; ++k) {
      Position position = place;
      const double depth = way - (static_cast<double>(k) - 0.5) * spacing_;
      position.x[boundary.axis] +=
          static_cast<Coordinate<Real>>(2 * std::llround(boundary.direction() * depth / unit_ / 2));
      particles.push_back({position, first_id_ + (k - 1) * columns_ + boundary.first_column + column,
                           static_cast<std::size_t>(&boundary - boundaries_.data())});
    }
  });
  return particles;
}

template <class Real, int dimensions>
double OpenBoundaries<Real, dimensions>::given_pressure(std::size_t k, const Position& position) const {
  const OpenBoundaryParameters<Real, dimensions>& boundary = boundaries_[k];
  double pressure = *boundary.given.pressure;
  if (!boundary.given.water_level) return pressure;
  const int vertical = vertical_axis(gravity_, dimensions);
  const double above = meters_along(vertical, position.x[vertical]) - *boundary.given.water_level;
  return pressure + std::max(0.0, boundary.reference_density * gravity_[static_cast<std::size_t>(vertical)] * above);
}

template <class Real, int dimensions>
double OpenBoundaries<Real, dimensions>::hydrostatic(std::size_t k, const Shift& shift) const {
  double sum = 0;
  for (int axis = 0; axis < dimensions; ++axis)
    sum +=
        gravity_[static_cast<std::size_t>(axis)] * unit_ * static_cast<double>(shift[static_cast<std::size_t>(axis)]);
  return boundaries_[k].reference_density * sum;
}

template double mass_in_run<float>(const Case&, double);
template double mass_in_run<double>(const Case&, double);
template class OpenBoundaries<float, 1>;
template class OpenBoundaries<float, 2>;
template class OpenBoundaries<float, 3>;
template class OpenBoundaries<double, 1>;
template class OpenBoundaries<double, 2>;
template class OpenBoundaries<double, 3>;
template struct OpenBoundaryParameters<float, 1>;
template struct OpenBoundaryParameters<float, 2>;
template struct OpenBoundaryParameters<float, 3>;
template struct OpenBoundaryParameters<double, 1>;
template struct OpenBoundaryParameters<double, 2>;
template struct OpenBoundaryParameters<double, 3>;

}  // namespace shoal::sph
