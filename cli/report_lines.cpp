// SPDX-License-Identifier: Apache-2.0
#include "report_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace shoal::cli {

std::string aligned(const std::vector<ReportLine>& lines) {
  std::size_t width = 0;
  for (const auto& [label, said] : lines) width = std::max(width, label.size());
  std::string out;
  for (const auto& [label, said] : lines) out += fmt::format("{:<{}}  {}\n", label, width, said);
  return out;
}

}  // namespace shoal::cli
