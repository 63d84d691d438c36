// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace shoal::io {

/// Makes a folder for the output of a run.
/// @throws Error  it has files and `force` is false; it cannot be made or written
void make_output_folder(const std::filesystem::path& folder, bool force);

/// Its last part, for people.
std::string name_of(const std::filesystem::path& folder);

/// Replaces a text file.
void write_text(const std::filesystem::path& path, const std::string& content);

}  // namespace shoal::io
