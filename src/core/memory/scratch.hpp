// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

#include <cstddef>
#include <deque>
#include <utility>

namespace shoal {

/// Temporary memory that a plan keeps, used as a stack of arrays.
///
/// The k-th array on the stack always has the same memory, which only grows. Repeated work of the same sizes allocates
/// nothing, keeps its pointers, and can be captured in a CUDA graph. Memory is reused in the order of the queue, so no
/// wait is needed. One scratch serves one queue.
class Scratch {
 public:
  explicit Scratch(Queue queue) : queue_(std::move(queue)) {}

  const Queue& queue() const { return queue_; }

  /// Bytes that the scratch holds.
  std::int64_t bytes() const {
    std::int64_t total = 0;
    for (const Array<std::byte>& slot : slots_) total += slot.bytes();
    return total;
  }

 private:
  friend class ScratchFrame;
  Queue queue_;
  std::deque<Array<std::byte>> slots_;
  std::size_t used_ = 0;
};

/// Arrays of one scope, which return to the scratch at its end.
class ScratchFrame {
 public:
  explicit ScratchFrame(Scratch& scratch) : scratch_(scratch), used_before_(scratch.used_) {}
  ~ScratchFrame() { scratch_.used_ = used_before_; }
  ScratchFrame(const ScratchFrame&) = delete;
  ScratchFrame& operator=(const ScratchFrame&) = delete;

  /// An uninitialized array on the device of the scratch's queue.
  template <class T>
  View<T> array(std::int64_t count) {
    if (scratch_.used_ == scratch_.slots_.size()) scratch_.slots_.emplace_back(scratch_.queue_, 0);
    Array<std::byte>& slot = scratch_.slots_[scratch_.used_++];
    slot.resize(count * static_cast<std::int64_t>(sizeof(T)));
    return {reinterpret_cast<T*>(slot.data()), count, scratch_.queue_.device()};
  }

 private:
  Scratch& scratch_;
  std::size_t used_before_;
};

}  // namespace shoal
