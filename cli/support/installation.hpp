// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

// Files and programs that come with this program.
namespace shoal::cli {

/// Folder that comes with this program: the first of `folders` that exists and contains `file`, relative to any folder
/// above the program. An installation has such folders in share/shoal, a source tree around the build folder.
std::optional<std::filesystem::path> installed_folder(std::initializer_list<const char*> folders, const char* file);

/// Path of a program in the folder of this program; its name alone, for a search on PATH, if there is none.
std::string sibling_program(const std::string& name);

/// Replaces this process by `program`, searched on PATH unless it is a path. Returns the error number if that fails.
int execute(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace shoal::cli
