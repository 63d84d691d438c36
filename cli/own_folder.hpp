// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <initializer_list>
#include <optional>

namespace shoal::cli {

/// What comes with this program: the first of `places` that exists and has `inside`, below a folder around the program.
/// Those of an installation are in share/shoal, those of a source tree around the build folder.
std::optional<std::filesystem::path> own_folder(std::initializer_list<const char*> places, const char* inside);

}  // namespace shoal::cli
