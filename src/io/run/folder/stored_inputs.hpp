// SPDX-License-Identifier: Apache-2.0
// Copies of the files that a case reads, in the output folder, so that the folder can be moved, resumed and run again.
#pragma once
#include <shoal/io/case_kinds.hpp>
#include <shoal/io/relaxation.hpp>
#include <shoal/io/wall_motion.hpp>
#include <shoal/sph/case.hpp>

#include <filesystem>

namespace shoal::io {

/// @name Files that a case reads
/// @{
std::vector<std::filesystem::path> input_files(const sph::Case& simulation);
std::vector<std::filesystem::path> input_files(const wall_motion::Case& simulation);
std::vector<std::filesystem::path> input_files(const relaxation::Case& simulation);
/// @}

/// Returns the case file and the files that the case reads.
template <class Case>
std::vector<std::filesystem::path> files_read(const CaseSource& source, const Case& simulation) {
  std::vector<std::filesystem::path> files = input_files(simulation);
  files.insert(files.begin(), source.file);
  return files;
}

/// @name Copies the files that a case reads into `folder`/inputs, and makes the paths of the case relative to `folder`.
/// A file that is there already stays. `text` of the case is written anew.
/// @throws Error  a file cannot be copied
/// @{
void store_inputs(const std::filesystem::path& folder, sph::Case& simulation);
void store_inputs(const std::filesystem::path& folder, wall_motion::Case& simulation);
void store_inputs(const std::filesystem::path& folder, relaxation::Case& simulation);
/// @}

/// Makes the paths of a case relative to `folder` where `folder`/inputs has a copy with the same content.
void use_stored_inputs(const std::filesystem::path& folder, sph::Case& simulation);

}  // namespace shoal::io
