// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <shoal/item/host_device.hpp>
#ifndef __CUDA_ARCH__
#include <atomic>
#endif

namespace shoal {

/// What kernels write when they meet bad input: the offender with the smallest index, and what is wrong with it.
/// The smallest index wins whatever the order of threads, so the message is the same on every run and device.
struct Status {
  static constexpr unsigned long long none = ~0ull;
  unsigned long long first = none;  ///< index << 8 | kind
  double value[3] = {};             ///< what was found there, written by the operation after all items were seen
};

/// Notes that item `index` has fault `kind` (an operation's own enum, 0 to 255).
SHOAL_HD void record(Status* status, std::int64_t index, int kind) {
  const unsigned long long word = (static_cast<unsigned long long>(index) << 8) | static_cast<unsigned long long>(kind);
#ifdef __CUDA_ARCH__
  atomicMin(&status->first, word);
#else
  std::atomic_ref<unsigned long long> first(status->first);
  unsigned long long seen = first.load(std::memory_order_relaxed);
  while (word < seen && !first.compare_exchange_weak(seen, word, std::memory_order_relaxed)) {
  }
#endif
}

/// A status word on the device of a queue, checked by `Queue::wait()`.
class StatusBlock {
 public:
  /// What an operation says about fault `kind` of item `index`; `value` is what was recorded with it.
  using Explain = std::function<std::string(int kind, std::int64_t index, const double* value)>;

  StatusBlock(const Queue& queue, Explain explain);

  Status* device_pointer() { return memory_.data(); }
  std::int64_t bytes() const { return memory_.bytes(); }

  /// Reads the word back and clears it. What `explain` makes of a fault; nothing if there was none. For use when the
  /// queue's work has ended.
  std::optional<std::string> take();

 private:
  Queue queue_;
  Array<Status> memory_;
  Explain explain_;
};

/// A status block that the next `wait()` of the queue, and every later one, checks as long as somebody holds it.
std::shared_ptr<StatusBlock> watch_status(const Queue& queue, StatusBlock::Explain explain);

}  // namespace shoal
