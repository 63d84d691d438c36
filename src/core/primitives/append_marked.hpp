// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace shoal {

/// Elements that append_marked() reads past the end of `numbers` and `marks`, and may overwrite past the end of its result.
inline constexpr std::int64_t append_group = 8;

/// Copies numbers[j] where marks[j] is 1, for j below count, in order. Returns the end of the copies. The instruction set
/// is chosen when the program starts, and does not change the result.
/// @param marks  [count rounded up to append_group] 0 or 1; 0 from `count` on
/// @param end    [number of marks + append_group] where the first copy is written
std::int32_t* append_marked(const std::int32_t* numbers, const std::int32_t* marks, std::int64_t count,
                            std::int32_t* end);

}  // namespace shoal
