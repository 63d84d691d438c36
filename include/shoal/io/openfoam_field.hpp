// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>
#include <shoal/io/mesh_file.hpp>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace shoal::io {

/// Form of the numbers in a file of OpenFOAM.
enum class OpenFoamFormat {
  mesh,   ///< text or raw numbers, and their size, as in the file `points` of the mesh
  ascii,  ///< text, in the shortest form that reads back as the same value
  binary  ///< raw double
};

/// Scalar field on the cells of an OpenFOAM case.
struct OpenFoamField {
  std::string time = "0";             ///< name of the time folder
  std::string name = "wallDistance";  ///< name of the field and of its file
  /// Patches on which the field is 0. Those of constraint types (empty, cyclic, processor, ...) keep their type, all
  /// others are zeroGradient.
  std::vector<std::string> zero_patches = {};
  std::array<int, 7> dimensions = {0, 1, 0, 0, 0, 0, 0};  ///< exponents of kg, m, s, K, mol, A, cd
  OpenFoamFormat format = OpenFoamFormat::mesh;
};

/// Returns the files that write_openfoam_field() writes: TIME/NAME in the folder of the case, or in that of each
/// processor, or in the collated folder of several, with .gz if the file `points` of the mesh has it. Callers check before a long computation.
/// @throws Error  no mesh; a time or name that is no name for a file
std::vector<std::filesystem::path> openfoam_field_files(const std::filesystem::path& mesh, const OpenFoamField& field,
                                                        bool decomposed = false);

/// Writes a volScalarField beside a mesh, or beside each part of a decomposed mesh. OpenFOAM takes the values as those at
/// the centroids of cells. Folders that lack are made; a file replaces an existing one when it is complete.
///
/// Cost: reads the mesh's faces for the number of its cells; the bytes of the values once to disk, assembled in memory.
/// @param mesh        path for read_mesh()
/// @param value       [cells] in host memory, contiguous, in the order of read_mesh()
/// @param decomposed  as MeshFileOptions::decomposed
/// @throws Error  the errors of read_mesh() and openfoam_field_files(); a number of values other than that of cells; a
///                value that is not finite; a zero patch that does not exist; disk full or not writable
void write_openfoam_field(const std::filesystem::path& mesh, const OpenFoamField& field, View<const double> value,
                          bool decomposed = false);

}  // namespace shoal::io

namespace shoal {

template <>
inline constexpr auto enumerator_names<io::OpenFoamFormat> = std::array<std::string_view, 3>{"mesh", "ascii", "binary"};

}  // namespace shoal
