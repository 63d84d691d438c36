// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>
#include <shoal/io/mesh_values.hpp>

#include <filesystem>
#include <string>

/// Results in the files of flow solvers. `write_openfoam_field` has those of OpenFOAM.
namespace shoal::io {

/// Writes a copy of a CGNS file with an array of values in every zone: a FlowSolution_t of its own, with DataClass_t
/// Dimensional in SI units, which read_mesh() does not need and other programs show beside the file's own.
///
/// Cost: the file once to disk; the library changes the copy in place.
/// @param mesh   a file for read_mesh(), which stays as it is
/// @param out    the copy; it replaces an existing file when it is complete
/// @param name   of the array, as SIDS has it: "TurbulentDistance" is the distance to the nearest wall; at most 32 letters
///               or digits
/// @param part   nodes, or cells: those of a zone follow its elements, which are all polyhedra or none of them
/// @param value  [nodes or cells] in host memory, contiguous, in the order of read_mesh(): m for the default name
/// @throws Error  a build without CGNS; the file cannot be read; another number of values; a value that is not finite; a
///                zone with polyhedra and other cells; a solution that exists; `out` is `mesh`; disk full or not writable
void write_cgns_field(const std::filesystem::path& mesh, const std::filesystem::path& out, const std::string& name,
                      MeshPart part, View<const double> value);

/// Writes a copy of a restart file of SU2 with a field more, behind the others: text of comma-separated values, or binary.
/// Iterations and other metadata behind the table stay as they are.
///
/// Cost: the file is in memory while it is copied.
/// @param restart  .csv or .dat, of one zone; the content determines which
/// @param out      the copy; it replaces an existing file when it is complete
/// @param name     of the field, as "Wall_Distance": at most 32 printable characters without quotes and commas
/// @param value    [points] in host memory, contiguous, in the order of the nodes of the mesh
/// @throws Error  the file is no restart file, or of another order of bytes; a field of that name; another number of values;
///                a value that is not finite; `out` is `restart`; disk full or not writable
void write_su2_field(const std::filesystem::path& restart, const std::filesystem::path& out, const std::string& name,
                     View<const double> value);

}  // namespace shoal::io
