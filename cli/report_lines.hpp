// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace shoal::cli {

/// A label, and what is said of it.
using ReportLine = std::pair<std::string, std::string>;

/// A line each, what is said in one column.
std::string aligned(const std::vector<ReportLine>& lines);

}  // namespace shoal::cli
