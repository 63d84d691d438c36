// SPDX-License-Identifier: Apache-2.0
#include "sph/open_boundaries/open_boundaries.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
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
  const auto is_of_material = [&](const Body& body) {
    return material_index(simulation, body.material) == material_index(simulation, material.name);
  };
  const auto body = std::find_if(simulation.bodies.begin(), simulation.bodies.end(), is_of_material);
  const double density = body == simulation.bodies.end() ? material.density : body->density.value_or(material.density);
  return density * std::pow(simulation.spacing, simulation.dimensions);
}

template <class Real>
double mass_in_run(const Case& simulation, double mass) {
  return needs_general_physics(simulation) ? static_cast<double>(static_cast<Real>(mass)) : mass;
}

template <class Real, int dimensions>
OpenBoundaries<Real, dimensions>::OpenBoundaries(const Case& simulation, const Lattice& lattice, const Filling& start) {
  view_.first_id = start.count();
  view_.unit = lattice.unit;
  view_.spacing = simulation.spacing;
  std::copy_n(simulation.scheme.gravity.begin(), dimensions, view_.gravity);
  view_.vertical = vertical_axis(simulation.scheme.gravity, dimensions);
  if (view_.vertical >= 0) view_.vertical_origin = lattice.origin[view_.vertical];
  for (const OpenBoundary& given : simulation.open_boundaries) {
    add(simulation, given, lattice);
    if (given.is_inlet()) add_columns(given);
  }
  close_columns_at_walls(start);
  number_returns();
}

/// Adds a boundary without its columns.
template <class Real, int dimensions>
void OpenBoundaries<Real, dimensions>::add(const Case& simulation, const OpenBoundary& given, const Lattice& lattice) {
  OpenBoundaryParameters<Real, dimensions> boundary{};
  boundary.axis = axis_of(given.fluid, dimensions);
  boundary.fluid_is_above = is_upper(given.fluid);
  boundary.is_inlet = given.is_inlet();
  boundary.lets_return = given.returns;
  boundary.has_pressure = given.pressure.has_value();
  boundary.has_water_level = given.water_level.has_value();
  boundary.profile = given.profile;
  boundary.extrapolation = given.extrapolation;
  boundary.pressure = given.pressure.value_or(0);
  boundary.water_level = given.water_level.value_or(0);
  boundary.material = material_index(simulation, given.material);
  const Material& material = simulation.materials[static_cast<std::size_t>(boundary.material)];
  boundary.eos = make_eos<double>(material);
  boundary.reference_density = material.density;
  boundary.mass = mass_in_run<Real>(simulation, entering_mass(simulation, material));
  for (int axis = 0; axis < 3; ++axis) {
    boundary.columns[axis] = 1;
    if (axis >= dimensions) continue;
    const auto even = [&](double x) {
      return static_cast<Coordinate<Real>>(2 * std::llround((x - lattice.origin[axis]) / lattice.unit / 2));
    };
    boundary.from[axis] = even(given.box.from[static_cast<std::size_t>(axis)]);
    boundary.to[axis] = even(given.box.to[static_cast<std::size_t>(axis)]);
    if (axis != boundary.axis && lattice.period[axis] == 0)
      boundary.margin[axis] = static_cast<Coordinate<Real>>(2 * std::llround(simulation.spacing / lattice.unit / 2));
    if (axis != boundary.axis)
      boundary.columns[axis] = std::llround(static_cast<double>(boundary.to[axis] - boundary.from[axis]) *
                                            lattice.unit / simulation.spacing);
  }
  boundary.first_column = static_cast<std::int64_t>(columns_.size());
  boundaries_.push_back(boundary);
}

/// Adds the columns and the knots of the last boundary, an inlet.
template <class Real, int dimensions>
void OpenBoundaries<Real, dimensions>::add_columns(const OpenBoundary& given) {
  OpenBoundaryParameters<Real, dimensions>& boundary = boundaries_.back();
  const std::vector<InflowKnot> knots = inflow_knots(given);
  boundary.first_knot = static_cast<int>(knots_.size());
  boundary.knots = static_cast<int>(knots.size());
  knots_.insert(knots_.end(), knots.begin(), knots.end());
  for (std::int64_t number = 0; number < boundary.column_count(); ++number) {
    InletColumn<Real, dimensions> column{};
    column.boundary = static_cast<int>(boundaries_.size()) - 1;
    std::int64_t rest = number;
    for (int axis = 0; axis < dimensions; ++axis) {
      const double units = (static_cast<double>(rest % boundary.columns[axis]) + 0.5) * view_.spacing / view_.unit;
      rest /= boundary.columns[axis];
      column.place.x[axis] = axis == boundary.axis
                                 ? boundary.far_side()
                                 : boundary.from[axis] + static_cast<Coordinate<Real>>(2 * std::llround(units / 2));
    }
    column.factor = boundary.profile_at(column.place);
    const auto vertical = static_cast<std::size_t>(view_.vertical);
    if (boundary.has_water_level &&
        (view_.height(column.place.x[vertical]) - boundary.water_level) * view_.gravity[vertical] < 0)
      column.factor = 0;
    columns_.push_back(column);
  }
}

