// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <functional>
#include <memory>

#include "core/text.hpp"
#include "keep.hpp"

namespace shoal::python {

namespace nb = nanobind;

/// A plan whose results are views of its memory, for callers who keep results: what was handed out is never
/// overwritten by the next search, nor freed.
///
/// Two plans take turns. A loop that holds one result while it asks for the next one allocates nothing; who keeps more
/// results keeps their memory.
template <class Plan>
class Plans {
 public:
  explicit Plans(std::function<std::unique_ptr<Plan>()> make) : make_(std::move(make)), current_(make_()) {}

  Plan& current() { return *current_; }

  /// A plan of which nobody holds a result. It is the current one from now on.
  Plan& fresh() {
    if (current_.use_count() > 1) {
      std::swap(current_, other_);
      if (!current_ || current_.use_count() > 1) current_ = make_();
    }
    return *current_;
  }

  /// What keeps the memory of the current plan as it is while it lives.
  nb::capsule owner() const { return keep(std::make_unique<std::shared_ptr<Plan>>(current_)); }

 private:
  std::function<std::unique_ptr<Plan>()> make_;
  std::shared_ptr<Plan> current_, other_;
};

/// While it lives, its plan is at work in this thread.
class AtWork {
 public:
  AtWork(const char* operation, std::atomic_flag& busy) : busy_(busy) {
    require(!busy_.test_and_set(), operation,
            ": this plan is at work in another thread, or in the call that this one comes from. Make one a thread.");
  }
  ~AtWork() { busy_.clear(); }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

 private:
  std::atomic_flag& busy_;
};

}  // namespace shoal::python
