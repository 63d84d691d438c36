// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shoal::testing_support {

/// Number of large allocations of this thread that still succeed, by `new`; negative: all. Large are those of 1,024 bytes
/// or more: messages and lists of pieces are smaller.
extern thread_local int allocations_left;

}  // namespace shoal::testing_support