/// Lets nothing enter where a wall stands at the far side of an inlet, as beside the round section of a pipe.
template <class Real, int dimensions>
void OpenBoundaries<Real, dimensions>::close_columns_at_walls(const Filling& start) {
  const std::int64_t first_wall = start.count() - start.wall_count();
  const auto close_at = [&](const StartParticle& particle) {
    PositionDensity<Real, dimensions> position{};
    for (std::size_t axis = 0; axis < dimensions; ++axis)
      position.x[axis] = static_cast<Coordinate<Real>>(particle.coordinate[axis]);
    for (const OpenBoundaryParameters<Real, dimensions>& boundary : boundaries_) {
      if (!boundary.is_inlet || !boundary.holds(position)) continue;
      const Coordinate<Real> depth = position.x[boundary.axis] - boundary.far_side();
      if (std::abs(static_cast<double>(depth)) * view_.unit < view_.spacing)
        columns_[static_cast<std::size_t>(boundary.column_at(position))].factor = 0;
    }
  };
  if (columns_.empty()) return;
  for (std::int64_t plane = 0; plane < start.planes(); ++plane)
    if (start.first(plane) >= first_wall) start.for_each(plane, close_at);
}

/// Numbers the columns of outlets that let fluid return, after those of inlets.
template <class Real, int dimensions>
void OpenBoundaries<Real, dimensions>::number_returns() {
  view_.id_columns = static_cast<std::int64_t>(columns_.size());
  for (OpenBoundaryParameters<Real, dimensions>& boundary : boundaries_) {
    if (!boundary.lets_return) continue;
    boundary.first_column = view_.id_columns;
    view_.id_columns += boundary.column_count();
  }
}

template <class Real, int dimensions>
OpenBoundaryView<Real, dimensions> OpenBoundaries<Real, dimensions>::view() const {
  OpenBoundaryView<Real, dimensions> view = view_;
  view.boundaries = boundaries_.data();
  view.knots = knots_.data();
  view.columns = columns_.data();
  view.count = static_cast<int>(boundaries_.size());
  view.column_count = static_cast<std::int64_t>(columns_.size());
  return view;
}

template <class Real, int dimensions>
const OpenBoundaryParameters<Real, dimensions>* OpenBoundaries<Real, dimensions>::entered_through(
    std::int64_t id) const {
  if (id < view_.first_id || view_.id_columns == 0) return nullptr;
  const std::int64_t column = (id - view_.first_id) % view_.id_columns;
  return &*std::find_if(boundaries_.begin(), boundaries_.end(), [&](const auto& boundary) {
    return column >= boundary.first_column && column < boundary.first_column + boundary.column_count();
  });
}

template <class Real, int dimensions>
double OpenBoundaries<Real, dimensions>::mass_entered(double time) const {
  const OpenBoundaryView<Real, dimensions> boundaries = view();
  double mass = 0;
  for (const InletColumn<Real, dimensions>& column : columns_)
    mass += boundaries.boundaries[column.boundary].mass * static_cast<double>(boundaries.entered(column, time));
  return mass;
}

template <class Real, int dimensions>
std::int64_t OpenBoundaries<Real, dimensions>::end_of_ids(const Clock& clock) const {
  const OpenBoundaryView<Real, dimensions> boundaries = view();
  std::int64_t most = boundaries.return_columns() > 0 ? clock.step : 0;
  for (const InletColumn<Real, dimensions>& column : columns_)
    most = std::max(most, boundaries.entered(column, clock.time));
  return boundaries.id_of(0, most);
}

template <class Real, int dimensions>
std::vector<EnteringParticle<Real, dimensions>> OpenBoundaries<Real, dimensions>::entering(double begin,
                                                                                           double end) const {
  const OpenBoundaryView<Real, dimensions> boundaries = view();
  std::vector<EnteringParticle<Real, dimensions>> particles;
  for (std::int64_t column = 0; column < boundaries.column_count; ++column) {
    const std::int64_t after = boundaries.entered(boundaries.columns[column], end);
    for (std::int64_t k = boundaries.entered(boundaries.columns[column], begin) + 1; k <= after; ++k)
      particles.push_back(boundaries.entering(column, k, end));
  }
  return particles;
}

template double mass_in_run<float>(const Case&, double);
template double mass_in_run<double>(const Case&, double);
template class OpenBoundaries<float, 1>;
template class OpenBoundaries<float, 2>;
template class OpenBoundaries<float, 3>;
template class OpenBoundaries<double, 1>;
template class OpenBoundaries<double, 2>;
template class OpenBoundaries<double, 3>;

}  // namespace shoal::sph
