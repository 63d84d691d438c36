// SPDX-License-Identifier: Apache-2.0
#include "sph/diagnostics/probes/probes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/text.hpp"
#include "sph/diagnostics/probes/section.hpp"
#include "sph/diagnostics/probes/surface.hpp"
#include "sph/physics/gradients/vorticity_item.hpp"
#include "sph/physics/physics.hpp"

namespace shoal::sph {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

ProbeKind kind_of(LineQuantity quantity) {
  if (quantity == LineQuantity::velocity) return ProbeKind::velocity;
  return quantity == LineQuantity::density ? ProbeKind::density : ProbeKind::pressure;
}

/// Kind whose sums give the values of a probe.
ProbeKind kind_of(const Probe& probe) { return probe.kind == ProbeKind::line ? kind_of(probe.of) : probe.kind; }

/// Numbers of a probe at one point: a scalar, a vector, or a moment or vorticity, which has one component for each plane of
/// rotation.
enum class Components { scalar, vector, moment };

/// Parameters of a kind of probe besides its name.
enum class Place { none, position, line, wall, spring, material };

/// Columns of a kind of probe.
struct KindColumns {
  ProbeKind kind;
  const char* quantity;
  const char* unit;
  Components components;
  Place place;
  const char* unit_2d = nullptr;  ///< unit in 2-D if it differs
  int least_dimensions = 1;
};

/// Entries in the order of the enumerators. A line has the columns of the kind that it repeats.
constexpr KindColumns kind_columns[] = {
    {ProbeKind::surge_front, "front", "m", Components::scalar, Place::none},
    {ProbeKind::pressure, "pressure", "Pa", Components::scalar, Place::position},
    {ProbeKind::velocity, "velocity", "m/s", Components::vector, Place::position},
    {ProbeKind::density, "density", "kg/m3", Components::scalar, Place::position},
    {ProbeKind::wall_pressure, "pressure", "Pa", Components::scalar, Place::position},
    {ProbeKind::line, "", "", Components::scalar, Place::line},
    {ProbeKind::water_height, "water_height", "m", Components::scalar, Place::position},
    {ProbeKind::force, "force", "N", Components::vector, Place::wall, "N/m"},
    {ProbeKind::spread, "spread", "m", Components::vector, Place::none},
    {ProbeKind::moment, "moment", "N m", Components::moment, Place::wall, "N m/m", 2},
    {ProbeKind::flow_rate, "flow_rate", "m3/s", Components::scalar, Place::none, "m2/s", 2},
    {ProbeKind::surface, "surface", "m", Components::vector, Place::line},
    {ProbeKind::body_center, "body_center", "m", Components::vector, Place::wall, nullptr, 2},
    {ProbeKind::body_rotation, "body_rotation", "degrees", Components::moment, Place::wall, nullptr, 2},
    {ProbeKind::spring_force, "spring_force", "N", Components::vector, Place::spring, "N/m", 2},
    {ProbeKind::vorticity, "vorticity", "1/s", Components::moment, Place::position, nullptr, 2},
    {ProbeKind::fluid_center, "center", "m", Components::vector, Place::material},
    {ProbeKind::fluid_velocity, "velocity", "m/s", Components::vector, Place::material}};

constexpr bool has_entry_of_every_kind() {
  for (std::size_t k = 0; k < std::size(kind_columns); ++k)
    if (kind_columns[k].kind != static_cast<ProbeKind>(k)) return false;
  return std::size(kind_columns) == enumerator_names<ProbeKind>.size();
}
static_assert(has_entry_of_every_kind(), "a kind of probe has no entry, or the order differs");

constexpr const KindColumns& columns_of(ProbeKind kind) { return kind_columns[static_cast<std::size_t>(kind)]; }

/// Axes of the components of a kind of probe, from `first` to before `end`; a scalar has none.
struct Axes {
  int first;
  int end;
};
constexpr Axes axes_of(ProbeKind kind, int dimensions) {
  if (columns_of(kind).components == Components::scalar) return {0, 0};
  const bool only_z = columns_of(kind).components == Components::moment && dimensions == 2;
  return {only_z ? 2 : 0, only_z ? 3 : dimensions};
}

int values_of(ProbeKind kind, int dimensions) {
  const Axes axes = axes_of(kind, dimensions);
  return std::max(1, axes.end - axes.first);
}

std::string unit(ProbeKind kind, int dimensions) {
  const KindColumns& columns = columns_of(kind);
  return dimensions == 2 && columns.unit_2d ? columns.unit_2d : columns.unit;
}

/// Coordinate of a point along an axis, units of the lattice. Points that move with a wall pass through periodic sides.
double units_along(const Vector& point, bool moves, int axis, const Lattice& lattice) {
  const double units = (point[axis] - lattice.origin[axis]) / lattice.unit;
  if (!moves || lattice.period[axis] == 0) return units;
  const double begin = std::ldexp(1, lattice.bits), period = static_cast<double>(lattice.period[axis]);
  return units - period * std::floor((units - begin) / period);
}

template <class Real, int dimensions>
PositionDensity<Real, dimensions> position_at(const Vector& point, const Probe& probe, int axes,
                                              const Lattice& lattice) {
  PositionDensity<Real, dimensions> position{};
  for (int axis = 0; axis < axes; ++axis) {
    const double units = units_along(point, !probe.follows.empty(), axis, lattice);
    const double end = std::ldexp(static_cast<double>(lattice.cells[axis]), lattice.bits);
    require(units >= 0 && units < end, "sph: probe \"", probe.name, "\" is outside the domain: at[", axis,
            "] = ", point[axis], " m, allowed [", static_cast<float>(lattice.origin[axis]), ", ",
            static_cast<float>(lattice.origin[axis] + end * lattice.unit), ") m. Enlarge [domain] or move the probe.");
    position.x[axis] = static_cast<Coordinate<Real>>(std::llround(units));
  }
  return position;
}

/// Number of axes along which the kind has a position.
int axes_of_position(ProbeKind kind, int dimensions) { return dimensions - (kind == ProbeKind::water_height ? 1 : 0); }

/// Points of a line, of the cells of a section, or on the way to a surface, m.
std::vector<Vector> places_of(const Probe& probe, int dimensions, double spacing) {
  if (probe.kind == ProbeKind::surface) return surface_samples(probe, spacing);
  std::vector<Vector> places;
  if (probe.kind == ProbeKind::flow_rate)
    for (const SectionCell& cell : section_of(probe, dimensions, spacing).cells) places.push_back(cell.center);
  for (int point = 0; probe.kind == ProbeKind::line && point < probe.points; ++point) {
    const double along = static_cast<double>(point) / (probe.points - 1);
    Vector& place = places.emplace_back();
    for (int axis = 0; axis < dimensions; ++axis)
      place[axis] = probe.from[axis] + along * (probe.to[axis] - probe.from[axis]);
  }
  return places;
}

/// Flow rate through the cells of a section, of one sum a cell.
double flow_rate(const Section& section, int dimensions, const ProbeSums* sums) {
  double rate = 0;
  for (const SectionCell& cell : section.cells) {
    const ProbeSums& sum = *sums++;
    if (!(sum.value[probe_weight] > least_filling)) continue;
    double normal_velocity = 0;
    for (int axis = 0; axis < dimensions; ++axis)
      normal_velocity += section.normal[axis] * sum.value[axis] / sum.value[probe_weight];
    rate += cell.area * normal_velocity;
  }
  return rate;
}

/// Vorticity from the sums of the moments at a point, 0 where fluid spreads along no axis.
template <int dimensions>
Vector vorticity_from(const ProbeSums* moments) {
  const double weight = moments[0].value[probe_weight];
  VelocityGradientSums<double, dimensions> sums;
  double spread = 0;  // mean over the axes of the second moment about the center of the fluid
  for (int row = 0; row < dimensions; ++row)
    for (int column = 0; column < dimensions; ++column) {
      const double first = moments[1].value[column] / weight;
      sums.moment[row][column] = moments[0].value[second_moment(row, column)] - moments[1].value[row] * first;
      sums.velocity[row][column] =
          moments[2 + row / 2].value[3 * (row % 2) + column] - moments[1].value[3 + row] * first;
      if (row == column) spread += sums.moment[row][row] / dimensions;
    }
  if (!(spread > 0)) return {};
  sums.reduce([spread](double sum) { return sum / spread; });
  const Vorticity rotation = vorticity(sums);
  return {rotation.along[0], rotation.along[1], rotation.along[2]};
}

/// Center of mass, m, or its velocity; NaN without fluid.
void append_fluid_mean(ProbeKind kind, const ProbeSums& sums, int dimensions, const Lattice& lattice,
                       std::vector<double>& values) {
  for (int axis = 0; axis < dimensions; ++axis) {
    const double mean = sums.value[axis] / sums.value[probe_weight];
    values.push_back(kind == ProbeKind::fluid_center ? lattice.origin[axis] + lattice.unit * mean : mean);
  }
}

void append_spread(const ProbeSums& sums, int dimensions, const Lattice& lattice, std::vector<double>& values) {
  for (int axis = 0; axis < dimensions; ++axis) {
    const double mean = sums.value[axis] / sums.value[probe_weight];
    const double variance = sums.value[3 + axis] / sums.value[probe_weight] - mean * mean;
    values.push_back(lattice.unit * std::sqrt(variance > 0 ? variance : 0 * variance));  // NaN without fluid
  }
}

}  // namespace

