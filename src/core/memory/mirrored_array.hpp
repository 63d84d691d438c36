// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

#include <algorithm>
#include <span>
#include <type_traits>
#include <vector>

namespace shoal {

/// Values of the host, and their copy on a queue's device. Values that are assigned again are not copied again, since each
/// copy waits for the queue.
template <class T>
class MirroredArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit MirroredArray(const Queue& queue) : queue_(queue), device_(queue, 0) {}

  void assign(std::span<const T> values) {
    if (std::ranges::equal(std::as_bytes(values), std::as_bytes(std::span(host_)))) return;
    host_.clear();  // no values, should the copy fail
    device_.resize(std::ssize(values));
    copy(queue_, View<const T>(values.data(), std::ssize(values)), device_.view());
    host_.assign(values.begin(), values.end());
  }

  /// Values on the device.
  View<const T> view() const { return device_.view(); }
  const T* data() const { return device_.data(); }
  std::int64_t bytes() const { return device_.bytes(); }

 private:
  Queue queue_;
  std::vector<T> host_;
  Array<T> device_;
};

}  // namespace shoal
