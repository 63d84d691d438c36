// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_file.hpp>

// One reader for each kind of mesh file; read_mesh() selects the reader.
namespace shoal::io {

/// SU2's native text: zones, elements, points, markers.
MeshFile read_su2_mesh(const std::filesystem::path& file, const MeshFileOptions& options);

/// STL, text or binary: triangles in 3-D.
MeshFile read_stl_mesh(const std::filesystem::path& file, const MeshFileOptions& options);

/// Wavefront OBJ: polygons in 3-D, or lines in 2-D, in groups.
MeshFile read_obj_mesh(const std::filesystem::path& file, const MeshFileOptions& options);

/// PLY, text or binary: polygons in 3-D.
MeshFile read_ply_mesh(const std::filesystem::path& file, const MeshFileOptions& options);

/// Plot3D: structured blocks as text, Fortran's unformatted records or raw numbers. Its source file also has
/// index_wall().
MeshFile read_plot3d_mesh(const std::filesystem::path& file, const MeshFileOptions& options);

/// gmsh's MSH 2.2 and 4.1, text or binary.
MeshFile read_gmsh_mesh(const std::filesystem::path& file, const MeshFileOptions& options);

/// Fluent, text or binary: faces between cells, as polyhedra or, in 2-D, polygons.
MeshFile read_fluent_mesh(const std::filesystem::path& file, const MeshFileOptions& options);

/// The format of gmsh or that of Fluent, which share an extension; the first character determines which.
MeshFile read_msh_mesh(const std::filesystem::path& file, const MeshFileOptions& options);

/// VTK's legacy files, text or binary: UNSTRUCTURED_GRID or POLYDATA.
MeshFile read_vtk_legacy_mesh(const std::filesystem::path& file, const MeshFileOptions& options);

/// VTK's XML UnstructuredGrid or PolyData, serial.
MeshFile read_vtk_xml_mesh(const std::filesystem::path& file, const MeshFileOptions& options);

/// CGNS: all zones of all bases; requires a build with the CGNS library.
MeshFile read_cgns_mesh(const std::filesystem::path& file, const MeshFileOptions& options);

/// OpenFOAM: a case, its polyMesh folder, or the parts of a decomposed case.
/// @param path  a folder, or a file such as case.foam in the folder of the case
MeshFile read_openfoam_mesh(const std::filesystem::path& path, const MeshFileOptions& options);

/// Version of the CGNS library, such as "3.4.0"; empty without it.
std::string cgns_version();

}  // namespace shoal::io
