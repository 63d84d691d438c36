// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

#include <cstddef>
#include <cstdint>

// A scan on a GPU that can be captured into a graph: it allocates nothing. Built with CUDA only.
namespace shoal::cuda {

/// Bytes of scratch memory for scan_counts of so many counts.
std::size_t scan_counts_bytes(const Queue& queue, std::int64_t count);

/// starts[i] = counts[0] + ... + counts[i - 1]
/// @param scratch  [scan_counts_bytes] of the queue's device
/// @param counts   [count] their sum is less than 2^31
/// @param starts   [count]
void scan_counts(const Queue& queue, std::byte* scratch, const std::int32_t* counts, std::int32_t* starts,
                 std::int64_t count);

}  // namespace shoal::cuda
