// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <mutex>
#include <utility>

namespace shoal {

/// Brings an exception out of where it cannot go by itself: a parallel region, and a function with SHOAL_CPU_VARIANTS
/// (g++ takes those for functions that do not throw, and ends the program). The first one counts.
class FirstException {
 public:
  /// Within catch (...).
  void keep_current() noexcept {
    const std::lock_guard lock(mutex_);
    if (!first_) first_ = std::current_exception();
  }

  /// Calls work(). For threads of a region.
  template <class Work>
  void guard(Work&& work) noexcept {
    try {
      work();
    } catch (...) {
      keep_current();
    }
  }

  /// Throws what came first, if anything did.
  void rethrow() {
    if (first_) std::rethrow_exception(std::exchange(first_, nullptr));
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

}  // namespace shoal
