// SPDX-License-Identifier: Apache-2.0
#include "sph/diagnostics/probes.hpp"

#include <cmath>
#include <limits>

#include "core/text.hpp"

namespace shoal::sph {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

ProbeKind kind_of(LineQuantity quantity) {
  if (quantity == LineQuantity::velocity) return ProbeKind::velocity;
  return quantity == LineQuantity::density ? ProbeKind::density : ProbeKind::pressure;
}

/// Kind whose sums give the values of a probe.
ProbeKind kind_of(const Probe& probe) { return probe.kind == ProbeKind::line ? kind_of(probe.of) : probe.kind; }

bool has_position(ProbeKind kind) {
  return kind == ProbeKind::pressure || kind == ProbeKind::velocity || kind == ProbeKind::density ||
         kind == ProbeKind::wall_pressure || kind == ProbeKind::water_height;
}

int values_of(ProbeKind kind, int dimensions) {
  return kind == ProbeKind::velocity || kind == ProbeKind::force || kind == ProbeKind::spread ? dimensions : 1;
}

std::string quantity(ProbeKind kind) {
  return kind == ProbeKind::surge_front     ? "front"
         : kind == ProbeKind::wall_pressure ? "pressure"
                                            : std::string(to_name(kind));
}

std::string unit(ProbeKind kind, int dimensions) {
  if (kind == ProbeKind::pressure || kind == ProbeKind::wall_pressure) return "Pa";
  if (kind == ProbeKind::velocity) return "m/s";
  if (kind == ProbeKind::density) return "kg/m3";
  if (kind == ProbeKind::force) return dimensions == 2 ? "N/m" : "N";
  return "m";
}

template <class Real, int dimensions>
PositionDensity<Real, dimensions> position_at(const Vector& point, const std::string& name, int axes,
                                              const Lattice& lattice) {
  PositionDensity<Real, dimensions> position{};
  for (int axis = 0; axis < axes; ++axis) {
    const double units = (point[axis] - lattice.origin[axis]) / lattice.unit;
    const double end = std::ldexp(static_cast<double>(lattice.cells[axis]), lattice.bits);
    require(units >= 0 && units < end, "sph: probe \"", name, "\" is outside the domain: at[", axis,
            "] = ", point[axis], " m, allowed [", lattice.origin[axis], ", ", lattice.origin[axis] + end * lattice.unit,
            ") m. Enlarge [domain] or move the probe.");
    position.x[axis] = static_cast<Coordinate<Real>>(std::llround(units));
  }
  return position;
}

void append_spread(const ProbeSums& sums, int dimensions, const Lattice& lattice, std::vector<double>& values) {
  for (int axis = 0; axis < dimensions; ++axis) {
    const double mean = sums.value[axis] / sums.weight;
    const double variance = sums.value[3 + axis] / sums.weight - mean * mean;
    values.push_back(lattice.unit * std::sqrt(variance > 0 ? variance : 0 * variance));  // NaN without fluid
  }
}

}  // namespace

std::vector<std::string> probe_columns(const Probe& probe, int dimensions) {
  const ProbeKind kind = kind_of(probe);
  const int points = probe.kind == ProbeKind::line ? probe.points : 1;
  std::vector<std::string> columns;
  for (int point = 1; point <= points; ++point)
    for (int axis = 0; axis < values_of(kind, dimensions); ++axis) {
      std::string name = quantity(kind);
      if (values_of(kind, dimensions) > 1) name += text("_", axis_names[axis]);
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

template <class Real, int dimensions>
std::vector<ProbePoint<Real, dimensions>> probe_points(const Probe& probe, const Lattice& lattice, double spacing) {
  const ProbeKind kind = kind_of(probe);
  if (kind == ProbeKind::force) return {};
  ProbePoint<Real, dimensions> probe_point{kind, {}, static_cast<Real>(1 / (2 * spacing))};
  if (probe.kind != ProbeKind::line) {
    const int axes = kind == ProbeKind::water_height ? dimensions - 1 : dimensions;
    if (has_position(kind)) probe_point.position = position_at<Real, dimensions>(probe.at, probe.name, axes, lattice);
    return {probe_point};
  }
  std::vector<ProbePoint<Real, dimensions>> points;
  for (int point = 0; point < probe.points; ++point) {
    const double along = static_cast<double>(point) / (probe.points - 1);
    Vector position{};
    for (int axis = 0; axis < dimensions; ++axis)
      position[axis] = probe.from[axis] + along * (probe.to[axis] - probe.from[axis]);
    probe_point.position = position_at<Real, dimensions>(position, probe.name, dimensions, lattice);
    points.push_back(probe_point);
  }
  return points;
}

void append_values(const Probe& probe, int dimensions, const Lattice& lattice, const ProbeSums* sums,
                   std::vector<double>& values) {
  const ProbeKind kind = kind_of(probe);
  if (kind == ProbeKind::surge_front) {
    const bool has_fluid = sums->furthest != ProbeSums::none().furthest;
    values.push_back(has_fluid ? lattice.origin[0] + lattice.unit * static_cast<double>(sums->furthest)
                               : std::numeric_limits<double>::quiet_NaN());
  } else if (kind == ProbeKind::spread) {
    append_spread(*sums, dimensions, lattice, values);
  } else if (kind == ProbeKind::water_height) {
    values.push_back(sums->value[0]);
  } else {
    const int points = probe.kind == ProbeKind::line ? probe.points : 1;
    for (int point = 0; point < points; ++point)
      for (int k = 0; k < values_of(kind, dimensions); ++k)
        values.push_back(sums[point].weight > 0 ? sums[point].value[k] / sums[point].weight : 0);
  }
}

template std::vector<ProbePoint<float, 1>> probe_points(const Probe&, const Lattice&, double);
template std::vector<ProbePoint<double, 1>> probe_points(const Probe&, const Lattice&, double);
template std::vector<ProbePoint<float, 2>> probe_points(const Probe&, const Lattice&, double);
template std::vector<ProbePoint<float, 3>> probe_points(const Probe&, const Lattice&, double);
template std::vector<ProbePoint<double, 2>> probe_points(const Probe&, const Lattice&, double);
template std::vector<ProbePoint<double, 3>> probe_points(const Probe&, const Lattice&, double);

}  // namespace shoal::sph
