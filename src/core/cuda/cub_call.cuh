// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "core/cuda/launch.cuh"
#include "core/memory/scratch.hpp"

namespace shoal {

/// Runs a CUB algorithm with its temporary storage from `scratch`. `algorithm(storage, bytes)` is called twice: first
/// with a null pointer, to query the size.
template <class Algorithm>
void call_cub(Scratch& scratch, Algorithm&& algorithm) {
  std::size_t bytes = 0;
  SHOAL_CUDA_CHECK(algorithm(nullptr, bytes));
  ScratchFrame frame(scratch);
  const auto storage = frame.array<std::byte>(static_cast<std::int64_t>(bytes > 0 ? bytes : 1));
  SHOAL_CUDA_CHECK(algorithm(static_cast<void*>(storage.data), bytes));
}

}  // namespace shoal
