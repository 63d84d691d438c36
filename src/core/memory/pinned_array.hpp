// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

#include <cstdlib>
#include <memory>

namespace shoal {

using PinnedMemory = std::unique_ptr<void, void (*)(void*)>;

/// Host memory that the queue's device accesses without staging: page-locked for CUDA, aligned for the CPU.
/// @throws OutOfMemory  the system cannot lock more memory
PinnedMemory allocate_pinned(const Queue& queue, std::size_t bytes);

/// Copies from the queue's device to memory of allocate_pinned(), in the order of the queue, without a wait.
void copy_to_pinned(const Queue& queue, void* destination, const void* source, std::size_t bytes);

/// Copies from memory of allocate_pinned() to the queue's device, in the order of the queue, without a wait.
void copy_from_pinned(const Queue& queue, void* destination, const void* source, std::size_t bytes);

/// An owning, uninitialized array in page-locked host memory. Allocation is slow, so an array keeps its memory and
/// only grows. The owner waits for copies to the array before it destroys the array.
template <class T>
class PinnedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit PinnedArray(const Queue& queue) : queue_(queue), memory_(nullptr, std::free) {}
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;

  /// Grows the memory only when needed; the contents are lost when it grows.
  /// @throws OutOfMemory  the array is then empty and holds no memory
  void resize(std::int64_t count) {
    if (count < 0 || count > capacity_) {
      const std::size_t bytes = array_bytes(count, sizeof(T));
      count_ = capacity_ = 0;
      memory_.reset();
      memory_ = allocate_pinned(queue_, bytes);
      capacity_ = count;
    }
    count_ = count;
  }

  /// Copies an array on the queue's device, in the order of `queue`, without a wait.
  void copy_from(const Queue& queue, View<const T> source) {
    resize(source.count);
    copy_to_pinned(queue, data(), source.data, static_cast<std::size_t>(count_) * sizeof(T));
  }

  T* data() { return static_cast<T*>(memory_.get()); }
  const T* data() const { return static_cast<const T*>(memory_.get()); }
  std::int64_t count() const { return count_; }
  View<T> view() { return {data(), count_}; }
  View<const T> view() const { return {data(), count_}; }

 private:
  Queue queue_;
  PinnedMemory memory_;
  std::int64_t count_ = 0;
  std::int64_t capacity_ = 0;
};

}  // namespace shoal
