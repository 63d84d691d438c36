// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <functional>
#include <memory>

#include "core/text.hpp"
#include "support/owning_capsule.hpp"

namespace shoal::python {

namespace nb = nanobind;

/// Plans whose results are views of their memory. No result is overwritten or freed while a Python array refers to it.
///
/// Two plans alternate: a loop that holds one result while it computes the next one allocates nothing. A caller who
/// holds more results makes further plans necessary.
template <class Plan>
class AlternatingPlans {
 public:
  explicit AlternatingPlans(std::function<std::unique_ptr<Plan>()> make) : make_(std::move(make)), current_(make_()) {}

  /// Plan of the latest results.
  Plan& current() { return *current_; }

  /// Makes a plan without live results the current one, and returns it.
  Plan& unshared() {
    if (current_.use_count() > 1) {
      std::swap(current_, spare_);
      if (!current_ || current_.use_count() > 1) current_ = make_();
    }
    return *current_;
  }

  /// Replaces the plans by a new one.
  void remake() {
    current_ = make_();
    spare_ = nullptr;
  }

  /// Owner for arrays of the current plan's memory: while it exists, that memory does not change.
  nb::capsule owner() const { return owning_capsule(std::make_unique<std::shared_ptr<Plan>>(current_)); }

 private:
  std::function<std::unique_ptr<Plan>()> make_;
  std::shared_ptr<Plan> current_, spare_;
};

/// Guard of a plan in use. A second guard of the same plan throws.
class BusyGuard {
 public:
  BusyGuard(const char* operation, std::atomic_flag& busy) : busy_(busy) {
    require(!busy_.test_and_set(), operation,
            ": this plan is in use by another thread, or by the call that runs this callback. Create one plan for each "
            "thread.");
  }
  ~BusyGuard() { busy_.clear(); }
  BusyGuard(const BusyGuard&) = delete;
  BusyGuard& operator=(const BusyGuard&) = delete;

 private:
  std::atomic_flag& busy_;
};

}  // namespace shoal::python
