// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <mutex>
#include <utility>

namespace shoal {

/// Carries the first exception out of a parallel region or of a function with SHOAL_CPU_VARIANTS, which it could not
/// leave: g++ assumes that such functions do not throw, and the program would end.
class FirstException {
 public:
  /// Stores the current exception; to be called within catch (...).
  void keep_current() noexcept {
    const std::lock_guard lock(mutex_);
    if (!first_) first_ = std::current_exception();
  }

  /// Calls work() in a thread of a parallel region and stores its exception.
  template <class Work>
  void guard(Work&& work) noexcept {
    try {
      work();
    } catch (...) {
      keep_current();
    }
  }

  /// Throws the stored exception, if there is one.
  void rethrow() {
    if (first_) std::rethrow_exception(std::exchange(first_, nullptr));
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

}  // namespace shoal
