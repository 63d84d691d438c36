// SPDX-License-Identifier: Apache-2.0
#include "core/memory/block_copy.hpp"

#include <cstring>

#include "core/device/queue_state.hpp"

namespace shoal {

void copy_blocks(const Queue& queue, void* destination, const Blocks& written, const void* source, const Blocks& read,
                 std::size_t count) {
  if (count == 0 || read.bytes == 0) return;
#ifdef SHOAL_CUDA
  if (!queue.on_cpu())
    return cuda_runtime::copy_blocks(queue.state(), destination, written.apart, source, read.apart, read.bytes, count);
#else
  (void)queue;
#endif
  for (std::size_t block = 0; block < count; ++block)
    std::memcpy(static_cast<char*>(destination) + block * written.apart,
                static_cast<const char*>(source) + block * read.apart, read.bytes);
}

}  // namespace shoal
