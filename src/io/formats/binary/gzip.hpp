// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace shoal::io {

/// Decompresses the content of a .gz file of one part or several.
/// @param file  name of the file for messages
/// @throws Error  the content is no gzip, is damaged, or ends too early
std::string unpack_gzip(std::string_view packed, const std::filesystem::path& file);

/// Compresses bytes as the content of a .gz file. The result has no name and no time, so equal bytes give equal files.
std::string pack_gzip(std::string_view bytes);

}  // namespace shoal::io
