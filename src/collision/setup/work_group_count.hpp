// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shoal::collision {

/// Number of work groups of the CPU methods. Each group has its own Q, and the groups are added in order, so that the
/// result has the same bits for any number of threads.
inline constexpr int work_groups = 16;

}  // namespace shoal::collision
