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

/// Statuses on the device of a queue, side by side, so that one copy reads all of them.
class StatusPage {
 public:
  static constexpr int statuses = 64;

  explicit StatusPage(const Queue& queue);

  /// Takes a status that is not in use, and clears it in the order of the queue. Returns -1 if all are in use.
  int take_status();
  /// Returns a status, which work of the queue may still write.
  void return_status(int number) { in_use_ &= ~bit(number); }

  Status* device_pointer(int number) { return memory_.data() + number; }

  /// Waits for the queue, and reads the statuses.
  void fetch();
  /// Value of a status at the last fetch().
  const Status& fetched(int number) const { return fetched_[number]; }
  /// Clears a status, in the order of the queue.
  void clear(int number);

 private:
  static std::uint64_t bit(int number) { return std::uint64_t{1} << number; }

  Queue queue_;
  Array<Status> memory_;
  Status fetched_[statuses];
  std::uint64_t in_use_ = 0;
};

/// A status on the device of a queue, checked by `Queue::wait()`.
class StatusBlock {
 public:
  /// Message of an operation about fault `kind` of item `index`; `value` are the recorded values.
  using Explain = std::function<std::string(int kind, std::int64_t index, const double* value)>;

  StatusBlock(const Queue& queue, Explain explain);
  ~StatusBlock() { page_->return_status(number_); }
  StatusBlock(const StatusBlock&) = delete;
  StatusBlock& operator=(const StatusBlock&) = delete;

  Status* device_pointer() { return page_->device_pointer(number_); }
  std::int64_t bytes() const { return sizeof(Status); }

  /// Waits for the queue, then reads and clears the status. Returns the message of `explain`, or nothing if there is no
  /// fault.
  std::optional<std::string> take();
  /// Does the same with the status that its page has fetched.
  std::optional<std::string> take_fetched();

 private:
  std::shared_ptr<StatusPage> page_;
  int number_;
  Explain explain_;
};

/// A status block that every later `wait()` of the queue checks as long as the returned pointer or a copy exists.
std::shared_ptr<StatusBlock> watch_status(const Queue& queue, StatusBlock::Explain explain);

}  // namespace shoal
