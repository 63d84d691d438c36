// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

#include <cstddef>

namespace shoal {

/// Bytes in blocks that lie apart from each other.
struct Blocks {
  std::size_t bytes;  ///< Size of a block.
  std::size_t apart;  ///< Bytes from the start of a block to that of the next.
};

/// Copies blocks of equal size on the queue's device, in the order of the queue, without a wait.
void copy_blocks(const Queue& queue, void* destination, const Blocks& written, const void* source, const Blocks& read,
                 std::size_t count);

}  // namespace shoal
