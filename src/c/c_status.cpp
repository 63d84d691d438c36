// SPDX-License-Identifier: Apache-2.0
#include "c/c_status.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace shoal::c {

namespace {

/// Message of the last error of a thread. An array, because a string could run out of memory.
thread_local std::array<char, 1024> last_message{};

}  // namespace

int failed(int status, const char* message) noexcept {
  const std::size_t length = std::min(std::strlen(message), last_message.size() - 1);
  std::memcpy(last_message.data(), message, length);
  last_message[length] = '\0';
  return status;
}

}  // namespace shoal::c

const char* shoal_error_message(void) { return shoal::c::last_message.data(); }
