// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>
#include <string>

namespace shoal {

/// What shoal throws. OutOfMemory is derived from it; there are no other exceptions.
///
/// `what()` says what was wrong, what was got, what was expected and what to do, for example
///
///     cells: point 81234 is outside the grid: x = 1.0000001 m, allowed [0, 1] m. Enlarge the grid or set outside to
///     "bucket".
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
};

/// Memory of a device or of the host is exhausted. The plan that asked for it holds no result, but can be used again
/// once there is more room, or with less to do.
class OutOfMemory : public Error {
 public:
  using Error::Error;
};

}  // namespace shoal
