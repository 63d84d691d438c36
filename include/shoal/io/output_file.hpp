// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

/// Checks of output files and output folders before they are written.
namespace shoal::io {

/// Requires that a name is valid as the name of one file or folder: at most 100 letters, digits, _, - and ., the first
/// one no dot. A path is not such a name, so the file cannot lie outside its folder.
/// @param what  origin of the name, for the message: "case.toml:14: `probe.0.name`"
/// @throws Error  the name is not valid
void require_file_name(const std::string& name, const std::string& what);

/// Returns the name of a folder without its path; also for ".", ".." and a path that ends with a separator.
std::string folder_name(const std::filesystem::path& folder);

}  // namespace shoal::io