bool has_position(ProbeKind kind) { return columns_of(kind).place == Place::position; }
bool has_line(ProbeKind kind) { return columns_of(kind).place == Place::line; }
bool has_points(ProbeKind kind) {
  return has_position(kind) || has_line(kind) || kind == ProbeKind::flow_rate || kind == ProbeKind::moment;
}
bool has_wall(ProbeKind kind) { return columns_of(kind).place == Place::wall; }
bool has_spring(ProbeKind kind) { return columns_of(kind).place == Place::spring; }
bool has_material(ProbeKind kind) { return columns_of(kind).place == Place::material; }

std::vector<std::string> probe_columns(const Probe& probe, int dimensions) {
  const ProbeKind kind = kind_of(probe);
  const int points = probe.kind == ProbeKind::line ? probe.points : 1;
  std::vector<std::string> columns;
  for (int point = 1; point <= points; ++point)
    for (int value = 0; value < values_of(kind, dimensions); ++value) {
      std::string name = columns_of(kind).quantity;
      const Axes axes = axes_of(kind, dimensions);
      const bool has_axis = columns_of(kind).components == Components::moment || axes.end > 1;
      if (has_axis) name += text("_", axis_names[axes.first + value]);
      if (probe.kind == ProbeKind::line) name += text("_", point);
      columns.push_back(name + " [" + unit(kind, dimensions) + "]");
    }
  return columns;
}

