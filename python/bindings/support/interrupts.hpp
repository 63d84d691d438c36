// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>

#include <chrono>
#include <optional>

#include "support/gil.hpp"

namespace shoal::python {

namespace nb = nanobind;

/// Ctrl-C and errors of callbacks during library calls that run without Python's lock.
class Interrupts {
 public:
  /// Returns false if the run should end. Checks for signals at most once per interval, because it needs Python's lock.
  bool may_continue() {
    const auto now = std::chrono::steady_clock::now();
    if (error_ || now < next_check_) return !error_;
    constexpr std::chrono::milliseconds check_interval{20};
    next_check_ = now + check_interval;
    return run([] {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    });
  }

  /// Runs Python code. Its exception is stored and ends the run.
  template <class Work>
  bool run(Work&& work) {
    const GilAcquire gil;
    try {
      work();
    } catch (nb::python_error& error) {
      error_.emplace(std::move(error));
    }
    return !error_;
  }

  bool has_error() const { return error_.has_value(); }

  /// Raises the stored exception. Needs Python's lock.
  void raise() {
    if (error_) throw nb::python_error(std::move(*error_));
  }

 private:
  std::chrono::steady_clock::time_point next_check_{};
  std::optional<nb::python_error> error_;
};

}  // namespace shoal::python
