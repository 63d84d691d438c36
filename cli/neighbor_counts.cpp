// SPDX-License-Identifier: Apache-2.0
#include "neighbor_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/display.hpp"

namespace shoal::cli {

namespace {

constexpr std::int64_t most_bins = 20;

/// 1, 2, 5, 10, 20, 50, ...: the first that needs no more than `most_bins` bins.
std::int64_t bin_width(std::int64_t least, std::int64_t most) {
  for (std::int64_t power = 1;; power *= 10)
    for (const std::int64_t digit : {1, 2, 5})
      if (const std::int64_t width = digit * power; most / width - least / width < most_bins) return width;
}

std::vector<CountBin> empty_histogram(std::int64_t least, std::int64_t most) {
  const std::int64_t width = bin_width(least, most);
  std::vector<CountBin> bins;
  for (std::int64_t bin = least / width; bin <= most / width; ++bin)
    bins.push_back({bin * width, bin * width + width - 1, 0});
  return bins;
}

}  // namespace

NeighborCounts count_neighbors(View<const std::int64_t> offsets) {
  NeighborCounts counts;
  counts.points = offsets.count - 1;
  if (counts.points == 0) return counts;
  const auto count_of = [&](std::int64_t i) { return offsets.data[i + 1] - offsets.data[i]; };
  counts.total = offsets.data[counts.points];
  counts.mean = static_cast<double>(counts.total) / static_cast<double>(counts.points);
  counts.least = counts.most = count_of(0);
  double squares = 0;
  for (std::int64_t i = 0; i < counts.points; ++i) {
    const std::int64_t count = count_of(i);
    counts.least = std::min(counts.least, count);
    counts.most = std::max(counts.most, count);
    counts.without += count == 0;
    const double apart = static_cast<double>(count) - counts.mean;
    squares += apart * apart;
  }
  counts.deviation = std::sqrt(squares / static_cast<double>(counts.points));
  counts.histogram = empty_histogram(counts.least, counts.most);
  const CountBin first = counts.histogram[0];
  const std::int64_t width = first.to - first.from + 1;
  for (std::int64_t i = 0; i < counts.points; ++i)
    ++counts.histogram[static_cast<std::size_t>((count_of(i) - first.from) / width)].points;
  return counts;
}

std::string histogram_text(const NeighborCounts& counts, const Terminal& terminal) {
  std::vector<std::string> labels, numbers;
  std::int64_t fullest = 1;
  for (const CountBin& bin : counts.histogram) {
    labels.push_back(bin.from == bin.to ? io::grouped(bin.from) : io::grouped(bin.from) + " to " + io::grouped(bin.to));
    numbers.push_back(io::grouped(bin.points));
    fullest = std::max(fullest, bin.points);
  }
  std::size_t label_width = std::string("neighbours").size(), number_width = std::string("points").size();
  for (const std::string& label : labels) label_width = std::max(label_width, label.size());
  for (const std::string& number : numbers) number_width = std::max(number_width, number.size());
  constexpr int unknown_width = 80;
  const int columns = terminal.width > 0 ? terminal.width : unknown_width;
  const int room = std::max(1, columns - static_cast<int>(label_width + number_width) - 4);
  const char* bar_start = terminal.colour ? "\x1b[36m" : "";
  const char* bar_end = terminal.colour ? "\x1b[0m" : "";
  std::string out = fmt::format("{:>{}}  {:>{}}\n", "neighbours", label_width, "points", number_width);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double share = static_cast<double>(counts.histogram[i].points) / static_cast<double>(fullest);
    const auto length = static_cast<std::size_t>(std::ceil(share * room));
    out += fmt::format("{:>{}}  {:>{}}", labels[i], label_width, numbers[i], number_width);
    out += length == 0 ? "\n" : fmt::format("  {}{}{}\n", bar_start, std::string(length, '#'), bar_end);
  }
  return out;
}

}  // namespace shoal::cli
