// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>

namespace shoal::io {

/// Makes sure that `file` can grow by `bytes`, so that writing to it does not stop half way.
/// @throws Error  the disk is full, or a quota or limit is reached
void reserve_space(const std::filesystem::path& file, std::uint64_t bytes);

}  // namespace shoal::io
