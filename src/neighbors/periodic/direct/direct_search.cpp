// SPDX-License-Identifier: Apache-2.0
#include "neighbors/periodic/direct/direct_search.hpp"

#include <algorithm>

#include "core/primitives/primitives.hpp"

namespace shoal::neighbors {

template <class Real>
DirectSearch<Real>::DirectSearch(const Queue& queue)
    : queue_(queue),
      starts_(queue),
      vectors_(queue),
      blocks_(queue),
      cells_(queue, 0),
      margins_(queue, 0),
      summary_(queue, 1) {}

template <class Real>
bool DirectSearch<Real>::suits(std::span<const std::int64_t> starts) const {
  double partners = 0;
  for (std::size_t s = 0; s + 1 < starts.size(); ++s) {
    const auto points = static_cast<double>(starts[s + 1] - starts[s]);
    partners += points * points;
  }
  return partners <= steps().most_partners * static_cast<double>(starts.back());
}

template <class Real>
void DirectSearch<Real>::assign_systems(std::int64_t points, std::span<const std::int64_t> starts,
                                        std::span<const PeriodicCell> cells) {
  const auto systems = static_cast<std::int64_t>(starts.size()) - 1;
  const std::int64_t block_points = steps().block_points(queue_, points);
  host_blocks_.clear();
  for (std::int64_t s = 0; s < systems; ++s) {
    const Range system{starts[static_cast<std::size_t>(s)], starts[static_cast<std::size_t>(s) + 1]};
    for (std::int64_t begin = system.begin; begin < system.end; begin += block_points)
      host_blocks_.push_back({s, {begin, std::min(begin + block_points, system.end)}});
  }
  host_vectors_.clear();
  for (const PeriodicCell& cell : cells) host_vectors_.push_back(cell_vectors<Real>(cell));
  starts_.assign(starts);
  vectors_.assign(host_vectors_);
  blocks_.assign(host_blocks_);
  cells_.resize(systems);
  margins_.resize(systems);
}

template <class Real>
std::optional<std::int64_t> DirectSearch<Real>::count(Scratch& scratch, const Points<Real>& points, double radius,
                                                      Real limit, const ImageRule& rule,
                                                      std::span<const std::int64_t> starts,
                                                      std::span<const PeriodicCell> cells, View<std::int64_t> offsets) {
  assign_systems(points.count(), starts, cells);
  fill_bytes(queue_, summary_.data(), 0, sizeof(DirectSummary));
  systems_ = {.points = cells::PointReader<Real>(points),
              .dimensions = dimensions_of(points),
              .starts = starts_.view(),
              .vectors = vectors_.view(),
              .blocks = blocks_.view(),
              .cells = cells_.data(),
              .margins = margins_.data(),
              .needs_general = &summary_.data()->needs_general,
              .radius = radius,
              .limit = limit,
              .rule = rule,
              .offsets = offsets.data,
              .outputs = {}};
  steps().prepare(queue_, systems_);
  steps().count(queue_, systems_);
  const std::int64_t n = points.count();
  exclusive_scan<std::int64_t>(scratch, View<const std::int64_t>(offsets.data, n, offsets.device), offsets);
  const Device device = queue_.device();
  copy_bytes(queue_, &summary_.data()->pairs, device, offsets.data + n, device, sizeof(std::int64_t));
  DirectSummary summary;
  copy_bytes(queue_, &summary, {}, summary_.data(), device, sizeof summary);
  if (summary.needs_general != 0) return std::nullopt;
  return summary.pairs;
}

template <class Real>
void DirectSearch<Real>::write(const PairOutputs<Real>& outputs) {
  systems_.outputs = outputs;
  steps().write(queue_, systems_);
}

template class DirectSearch<float>;
template class DirectSearch<double>;

}  // namespace shoal::neighbors
