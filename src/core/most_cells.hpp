// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace shoal {

/// Largest number of cells of a grid: they are sorted as 32-bit keys, and one more key is for points outside.
inline constexpr std::int64_t most_cells = 2147483646;

}  // namespace shoal
