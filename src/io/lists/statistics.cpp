// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/statistics.hpp>

#include <shoal/io/text.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.hpp"

namespace shoal::io {

namespace {

constexpr std::int64_t most_bins = 20;
constexpr int most_decades = 20;

/// Smallest of 1, 2, 5, 10, 20, 50, ... with which at most `most_bins` bins cover the range.
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

/// 10^exponent correctly rounded, which pow() does not guarantee; 0 or infinity outside the range of double.
double power_of_ten(int exponent) {
  double power = exponent < 0 ? 0 : std::numeric_limits<double>::infinity();
  read_number(text("1e", exponent), power);
  return power;
}

/// Largest exponent whose power of ten is at most `distance`.
int decade_of(double distance) {
  int exponent = static_cast<int>(std::floor(std::log10(distance)));
  while (power_of_ten(exponent) > distance) --exponent;
  while (power_of_ten(exponent + 1) <= distance) ++exponent;
  return exponent;
}

std::vector<DistanceBin> empty_decades(double least, double most) {
  const int last = decade_of(most), first = std::max(decade_of(least), last + 1 - most_decades);
  std::vector<DistanceBin> decades;
  for (int exponent = first; exponent <= last; ++exponent)
    decades.push_back({power_of_ten(exponent), power_of_ten(exponent + 1), 0});
  if (least < decades[0].from) decades[0].from = 0;
  return decades;
}

}  // namespace

NeighborCounts count_neighbors(View<const std::int64_t> offsets) {
  NeighborCounts counts;
  counts.points = offsets.count - 1;
  if (counts.points == 0) return counts;
  const auto count_of = [&](std::int64_t point) { return offsets.data[point + 1] - offsets.data[point]; };
  counts.total = offsets.data[counts.points];
  counts.mean = static_cast<double>(counts.total) / static_cast<double>(counts.points);
  counts.least = counts.most = count_of(0);
  double squares = 0;
  for (std::int64_t i = 0; i < counts.points; ++i) {
    const std::int64_t count = count_of(i);
    counts.least = std::min(counts.least, count);
    counts.most = std::max(counts.most, count);
    counts.without += count == 0;
    const double difference = static_cast<double>(count) - counts.mean;
    squares += difference * difference;
  }
  counts.deviation = std::sqrt(squares / static_cast<double>(counts.points));
  counts.histogram = empty_histogram(counts.least, counts.most);
  const CountBin first = counts.histogram[0];
  const std::int64_t width = first.to - first.from + 1;
  for (std::int64_t i = 0; i < counts.points; ++i)
    ++counts.histogram[static_cast<std::size_t>((count_of(i) - first.from) / width)].points;
  return counts;
}

CellCounts count_particles(View<const std::int64_t> cell_start) {
  CellCounts counts;
  counts.cells = cell_start.count - 2;
  counts.particles = cell_start.data[counts.cells];
  for (std::int64_t cell = 0; cell < counts.cells; ++cell) {
    const std::int64_t particles = cell_start.data[cell + 1] - cell_start.data[cell];
    counts.most = std::max(counts.most, particles);
    counts.empty += particles == 0;
  }
  return counts;
}

DistanceCounts count_distances(View<const double> distance) {
  DistanceCounts counts;
  counts.points = distance.count;
  if (counts.points == 0) return counts;
  const auto [least, most] = std::minmax_element(distance.data, distance.data + distance.count);
  counts.least = *least;
  counts.most = *most;
  const double farthest = std::max(-counts.least, counts.most);
  double nearest_off_wall = std::numeric_limits<double>::infinity();
  for (std::int64_t i = 0; i < distance.count; ++i)
    if (distance.data[i] != 0) nearest_off_wall = std::min(nearest_off_wall, std::abs(distance.data[i]));
  if (farthest > 0) counts.decades = empty_decades(nearest_off_wall, farthest);
  for (std::int64_t i = 0; i < distance.count; ++i) {
    const double size = std::abs(distance.data[i]);
    const auto bin = std::find_if(counts.decades.begin(), counts.decades.end(),
                                  [&](const DistanceBin& decade) { return size < decade.to; });
    ++(size == 0 ? counts.on_wall : bin->points);
    counts.inside += distance.data[i] < 0;
  }
  return counts;
}

FarFieldCounts count_far_field(View<const double> distance, View<const double> lower) {
  FarFieldCounts counts;
  for (std::int64_t i = 0; i < distance.count; ++i) {
    if (distance.data[i] == lower.data[i])
      ++counts.exact;
    else
      counts.excess = std::max(counts.excess, distance.data[i] / lower.data[i] - 1);
  }
  return counts;
}

}  // namespace shoal::io
