// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace shoal::io {

/// Bound on the size of data relative to their compressed size: zlib compresses by at most a factor of 1032.
inline constexpr std::uint64_t most_packed = 1100;

}  // namespace shoal::io
