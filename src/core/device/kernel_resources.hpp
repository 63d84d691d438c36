// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace shoal {

/// Resources that the compiler gave to a CUDA kernel.
struct KernelResources {
  static constexpr int max_registers = 255;  ///< Limit of a thread, from compute capability 3.5 on.

  std::string kernel;
  int registers = 0;              ///< Registers of a thread.
  std::int64_t local_bytes = 0;   ///< Local memory of a thread: spilled registers and arrays that have none.
  std::int64_t shared_bytes = 0;  ///< Static shared memory of a block.
};

}  // namespace shoal
