// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph/case.hpp>

#include <filesystem>

namespace shoal::io {

/// Returns the region that the faces of a mesh file enclose, as a shape for bodies and walls. The file is STL or
/// another format of docs/meshes.md. All markers of the file belong to the surface; points move to x = scale · x_file +
/// move.
///
/// Cost: the file is read and its edges are matched once. A query of a point costs as much as a signed WallDistance.
/// @throws Error  the errors of read_mesh(); the surface is not closed: gives the number of open edges and the first
///                one
std::shared_ptr<const sph::ClosedSurface> closed_surface(const std::filesystem::path& file, double scale = 1,
                                                         const sph::Vector& move = {});

/// Reads the surfaces, particles and motions that a case names and has not read yet.
/// @param folder  base of relative file names, which become absolute
/// @throws Error  the errors of closed_surface() and read_points(); missing columns
void read_geometry(sph::Case& simulation, const std::filesystem::path& folder);

}  // namespace shoal::io
