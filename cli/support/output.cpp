// SPDX-License-Identifier: Apache-2.0
#include "support/output.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <shoal/io/text.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace shoal::cli {

Terminal terminal(int descriptor) {
  Terminal terminal;
  terminal.is_terminal = ::isatty(descriptor) == 1;
  const char* no_color = std::getenv("NO_COLOR");
  terminal.color = terminal.is_terminal && !(no_color && *no_color);
  winsize size{};
  if (terminal.is_terminal && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0) terminal.width = size.ws_col;
  return terminal;
}

std::string aligned(const std::vector<ReportLine>& lines) {
  std::size_t width = 0;
  for (const auto& [label, text] : lines) width = std::max(width, label.size());
  std::string out;
  for (const auto& [label, text] : lines) out += fmt::format("{:<{}}  {}\n", label, width, text);
  return out;
}

std::string bar_chart(const std::string& labels, const std::string& counts, const std::vector<Bar>& bars,
                      const Terminal& terminal) {
  std::size_t label_width = labels.size(), number_width = counts.size();
  std::int64_t largest = 1;
  for (const Bar& bar : bars) {
    label_width = std::max(label_width, bar.label.size());
    number_width = std::max(number_width, io::grouped(bar.count).size());
    largest = std::max(largest, bar.count);
  }
  constexpr int default_width = 80;
  const int columns = terminal.width > 0 ? terminal.width : default_width;
  const int longest = std::max(1, columns - static_cast<int>(label_width + number_width) - 4);
  const char* bar_start = terminal.color ? "\x1b[36m" : "";
  const char* bar_end = terminal.color ? "\x1b[0m" : "";
  std::string out = fmt::format("{:>{}}  {:>{}}\n", labels, label_width, counts, number_width);
  for (const Bar& bar : bars) {
    const double share = static_cast<double>(bar.count) / static_cast<double>(largest);
    const auto length = static_cast<std::size_t>(std::ceil(share * longest));
    out += fmt::format("{:>{}}  {:>{}}", bar.label, label_width, io::grouped(bar.count), number_width);
    out += length == 0 ? "\n" : fmt::format("  {}{}{}\n", bar_start, std::string(length, '#'), bar_end);
  }
  return out;
}

}  // namespace shoal::cli
