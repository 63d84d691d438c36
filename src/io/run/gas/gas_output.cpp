// SPDX-License-Identifier: Apache-2.0
#include "io/run/gas/gas_output.hpp"

#include <shoal/io/mesh_values.hpp>

#include <algorithm>
#include <cstdint>

#include "core/text.hpp"

namespace shoal::io::gas {

namespace {

/// a + share × (b − a) of each moment.
VelocityMoments between(const VelocityMoments& a, const VelocityMoments& b, double share) {
  const auto mixed = [&](double first, double second) { return first + share * (second - first); };
  VelocityMoments result;
  result.density = mixed(a.density, b.density);
  result.temperature = mixed(a.temperature, b.temperature);
  for (std::size_t k = 0; k < a.velocity.size(); ++k) result.velocity[k] = mixed(a.velocity[k], b.velocity[k]);
  for (std::size_t k = 0; k < a.stress.size(); ++k) result.stress[k] = mixed(a.stress[k], b.stress[k]);
  for (std::size_t k = 0; k < a.heat_flux.size(); ++k) result.heat_flux[k] = mixed(a.heat_flux[k], b.heat_flux[k]);
  return result;
}

/// Quadrilaterals between the faces of a plane.
MeshFile mesh_of(const AxisFaces& faces) {
  MeshFile mesh;
  mesh.name = "cells";
  mesh.dimensions = 2;
  for (const double y : faces[1])
    for (const double x : faces[0]) mesh.nodes.x.push_back(x), mesh.nodes.y.push_back(y);
  const auto row = static_cast<std::int64_t>(faces[0].size());
  for (std::int64_t j = 0; j + 1 < static_cast<std::int64_t>(faces[1].size()); ++j)
    for (std::int64_t i = 0; i + 1 < row; ++i) {
      const std::int64_t first = j * row + i;
      mesh.cell_shape.push_back(CellShape::quadrilateral);
      mesh.cell_corners.insert(mesh.cell_corners.end(), {first, first + 1, first + row + 1, first + row});
      mesh.cell_start.push_back(static_cast<std::int64_t>(mesh.cell_corners.size()));
    }
  return mesh;
}

}  // namespace

std::vector<std::string> profile_columns(std::size_t axis) {
  return {"time [s]",
          "iterations",
          axis == 0 ? "x [m]" : "y [m]",
          "density [1/m3]",
          "velocity x [m/s]",
          "velocity y [m/s]",
          "velocity z [m/s]",
          "temperature [m2/s2]",
          "stress xx [1/(m s2)]",
          "stress yy [1/(m s2)]",
          "stress zz [1/(m s2)]",
          "stress xy [1/(m s2)]",
          "stress xz [1/(m s2)]",
          "stress yz [1/(m s2)]",
          "heat flux x [1/s3]",
          "heat flux y [1/s3]",
          "heat flux z [1/s3]"};
}

std::vector<std::string> flux_columns(std::size_t dimensions, int species) {
  const bool plane = dimensions == 2;
  std::vector<std::string> sides = {"left", "right"};
  if (plane) sides.insert(sides.end(), {"bottom", "top"});
  const std::size_t count = species == 2 ? sides.size() : 0;
  for (std::size_t side = 0; side < count; ++side) sides.push_back("second " + sides[side]);
  std::vector<std::string> names = {"time [s]", "iterations", "residual", plane ? "mass [1/m]" : "mass [1/m2]"};
  for (const std::string& side : sides) {
    names.push_back(text(side, plane ? " mass flux [1/(m s)]" : " mass flux [1/(m2 s)]"));
    for (const char* axis : {"x", "y", "z"})
      names.push_back(text(side, " momentum flux ", axis, plane ? " [1/s2]" : " [1/(m s2)]"));
    names.push_back(text(side, plane ? " energy flux [m/s3]" : " energy flux [1/s3]"));
  }
  return names;
}

std::vector<double> centers_of(const std::vector<double>& faces) {
  std::vector<double> centers;
  for (std::size_t i = 0; i + 1 < faces.size(); ++i) centers.push_back((faces[i] + faces[i + 1]) / 2);
  return centers;
}

double mass_of(const AxisFaces& faces, const std::vector<VelocityMoments>& moments) {
  const std::size_t columns = faces[0].size() - 1, rows = faces.size() == 1 ? 1 : faces[1].size() - 1;
  double sum = 0;
  for (std::size_t cell = 0; cell < moments.size(); ++cell) {
    const std::size_t i = cell % columns, j = cell / columns % rows;
    const double height = faces.size() == 1 ? 1 : faces[1][j + 1] - faces[1][j];
    sum += moments[cell].density * (faces[0][i + 1] - faces[0][i]) * height;
  }
  return sum;
}

std::vector<VelocityMoments> center_profile(const AxisFaces& faces, const std::vector<VelocityMoments>& moments,
                                            std::size_t axis) {
  if (faces.size() == 1) return moments;
  const std::vector<double> across = centers_of(faces[1 - axis]);
  const double center = (faces[1 - axis].front() + faces[1 - axis].back()) / 2;
  const auto above = std::upper_bound(across.begin() + 1, across.end() - 1, center);
  const auto second = static_cast<std::size_t>(above - across.begin());
  const double share = (center - across[second - 1]) / (across[second] - across[second - 1]);
  const std::size_t columns = faces[0].size() - 1;
  std::vector<VelocityMoments> profile;
  for (std::size_t k = 0; k + 1 < faces[axis].size(); ++k) {
    const auto cell = [&](std::size_t place) { return moments[axis == 0 ? place * columns + k : k * columns + place]; };
    profile.push_back(between(cell(second - 1), cell(second), share));
  }
  return profile;
}

std::vector<double> profile_row(const GasClock& clock, double place, const VelocityMoments& moments) {
  std::vector<double> row = {clock.time, static_cast<double>(clock.iterations), place, moments.density};
  row.insert(row.end(), moments.velocity.begin(), moments.velocity.end());
  row.push_back(moments.temperature);
  row.insert(row.end(), moments.stress.begin(), moments.stress.end());
  row.insert(row.end(), moments.heat_flux.begin(), moments.heat_flux.end());
  return row;
}

void write_plane(const std::filesystem::path& file, const AxisFaces& faces,
                 const std::vector<VelocityMoments>& moments) {
  const MeshFile mesh = mesh_of(faces);
  const MeshPoints centers = mesh.cell_centers();
  std::vector<double> density, temperature, velocity, heat_flux, stress;
  for (const VelocityMoments& cell : moments) {
    density.push_back(cell.density);
    temperature.push_back(cell.temperature);
    velocity.insert(velocity.end(), cell.velocity.begin(), cell.velocity.end());
    heat_flux.insert(heat_flux.end(), cell.heat_flux.begin(), cell.heat_flux.end());
    stress.push_back(cell.stress[3]);
  }
  write_mesh_values(file, {mesh,
                           MeshPart::cells,
                           centers,
                           {{"density", View<const double>(density)},
                            {"temperature", View<const double>(temperature)},
                            {"velocity", View<const double>(velocity), 3},
                            {"heat_flux", View<const double>(heat_flux), 3},
                            {"stress_xy", View<const double>(stress)}}});
}

}  // namespace shoal::io::gas
