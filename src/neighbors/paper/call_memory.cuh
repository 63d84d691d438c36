// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <initializer_list>
#include <vector>

#include "core/cuda/launch.cuh"
#include "core/memory/memory.hpp"
#include "core/memory/scratch.hpp"

namespace shoal::neighbors {

/// Device memory of one call: arrays of a Scratch, which keeps them for the next call (the device memory pool of the
/// paper), or cudaMalloc() and cudaFree() in every call.
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
  /// Returns memory of the same kind for a part of the call. No array of this object may be made before its end.
  CallMemory part() { return CallMemory(scratch_, pool_); }

  /// Makes an uninitialized array.
  /// @param what         name of the array in messages
  /// @param extents      factors of the number of elements
  /// @throws OutOfMemory the device lacks the memory; the message gives the need and the free memory
  template <class T>
  T* array(const char* what, std::initializer_list<std::int64_t> extents) {
    double bytes = sizeof(T);
    std::int64_t count = 1;
    for (const std::int64_t extent : extents) {
      bytes *= static_cast<double>(extent);
      if (bytes > max_bytes) throw_too_large(what, extents, sizeof(T), 0);
      count *= extent;
    }
    try {
      return pool_ ? frame_.array<T>(count).data
                   : static_cast<T*>(allocate(static_cast<std::size_t>(count) * sizeof(T)));
    } catch (const OutOfMemory&) {
      throw_too_large(what, extents, sizeof(T), static_cast<std::uint64_t>(count) * sizeof(T));
    }
  }

 private:
  static constexpr double max_bytes = 1e18;  ///< Far below the overflow of 64 bits.

  void* allocate(std::size_t bytes) {
    void* pointer = nullptr;
    cudaError_t result = cudaMalloc(&pointer, std::max<std::size_t>(bytes, 1));
    if (result == cudaErrorMemoryAllocation) {  // the memory pool of CUDA may hold unused memory
      cudaMemPool_t pool = nullptr;
      cudaGetLastError();
      queue().wait();
      SHOAL_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, queue().device().index));
      SHOAL_CUDA_CHECK(cudaMemPoolTrimTo(pool, 0));
      result = cudaMalloc(&pointer, bytes);
    }
    if (result == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      throw_out_of_memory(queue().name(), bytes, memory_info(queue()));
    }
    SHOAL_CUDA_CHECK(result);
    owned_.push_back(pointer);
    return pointer;
  }

  /// @param bytes  0: the number exceeds max_bytes
  [[noreturn]] void throw_too_large(const char* what, std::initializer_list<std::int64_t> extents, std::size_t each,
                                    std::uint64_t bytes) const {
    std::vector<std::string> factors;
    for (const std::int64_t extent : extents) factors.push_back(text(extent));
    const MemoryInfo room = memory_info(queue());
    throw OutOfMemory(text("neighbors: ", what, " needs ", join(factors, " x "), " x ", each, " bytes",
                           bytes > 0 ? " = " + bytes_text(bytes) : "", ", and ", queue().name(), " has ",
                           bytes_text(room.free), " free of ", bytes_text(room.total),
                           ". Use the method `rows`, whose memory grows with the points and the list only."));
  }

  Scratch& scratch_;
  ScratchFrame frame_;
  bool pool_;
  std::vector<void*> owned_;
};

}  // namespace shoal::neighbors
