// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <initializer_list>
#include <vector>

#include "core/launch.cuh"
#include "core/scratch.hpp"

namespace shoal::cuda {

/// Bytes of the current device that an allocation could get: free ones, and those that the stream-ordered pool keeps.
inline double available_bytes(const Queue& queue) {
  std::size_t free = 0;
  std::size_t total = 0;
  cudaMemPool_t pool = nullptr;
  std::uint64_t reserved = 0;
  std::uint64_t used = 0;
  SHOAL_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  SHOAL_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, queue.device().index));
  SHOAL_CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
  SHOAL_CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  return static_cast<double>(free) + static_cast<double>(reserved - used);
}

/// Device memory of one call: the arrays of a scratch, which keeps them for the next call (the paper's device memory
/// pool), or cudaMalloc and cudaFree every time.
class CallMemory {
 public:
  CallMemory(Scratch& scratch, bool pool) : scratch_(scratch), frame_(scratch), pool_(pool) {}
  ~CallMemory() {
    for (void* pointer : owned_) cudaFree(pointer);
  }
  CallMemory(const CallMemory&) = delete;
  CallMemory& operator=(const CallMemory&) = delete;

  const Queue& queue() const { return scratch_.queue(); }
  Scratch& scratch() { return scratch_; }
  /// Memory of the same kind for a part of the call; arrays of this one must wait until its end.
  CallMemory part() { return CallMemory(scratch_, pool_); }

  /// An uninitialised array.
  /// @param what     the method and its array, for messages: "linked_list: the flags"
  /// @param extents  whose product is its count
  /// @throws Error   there is not as much memory; says how much is needed and how much there is
  template <class T>
  T* array(const char* what, std::initializer_list<std::int64_t> extents) {
    double bytes = sizeof(T);
    std::int64_t count = 1;
    for (const std::int64_t extent : extents) {
      bytes *= static_cast<double>(extent);
      if (bytes > 1e18) throw Error(out_of_memory(what, extents, sizeof(T), bytes));
      count *= extent;
    }
    try {
      return pool_ ? frame_.array<T>(count).data
                   : static_cast<T*>(allocate(static_cast<std::size_t>(count) * sizeof(T)));
    } catch (const Error&) {
      throw Error(out_of_memory(what, extents, sizeof(T), bytes));
    }
  }

 private:
  void* allocate(std::size_t bytes) {
    void* pointer = nullptr;
    SHOAL_CUDA_CHECK(cudaMalloc(&pointer, std::max<std::size_t>(bytes, 1)));
    owned_.push_back(pointer);
    return pointer;
  }

  std::string out_of_memory(const char* what, std::initializer_list<std::int64_t> extents, std::size_t each,
                            double bytes) const {
    constexpr double gigabyte = 1e9;
    std::vector<std::string> factors;
    for (const std::int64_t extent : extents) factors.push_back(text(extent));
    return text("neighbors: ", what, " needs ", join(factors, " x "), " x ", each, " bytes = ", bytes / gigabyte,
                " GB, and ", queue().name(), " has ", available_bytes(queue()) / gigabyte,
                " GB. Use the method `rows`, whose memory grows with the points and the list only.");
  }

  Scratch& scratch_;
  ScratchFrame frame_;
  bool pool_;
  std::vector<void*> owned_;
};

}  // namespace shoal::cuda
