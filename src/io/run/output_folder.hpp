// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

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

/// Requires that no file of a run in `folder` is the case file that it is read from.
/// @throws Error  names the file
void require_not_replaced(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace shoal::io