std::size_t wall_number(const Case& simulation, const Probe& probe) {
  std::vector<std::string> names;
  for (const Wall& wall : simulation.walls) {
    if (!wall.name.empty() && wall.name == probe.wall) return names.size();
    names.push_back(wall.name);
  }
  throw Error(text("sph: probe \"", probe.name, "\" is on the wall \"", probe.wall,
                   "\", which is not there; the case has ", names.empty() ? "no walls" : join(names), "."));
}

int material_number(const Case& simulation, const Probe& probe) {
  if (probe.material.empty()) return -1;
  std::vector<std::string> names;
  for (const Material& material : simulation.materials) {
    if (material.name == probe.material) return static_cast<int>(names.size());
    names.push_back(material.name);
  }
  throw Error(text("sph: probe \"", probe.name, "\" is of the material \"", probe.material,
                   "\", which is not there; the case has ", join(names), "."));
}

void require_dimensions(const Probe& probe, int dimensions) {
  require(dimensions >= columns_of(probe.kind).least_dimensions, "sph: probe \"", probe.name, "\" is a ",
          to_name(probe.kind), ", but particles.dimensions = ", dimensions, ", expected 2 or 3. Remove the probe.");
}

void append_components(const Probe& probe, int dimensions, const Vector& components, std::vector<double>& values) {
  const Axes axes = axes_of(probe.kind, dimensions);
  values.insert(values.end(), components.begin() + axes.first, components.begin() + axes.end);
}

template <class Real, int dimensions>
std::vector<ProbePoint<Real, dimensions>> probe_points(const Probe& probe, const Lattice& lattice,
                                                       const Case& simulation) {
  const double spacing = simulation.spacing;
  require_dimensions(probe, dimensions);
  const ProbeKind kind = kind_of(probe);
  if (!has_sums(kind)) return {};
  ProbePoint<Real, dimensions> probe_point{.kind = kind,
                                           .position = {},
                                           .inverse_width = static_cast<Real>(1 / (2 * spacing)),
                                           .material = material_number(simulation, probe)};
  std::vector<ProbePoint<Real, dimensions>> points;
  if (!has_line(probe.kind) && probe.kind != ProbeKind::flow_rate) {
    if (has_position(kind))
      probe_point.position =
          position_at<Real, dimensions>(probe.at, probe, axes_of_position(kind, dimensions), lattice);
    const int sums = kind == ProbeKind::vorticity ? vorticity_moments(dimensions) : 1;
    for (; probe_point.moment < sums; ++probe_point.moment) points.push_back(probe_point);
    return points;
  }
  for (const Vector& position : places_of(probe, dimensions, spacing)) {
    probe_point.position = position_at<Real, dimensions>(position, probe, dimensions, lattice);
    points.push_back(probe_point);
  }
  return points;
}

