// SPDX-License-Identifier: Apache-2.0
#include "neighbor_counts.hpp"

#include <shoal/io/text.hpp>

#include <algorithm>
#include <cmath>

#include "bar_chart.hpp"

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
  std::vector<Bar> bars;
  for (const CountBin& bin : counts.histogram)
    bars.push_back({bin.from == bin.to ? io::grouped(bin.from) : io::grouped(bin.from) + " to " + io::grouped(bin.to),
                    bin.points});
  return bar_chart("neighbors", "points", bars, terminal);
}

}  // namespace shoal::cli
