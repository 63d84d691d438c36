// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Files and programs that come with this program.
namespace shoal::cli {

/// Path of the file of this program.
std::filesystem::path this_program();

/// Folder `name` that comes with this program, if it contains `file`: it is in ../share/shoal of the program's folder, in ..
/// for the program of a wheel, or in ../../shoal for that of its plugin, whose folder is shoal_cuda13. No other place is
/// searched, since the user of another folder may have written there.
std::optional<std::filesystem::path> installed_folder(const std::string& name, const char* file);

/// Path of a program in the folder of this program; its name alone, for a search on PATH, if there is none.
std::string sibling_program(const std::string& name);

/// Replaces this process by `program`, searched on PATH unless it is a path. Returns the error number if that fails.
int execute(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace shoal::cli
