// SPDX-License-Identifier: Apache-2.0
// Rows of the tables of a flow of gas, and its cells as a mesh.
#pragma once
#include <shoal/gas.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace shoal::io::gas {

/// Faces of the cells along each axis, m.
using AxisFaces = std::vector<std::vector<double>>;

/// Faces of the cells of a flow along all axes.
template <class Real>
AxisFaces faces_of(const Gas<Real>& flow) {
  AxisFaces faces;
  for (int axis = 0; axis < flow.dimensions(); ++axis) faces.push_back(flow.faces(axis));
  return faces;
}

/// Names of the columns of a profile along an axis.
std::vector<std::string> profile_columns(std::size_t axis);
/// Names of the columns of the table of fluxes: the residual, the mass and the fluxes through all sides.
std::vector<std::string> flux_columns(std::size_t dimensions, int species);
inline constexpr std::size_t residual_column = 2, mass_column = 3;  // of that table

std::vector<double> centers_of(const std::vector<double>& faces);

/// Mass of all cells, m⁻², in a plane m⁻¹.
double mass_of(const AxisFaces& faces, const std::vector<VelocityMoments>& moments);

/// Moments along an axis: of all cells of a line; in a plane on the line through its center, by linear interpolation
/// between the cells beside it.
std::vector<VelocityMoments> center_profile(const AxisFaces& faces, const std::vector<VelocityMoments>& moments,
                                            std::size_t axis);

/// Row of a profile.
std::vector<double> profile_row(const GasClock& clock, double place, const VelocityMoments& moments);

/// Writes the cells of a plane with their moments (VTKHDF).
/// @throws Error  disk full or not writable
void write_plane(const std::filesystem::path& file, const AxisFaces& faces,
                 const std::vector<VelocityMoments>& moments);

}  // namespace shoal::io::gas
