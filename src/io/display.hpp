// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

// Numbers as people read them.
namespace shoal::io {

/// 85773 as "85,773".
std::string grouped(std::int64_t number);

/// 0.0001 as "1.0e-4", with `sign` "+1.0e-4".
std::string scientific(double number, bool sign = false);

/// Seconds as "0:03", "2:13" or "1:02:13"; "-:--" when not known (negative or not finite).
std::string clock_time(double seconds);

}  // namespace shoal::io
