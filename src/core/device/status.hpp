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

/// Fault that kernels record when they find bad input: the smallest index of a faulty item and the kind of its fault.
/// The smallest index wins for any order of the threads, so the message is the same on every run and device.
struct Status {
  static constexpr unsigned long long none = ~0ull;
  unsigned long long first = none;  ///< index << 8 | kind
  double value[3] = {};             ///< values of the item, written by the operation after the check of all items
};

/// Records that item `index` has fault `kind` (an enumeration of the operation, 0 to 255).
SHOAL_HD void record(Status* status, std::int64_t index, int kind) {
  const unsigned long long word = (static_cast<unsigned long long>(index) << 8) | static_cast<unsigned long long>(kind);
#ifdef __CUDA_ARCH__
  atomicMin(&status->first, word);
#else
  std::atomic_ref<unsigned long long> first(status->first);
  unsigned long long current = first.load(std::memory_order_relaxed);
  while (word < current && !first.compare_exchange_weak(current, word, std::memory_order_relaxed)) {
  }
#endif
}

/// A status word on the device of a queue, checked by `Queue::wait()`.
class StatusBlock {
 public:
  /// Message of an operation about fault `kind` of item `index`; `value` are the recorded values.
  using Explain = std::function<std::string(int kind, std::int64_t index, const double* value)>;

  StatusBlock(const Queue& queue, Explain explain);

  Status* device_pointer() { return memory_.data(); }
  std::int64_t bytes() const { return memory_.bytes(); }

  /// Reads and clears the word. Returns the message of `explain`, or nothing if there is no fault. The queue's work must
  /// have ended.
  std::optional<std::string> take();

 private:
  Queue queue_;
  Array<Status> memory_;
  Explain explain_;
};

/// A status block that every later `wait()` of the queue checks as long as the returned pointer or a copy exists.
std::shared_ptr<StatusBlock> watch_status(const Queue& queue, StatusBlock::Explain explain);

}  // namespace shoal