bool is_in_domain(const Probe& probe, const Lattice& lattice, int dimensions, double spacing) {
  std::vector<Vector> places = places_of(probe, dimensions, spacing);
  if (has_position(probe.kind)) places.push_back(probe.at);
  const int axes = axes_of_position(probe.kind, dimensions);
  return std::ranges::all_of(places, [&](const Vector& place) {
    for (int axis = 0; axis < axes; ++axis) {
      const double units = units_along(place, !probe.follows.empty(), axis, lattice);
      if (!(units >= 0 && units < std::ldexp(static_cast<double>(lattice.cells[axis]), lattice.bits))) return false;
    }
    return true;
  });
}

template <class Real, int dimensions>
std::vector<ProbeSums> sum_probes(const HostState<Real, dimensions>& state,
                                  const Parameters<Real, dimensions>& parameters, const Communicator& ranks,
                                  int threads, const std::vector<ProbePoint<Real, dimensions>>& points) {
  const Properties<Real>* properties = state.properties.empty() ? nullptr : state.properties.data();
  const auto terms = [&](std::int64_t point, std::int64_t i, std::array<double, probe_quantities>& values) {
    const Particle<Real, dimensions> particle = state.particle(static_cast<std::size_t>(i));
    probe_terms(parameters, points[static_cast<std::size_t>(point)], particle,
                reference_density(parameters, properties, i) + particle.position.density,
                mass_of(parameters, properties, i), material_of(properties, i), values.data());
  };
  std::vector<ProbeSums> sums;
  for (const auto& sum : exact_sums<probe_quantities>(ranks, threads, static_cast<std::int64_t>(points.size()),
                                                      static_cast<std::int64_t>(state.count()), terms))
    sums.push_back(probe_sums(sum));
  return sums;
}

void append_values(const Probe& probe, const Case& simulation, const Lattice& lattice, const ProbeSums* sums,
                   std::vector<double>& values) {
  const int dimensions = simulation.dimensions;
  const ProbeKind kind = kind_of(probe);
  if (kind == ProbeKind::surge_front) {
    values.push_back(sums->furthest > 0 ? lattice.origin[0] + lattice.unit * sums->furthest
                                        : std::numeric_limits<double>::quiet_NaN());
  } else if (kind == ProbeKind::spread) {
    append_spread(*sums, dimensions, lattice, values);
  } else if (has_material(kind)) {
    append_fluid_mean(kind, *sums, dimensions, lattice, values);
  } else if (kind == ProbeKind::water_height) {
    values.push_back(sums->value[0]);
  } else if (kind == ProbeKind::flow_rate) {
    values.push_back(flow_rate(section_of(probe, dimensions, simulation.spacing), dimensions, sums));
  } else if (kind == ProbeKind::surface) {
    std::vector<double> filling;
    const std::size_t samples = surface_samples(probe, simulation.spacing).size();
    for (std::size_t k = 0; k < samples; ++k) filling.push_back(sums[k].value[probe_weight]);
    append_components(probe, dimensions, surface_point(probe, simulation, filling), values);
  } else if (kind == ProbeKind::vorticity) {
    append_components(probe, dimensions, dimensions == 2 ? vorticity_from<2>(sums) : vorticity_from<3>(sums), values);
  } else {
    const int points = probe.kind == ProbeKind::line ? probe.points : 1;
    for (int point = 0; point < points; ++point)
      for (int k = 0; k < values_of(kind, dimensions); ++k)
        values.push_back(sums[point].value[probe_weight] > 0 ? sums[point].value[k] / sums[point].value[probe_weight]
                                                             : 0);
  }
}

#define SHOAL_SPH_PROBES(Real, D)                                                                    \
  template std::vector<ProbePoint<Real, D>> probe_points(const Probe&, const Lattice&, const Case&); \
  template std::vector<ProbeSums> sum_probes(const HostState<Real, D>&, const Parameters<Real, D>&,  \
                                             const Communicator&, int, const std::vector<ProbePoint<Real, D>>&);
SHOAL_SPH_PROBES(float, 1)
SHOAL_SPH_PROBES(float, 2)
SHOAL_SPH_PROBES(float, 3)
SHOAL_SPH_PROBES(double, 1)
SHOAL_SPH_PROBES(double, 2)
SHOAL_SPH_PROBES(double, 3)
#undef SHOAL_SPH_PROBES

}  // namespace shoal::sph
