// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Text for terminals: lines with labels, bar charts.
namespace shoal::cli {

/// Target of an output stream.
struct Terminal {
  bool is_terminal = false;  ///< false: a file or a pipe
  bool color = false;        ///< true for a terminal, unless the user set NO_COLOR
  int width = 0;             ///< columns; 0: unknown
};

/// @param descriptor  STDOUT_FILENO or STDERR_FILENO
Terminal terminal(int descriptor);

/// Label and text of a line.
using ReportLine = std::pair<std::string, std::string>;

/// Lines with their texts in one column.
std::string aligned(const std::vector<ReportLine>& lines);

struct Bar {
  std::string label;
  std::int64_t count = 0;
};

/// Heading, and a line for each bar with its label and count. No line is wider than the terminal, or than 80 columns if
/// its width is unknown.
/// @param labels,counts  headings of the two columns
std::string bar_chart(const std::string& labels, const std::string& counts, const std::vector<Bar>& bars,
                      const Terminal& terminal);

}  // namespace shoal::cli
