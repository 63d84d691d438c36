// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>

namespace shoal::io {

/// Reserves disk space for `bytes` more bytes of `file`, so that a write does not fail half way.
/// @throws Error  if the disk is full, or a quota or limit is reached
void reserve_space(const std::filesystem::path& file, std::uint64_t bytes);

}  // namespace shoal::io
