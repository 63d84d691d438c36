// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/error.hpp>

#include <charconv>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace shoal {

/// Appends numbers in the shortest form that reads back as the same value (0.0001 and 2147483646, but 2e-09),
/// everything else as streams do.
template <class T>
void append_text(std::ostringstream& out, const T& part) {
  if constexpr (std::is_floating_point_v<T>) {
    const T size = part < 0 ? -part : part;
    const bool plain = size == 0 || (size >= T(1e-4) && size < T(1e15));
    char digits[64];
    char* const end = digits + sizeof digits;
    out.write(digits, (plain ? std::to_chars(digits, end, part, std::chars_format::fixed)
                             : std::to_chars(digits, end, part, std::chars_format::general))
                              .ptr -
                          digits);
  } else {
    out << part;
  }
}

/// Concatenates the parts of a message: text("n = ", 3, ", expected at least ", 1.5).
template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  (append_text(out, parts), ...);
  return out.str();
}

/// Throws Error with the parts as message unless `condition` holds. The message is built only then.
template <class... Parts>
void require(bool condition, const Parts&... parts) {
  if (!condition) throw Error(text(parts...));
}

/// "a, b, c".
inline std::string join(const std::vector<std::string>& words, const char* separator = ", ") {
  std::string joined;
  for (const std::string& word : words) {
    if (!joined.empty()) joined += separator;
    joined += word;
  }
  return joined;
}

}  // namespace shoal
