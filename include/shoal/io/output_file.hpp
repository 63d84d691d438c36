// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

/// Checks of output files and output folders before they are written.
namespace shoal::io {

/// Requires that a name is valid as the name of one file or folder: at most 100 letters, digits, _, - and ., the first
/// one no dot. A path is not such a name, so the file cannot lie outside its folder.
/// @param what  origin of the name, for the message: "case.toml:14: `probe.0.name`"
/// @throws Error  the name is not valid
void require_file_name(const std::string& name, const std::string& what);

/// Requires that an output file replaces no file that was read to make it, and no other file unless `force`. Files are
/// compared by device and inode, so that links to an input count as that input.
/// @param inputs  files that are read
/// @param force   true: an existing file may be replaced, unless it is an input
/// @throws Error  the output is an input, a folder, or an existing file
void require_output_file(const std::filesystem::path& output, const std::vector<std::filesystem::path>& inputs,
                         bool force);

/// Requires that none of several outputs replaces a file that is read to make them.
/// @throws Error  names the input
void require_not_replaced(const std::vector<std::filesystem::path>& inputs,
                          const std::vector<std::filesystem::path>& outputs);

/// Returns true if two paths name the same file: device and inode are the same, or no file exists and the paths are the
/// same without links and dots. An empty path names no file.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// Returns the name of a folder without its path; also for ".", ".." and a path that ends with a separator.
std::string folder_name(const std::filesystem::path& folder);

}  // namespace shoal::io
