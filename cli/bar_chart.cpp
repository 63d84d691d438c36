// SPDX-License-Identifier: Apache-2.0
#include "bar_chart.hpp"

#include <fmt/format.h>
#include <shoal/io/text.hpp>

#include <algorithm>
#include <cmath>

namespace shoal::cli {

std::string bar_chart(const std::string& of_labels, const std::string& of_counts, const std::vector<Bar>& bars,
                      const Terminal& terminal) {
  std::size_t label_width = of_labels.size(), number_width = of_counts.size();
  std::int64_t fullest = 1;
  for (const Bar& bar : bars) {
    label_width = std::max(label_width, bar.label.size());
    number_width = std::max(number_width, io::grouped(bar.count).size());
    fullest = std::max(fullest, bar.count);
  }
  constexpr int unknown_width = 80;
  const int columns = terminal.width > 0 ? terminal.width : unknown_width;
  const int room = std::max(1, columns - static_cast<int>(label_width + number_width) - 4);
  const char* bar_start = terminal.color ? "\x1b[36m" : "";
  const char* bar_end = terminal.color ? "\x1b[0m" : "";
  std::string out = fmt::format("{:>{}}  {:>{}}\n", of_labels, label_width, of_counts, number_width);
  for (const Bar& bar : bars) {
    const double share = static_cast<double>(bar.count) / static_cast<double>(fullest);
    const auto length = static_cast<std::size_t>(std::ceil(share * room));
    out += fmt::format("{:>{}}  {:>{}}", bar.label, label_width, io::grouped(bar.count), number_width);
    out += length == 0 ? "\n" : fmt::format("  {}{}{}\n", bar_start, std::string(length, '#'), bar_end);
  }
  return out;
}

}  // namespace shoal::cli
