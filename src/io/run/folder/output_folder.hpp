// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/case_kinds.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace shoal::io {

/// @name Names of files in the folder of a run
/// @{
inline constexpr const char* case_file_name = "case.toml";
inline constexpr const char* restart_file_name = "restart.h5";
inline constexpr const char* summary_file_name = "summary.json";
/// @}

/// Creates the output folder of a run.
/// @throws Error  the folder has files and `force` is false; the folder cannot be created or written
void make_output_folder(const std::filesystem::path& folder, bool force);

/// Returns the paths of the files that a run of kind = "sph" replaces: its own, and the fields of an earlier run in the
/// other format.
std::vector<std::filesystem::path> replaced_files(const std::filesystem::path& folder, const sph::Case& simulation);

/// Removes files of an earlier run.
void remove_files(const std::vector<std::filesystem::path>& files);

/// Returns the paths of files in a folder.
std::vector<std::filesystem::path> paths_in(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Requires that a new run replaces no file that it reads, and that its log is a file of its own.
/// @param inputs   files that the run reads: the case file and those that it names
/// @param outputs  files that the run removes or writes, without the log
/// @throws Error  names the file
void require_separate_files(const std::vector<std::filesystem::path>& inputs,
                            const std::vector<std::filesystem::path>& outputs, const RunTarget& target);

/// Requires that a log is none of the files that the run reads or writes.
/// @throws Error  names the log
void require_own_log(const std::filesystem::path& log, const std::vector<std::filesystem::path>& files);

}  // namespace shoal::io
