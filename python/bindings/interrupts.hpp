// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>

#include <chrono>
#include <optional>

namespace shoal::python {

namespace nb = nanobind;

/// Looks for Ctrl-C, and for errors of callbacks, while the library works without holding Python's lock.
class Interrupts {
 public:
  /// False: the run should end. Asks Python some times a second.
  bool go_on() {
    const auto now = std::chrono::steady_clock::now();
    if (error_ || now < next_) return !error_;
    constexpr std::chrono::milliseconds between_looks{20};
    next_ = now + between_looks;
    return run([] {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    });
  }

  /// Runs Python code; what it raises is kept, and ends the run.
  template <class Work>
  bool run(Work&& work) {
    const nb::gil_scoped_acquire python;
    try {
      work();
    } catch (nb::python_error& error) {
      error_.emplace(std::move(error));
    }
    return !error_;
  }

  /// Raises what was kept. Needs Python's lock.
  void raise() {
    if (error_) throw nb::python_error(std::move(*error_));
  }

 private:
  std::chrono::steady_clock::time_point next_{};
  std::optional<nb::python_error> error_;
};

}  // namespace shoal::python
