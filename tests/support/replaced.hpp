// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <string>

namespace shoal::testing_support {

/// Text with the first `before` replaced by `after`; `before` must occur in it.
inline std::string replaced(std::string text, const std::string& before, const std::string& after) {
  const std::size_t begin = text.find(before);
  EXPECT_NE(begin, std::string::npos) << before;
  return begin == std::string::npos ? text : text.replace(begin, before.size(), after);
}

}  // namespace shoal::testing_support
