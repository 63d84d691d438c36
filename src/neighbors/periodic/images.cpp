// SPDX-License-Identifier: Apache-2.0
#include "neighbors/periodic/images.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/primitives/primitives.hpp"
#include "core/text.hpp"
#include "neighbors/periodic/reach_item.hpp"
#include "neighbors/search/valid_points.hpp"

namespace shoal::neighbors {

namespace {

/// Returns the place of a system whose points have these bounds, before it is moved.
SystemPlace place_of(const BlockExtent& extent) {
  SystemPlace place;
  for (int k = 0; k < 3; ++k) {
    place.lower[k] = extent.lower[k];
    place.upper[k] = extent.upper[k];
    place.least_fraction[k] = extent.least_fraction[k];
    place.most_fraction[k] = extent.most_fraction[k];
  }
  return place;
}

/// Positions of an array of structs.
template <class Item>
Points<double> positions_of(const Array<Item>& items) {
  static_assert(sizeof(Item) % sizeof(double) == 0);
  constexpr std::int64_t stride = sizeof(Item) / sizeof(double);
  const auto axis_view = [&](int axis) {
    const double* const first = items.count() > 0 ? &items.data()->position[axis] : nullptr;
    return View<const double>(first, items.count(), items.device(), stride);
  };
  return {axis_view(0), axis_view(1), axis_view(2)};
}

}  // namespace

template <class Real>
PeriodicImages<Real>::PeriodicImages(const Queue& queue)
    : scratch_(queue),
      device_blocks_(queue),
      device_cells_(queue),
      device_places_(queue),
      extents_(queue, 0),
      wrapped_(queue, 0),
      first_(queue, 0),
      images_(queue, 0),
      image_points_(queue, 0) {}

template <class Real>
Points<double> PeriodicImages<Real>::points() const {
  return positions_of(wrapped_);
}
template <class Real>
Points<double> PeriodicImages<Real>::images() const {
  return positions_of(images_);
}

template <class Real>
void PeriodicImages<Real>::make(const Points<Real>& points, double radius, std::span<const std::int64_t> starts,
                                std::span<const PeriodicCell> cells) {
  assign_systems(starts, cells);
  require_valid_points(scratch_, {.dimensions = dimensions_of(points)}, "point", points);
  wrap(points, radius);
  place(radius);
  make_images();
}

template <class Real>
void PeriodicImages<Real>::assign_systems(std::span<const std::int64_t> starts, std::span<const PeriodicCell> cells) {
  const std::size_t systems = starts.size() - 1;
  cells_.assign(systems, {});
  blocks_.clear();
  for (std::size_t s = 0; s < systems; ++s) {
    const bool is_shared = cells.size() == 1 && s > 0;
    cells_[s] = is_shared ? cells_[0] : system_cell<Real>(cells[s], number_in_messages(s));
    for (std::int64_t begin = starts[s]; begin < starts[s + 1]; begin += steps().block_points)
      blocks_.push_back({static_cast<std::int64_t>(s), {begin, std::min(begin + steps().block_points, starts[s + 1])}});
  }
  device_cells_.assign(cells_);
  device_blocks_.assign(blocks_);
}

template <class Real>
void PeriodicImages<Real>::wrap(const Points<Real>& points, double radius) {
  wrapped_.resize(points.count());
  extents_.resize(std::ssize(blocks_));
  arrays_ = {.points = cells::PointReader<Real>(points),
             .dimensions = dimensions_of(points),
             .blocks = device_blocks_.view(),
             .cells = device_cells_.data(),
             .wrapped = wrapped_.data(),
             .extents = extents_.data()};
  steps().wrap(queue(), arrays_);
  const std::vector<BlockExtent> extents = to_host(queue(), extents_);
  places_.assign(cells_.size(), {});
  reach_ = radius;
  for (std::size_t b = 0; b < blocks_.size();) {
    const std::int64_t first = blocks_[b].points.begin, number = blocks_[b].system;
    const auto system = static_cast<std::size_t>(number);
    BlockExtent extent;
    std::int64_t end = first;
    for (; b < blocks_.size() && blocks_[b].system == number; ++b) {
      extent.add(extents[b]);
      end = blocks_[b].points.end;
    }
    places_[system] = place_of(extent);
    reach_ = std::max(reach_, resolved_reach(system, end - first, extent, radius));
  }
}

/// Returns the radius of the search in a system.
/// @throws Error  there are too many images, or the error of positions reaches half the radius
template <class Real>
double PeriodicImages<Real>::resolved_reach(std::size_t system, std::int64_t points, const BlockExtent& extent,
                                            double radius) const {
  const MessageStart start{number_in_messages(system)};
  const double images = images_to_visit(cells_[system], points, radius);
  require(images <= most_images_to_visit, start, "the radius of ", radius, " m reaches about ", images, " images of ",
          points, " points, expected at most 2^36. Use a smaller radius or a larger cell.");
  const double reach = system_reach<Real>(cells_[system], extent, radius);
  require(is_resolved(extent, reach, radius), start, "coordinates are up to ", extent.largest,
          " m, so large against the radius of ", radius,
          " m that distances are lost in rounding. Move the points near the origin",
          sizeof(Real) == 4 ? ", or use double." : ".");
  return reach;
}

/// Moves each system beside the previous one along x, with room for the images of both in between.
template <class Real>
void PeriodicImages<Real>::place(double radius) {
  double end = 0;
  std::int64_t previous = -1;
  for (const SystemBlock& block : blocks_) {
    if (cells_.size() == 1 || block.system == previous) continue;
    previous = block.system;
    SystemPlace& place = places_[static_cast<std::size_t>(block.system)];
    place.move = end - place.lower[0];
    end += place.upper[0] - place.lower[0] + 4 * reach_;
    place.lower[0] += place.move;
    place.upper[0] += place.move;
  }
  reach_ += reach_roundings * 0x1p-53 * end;
  require(reach_ <= 2 * radius, "neighbors: the systems are ", end, " m wide together, so large against the radius of ",
          radius, " m that distances are lost in rounding. Search them in several calls.");
  device_places_.assign(places_);
}

template <class Real>
void PeriodicImages<Real>::make_images() {
  const std::int64_t n = wrapped_.count();
  first_.resize(n + 1);
  arrays_.places = device_places_.data();
  arrays_.first = first_.data();
  arrays_.reach = reach_;
  steps().count_images(queue(), arrays_);
  exclusive_scan<std::int64_t>(scratch_, View<const std::int64_t>(first_.data(), n, first_.device()), first_);
  std::int64_t total = 0;
  copy_bytes(queue(), &total, {}, first_.data() + n, first_.device(), sizeof total);
  queue().wait();
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() - 1;
  require(total <= most, "neighbors: ", n, " points have ", total,
          " images within the radius of their system, expected at most ", most,
          ". Use a smaller radius, or search in parts.");
  images_.resize(total);
  image_points_.resize(total);
  arrays_.images = images_.data();
  arrays_.image_points = image_points_.data();
  steps().write_images(queue(), arrays_);
}

template class PeriodicImages<float>;
template class PeriodicImages<double>;

}  // namespace shoal::neighbors
