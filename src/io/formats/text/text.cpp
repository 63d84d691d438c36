// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/text.hpp>

#include <fmt/format.h>

#include <cmath>

namespace shoal::io {

std::string grouped(std::int64_t number) {
  std::string digits = fmt::format("{}", number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t position = digits.size(); position > first + 3;) digits.insert(position -= 3, ",");
  return digits;
}

std::string scientific(double number, bool sign) {
  std::string digits = sign ? fmt::format("{:+.1e}", number) : fmt::format("{:.1e}", number);
  const std::size_t exponent = digits.find('e');
  if (exponent == std::string::npos) return digits;  // nan, inf
  const std::string mantissa = digits.substr(0, exponent);
  return fmt::format("{}e{}", mantissa, std::stoi(digits.substr(exponent + 1)));
}

std::string clock_time(double seconds) {
  constexpr double longest = 1e9;
  if (!(seconds >= 0 && seconds < longest)) return "-:--";
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace shoal::io
