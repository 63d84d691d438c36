// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_file.hpp>

#include <span>

namespace shoal::io {

/// Faces of a cell, each with its corners in order around it.
using FacesOfCell = std::vector<std::vector<std::int64_t>>;

/// Appends a cell that its corners determine, in VTK's order.
void append_cell(MeshFile& mesh, CellShape shape, std::span<const std::int64_t> corners);

/// Appends a cell that its faces determine: a standard solid if they are the faces of one, otherwise a polyhedron.
/// @param faces  the normals point out of the cell
void append_cell(MeshFile& mesh, const FacesOfCell& faces);

/// Removes the offsets of the faces of polyhedra if there are no polyhedra.
void finish_polyhedra(MeshFile& mesh);

/// Reverses faces of a cell so that all normals point outwards. Two faces with a common edge go along it in opposite
/// directions, and the volume is positive. Faces without a common edge keep their order relative to each other, and a cell
/// without volume keeps that of its first face.
/// @return  false if the edges of some faces contradict each other; the faces then have any order
bool orient_outwards(const MeshPoints& nodes, FacesOfCell& faces);

}  // namespace shoal::io
