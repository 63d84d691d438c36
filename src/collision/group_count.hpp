// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shoal {

/// Work is dealt out to so many groups, each with a Q of its own, which are added in order at the end: the same bits
/// for any number of threads.
inline constexpr int collision_groups = 16;

}  // namespace shoal
