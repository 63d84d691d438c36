// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph_case.hpp>

#include <filesystem>

namespace shoal::io {

/// What the faces of a mesh file enclose, as a shape for bodies and walls: STL and what else docs/meshes.md lists. All
/// walls of the file count; x = scale · x of the file + move.
///
/// Cost: the file is read, and its edges joined, once; a point is asked about as in WallDistance with signs.
/// @throws Error  what read_mesh() throws; the surface leaks: says how many edges are open, and where the first is
std::shared_ptr<const sph::ClosedSurface> closed_surface(const std::filesystem::path& file, double scale = 1,
                                                         const sph::Vector& move = {});

/// Reads the surfaces and particles that a case names and does not have yet.
/// @param folder  that relative names start from; they are made absolute
/// @throws Error  what closed_surface() and read_points() throw, or columns that are missing
void read_geometry(sph::Case& simulation, const std::filesystem::path& folder);

}  // namespace shoal::io
