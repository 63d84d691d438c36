// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>
#include <string>

namespace shoal {

/// The exception of shoal. OutOfMemory is derived from it; there are no other exceptions.
///
/// `what()` names the fault, the value, the expected value and the remedy, for example
///
///     cells: point 81234 is outside the grid: x = 1.0000001 m, allowed [0, 1] m. Enlarge the grid or set outside to
///     "bucket".
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
};

/// Memory of a device or of the host is exhausted. The plan that needed it holds no result, but can be used again
/// when more memory is free, or for a smaller problem.
class OutOfMemory : public Error {
 public:
  using Error::Error;
};

}  // namespace shoal
