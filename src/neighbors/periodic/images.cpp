// SPDX-License-Identifier: Apache-2.0
#include "neighbors/periodic/images.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cells/assign_cells.hpp"
#include "core/memory/check_views.hpp"
#include "core/primitives/primitives.hpp"
#include "core/text.hpp"
#include "neighbors/search/search_box.hpp"

namespace shoal::neighbors {

namespace {

constexpr std::int64_t block_points = 1024;  ///< Points of a thread at a time.
constexpr double most_periods = 0x1p29;      ///< Periods that a point may be away from its cell.
constexpr double roundings = 32;

/// Least and largest values over the points of a block.
struct BlockExtent {
  Vector lower, upper, least_fraction, most_fraction;
  Vector least_periods, most_periods;
  double largest = 0;  ///< m, largest coordinate before wrapping

  BlockExtent() {
    lower.fill(std::numeric_limits<double>::infinity());
    upper.fill(-std::numeric_limits<double>::infinity());
    least_fraction = least_periods = lower;
    most_fraction = most_periods = upper;
  }

  void add(const BlockExtent& extent) {
    for (std::size_t k = 0; k < 3; ++k) {
      lower[k] = std::min(lower[k], extent.lower[k]);
      upper[k] = std::max(upper[k], extent.upper[k]);
      least_fraction[k] = std::min(least_fraction[k], extent.least_fraction[k]);
      most_fraction[k] = std::max(most_fraction[k], extent.most_fraction[k]);
      least_periods[k] = std::min(least_periods[k], extent.least_periods[k]);
      most_periods[k] = std::max(most_periods[k], extent.most_periods[k]);
    }
    largest = std::max(largest, extent.largest);
  }

  void add(const Vector& original, const WrappedPoint& point, const Vector& periods) {
    for (std::size_t k = 0; k < 3; ++k) {
      lower[k] = std::min(lower[k], point.position[k]);
      upper[k] = std::max(upper[k], point.position[k]);
      least_fraction[k] = std::min(least_fraction[k], point.fraction[k]);
      most_fraction[k] = std::max(most_fraction[k], point.fraction[k]);
      least_periods[k] = std::min(least_periods[k], periods[k]);
      most_periods[k] = std::max(most_periods[k], periods[k]);
      largest = std::max(largest, std::abs(original[k]));
    }
  }
};

double largest_component(const Vector& a) { return std::max({std::abs(a[0]), std::abs(a[1]), std::abs(a[2])}); }

/// Returns the point at a position, moved into the cell. Stores the periods, which may be too many for the point.
WrappedPoint wrapped(const CellGeometry& cell, const Vector& position, Vector& periods) {
  WrappedPoint point{.position = position, .fraction = {}, .periods = {}};
  for (int k = 0; k < 3; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    const double fraction = cell.fraction(k, position);
    periods[axis] = std::floor(fraction);
    point.fraction[axis] = fraction - periods[axis];
    if (std::abs(periods[axis]) <= most_periods) point.periods[k] = static_cast<std::int32_t>(periods[axis]);
    for (std::size_t c = 0; c < 3; ++c) point.position[c] -= periods[axis] * cell.vectors[axis][c];
  }
  return point;
}

/// Returns the radius of the search that finds every pair of a system, without the error of its place.
template <class Real>
double reach_of(const CellGeometry& cell, const BlockExtent& extent, double radius) {
  constexpr double roundoff = sizeof(Real) == 4 ? 0x1p-24 : 0x1p-53;
  double shifts = radius;            // r + sum |S_k| |a_k|
  double wrapping = extent.largest;  // X + sum |w_k| |a_k|
  for (std::size_t k = 0; k < 3; ++k) {
    const double size = largest_component(cell.vectors[k]);
    if (size == 0) continue;
    shifts += (extent.most_periods[k] - extent.least_periods[k] + 2 + 2 * radius * cell.inverse_height[k]) * size;
    wrapping += std::max(std::abs(extent.least_periods[k]), std::abs(extent.most_periods[k])) * size;
  }
  return radius + roundings * (roundoff * shifts + 0x1p-53 * wrapping);
}

/// Positions of an array of structs.
template <class Item>
Points<double> positions_of(const Array<Item>& items) {
  static_assert(sizeof(Item) % sizeof(double) == 0);
  constexpr std::int64_t stride = sizeof(Item) / sizeof(double);
  const auto axis_view = [&](std::size_t axis) {
    const double* const first = items.count() > 0 ? &items.data()->position[axis] : nullptr;
    return View<const double>(first, items.count(), items.device(), stride);
  };
  return {axis_view(0), axis_view(1), axis_view(2)};
}

/// Throws unless the cell has few enough images within the radius to visit them all.
void require_few_images(const PeriodicSystem& system, double radius, std::int64_t number) {
  auto images = static_cast<double>(system.points.count());
  for (const double inverse_height : system.cell.inverse_height) images *= 1 + 2 * radius * inverse_height;
  require(images <= 0x1p36, message_start(number), "the radius of ", radius, " m reaches about ", images, " images of ",
          system.points.count(), " points, expected at most 2^36. Use a smaller radius or a larger cell.");
}

/// Calls use(image) for each image of point i that is near its system, by ascending shift.
template <class Use>
void for_each_image(const PeriodicSystem& system, double reach, const WrappedPoint& point, std::int32_t i, Use&& use) {
  std::int32_t first[3], last[3];
  for (std::size_t k = 0; k < 3; ++k) {
    const double margin = reach * system.cell.inverse_height[k];
    first[k] = static_cast<std::int32_t>(std::ceil(system.least_fraction[k] - margin - point.fraction[k]));
    last[k] = static_cast<std::int32_t>(std::floor(system.most_fraction[k] + margin - point.fraction[k]));
  }
  const auto& a = system.cell.vectors;
  std::int32_t s[3];
  for (s[0] = first[0]; s[0] <= last[0]; ++s[0])
    for (s[1] = first[1]; s[1] <= last[1]; ++s[1])
      for (s[2] = first[2]; s[2] <= last[2]; ++s[2]) {
        PointImage image{.position = point.position, .point = i, .shift = {}};
        bool is_near = true;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          image.position[axis] += s[0] * a[0][axis] + s[1] * a[1][axis] + s[2] * a[2][axis];
          is_near = is_near && image.position[axis] >= system.lower[axis] - reach &&
                    image.position[axis] <= system.upper[axis] + reach;
          image.shift[axis] = s[axis] - point.periods[axis];
        }
        if (is_near) use(image);
      }
}

}  // namespace

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
  require_valid_points(scratch_.queue(), {.dimensions = dimensions_of(points)}, "point", points);
  wrap(points, radius);
  place(radius);
  make_images();
}

template <class Real>
void PeriodicImages<Real>::assign_systems(std::span<const std::int64_t> starts, std::span<const PeriodicCell> cells) {
  systems_.assign(starts.size() - 1, {});
  blocks_.clear();
  for (std::size_t s = 0; s < systems_.size(); ++s) {
    systems_[s].points = {starts[s], starts[s + 1]};
    const bool is_shared = cells.size() == 1 && s > 0;
    systems_[s].cell = is_shared ? systems_[0].cell : cell_geometry<Real>(cells[s], number_in_messages(s));
  }
  for (const PeriodicSystem& system : systems_)
    for (std::int64_t begin = system.points.begin; begin < system.points.end; begin += block_points)
      blocks_.push_back({&system, {begin, std::min(begin + block_points, system.points.end)}});
}

template <class Real>
void PeriodicImages<Real>::wrap(const Points<Real>& points, double radius) {
  wrapped_.resize(points.count());
  std::vector<BlockExtent> extents(blocks_.size());
  const cells::PointReader<Real> reader(points);
  const int dimensions = dimensions_of(points);
#pragma omp parallel for num_threads(scratch_.queue().threads()) schedule(dynamic)
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    for (std::int64_t i = blocks_[b].points.begin; i < blocks_[b].points.end; ++i) {
      const Vector position = {static_cast<double>(reader.at_x(i)), static_cast<double>(reader.at_y(i, dimensions)),
                               static_cast<double>(reader.at_z(i, dimensions))};
      Vector periods{};
      wrapped_.data()[i] = wrapped(blocks_[b].system->cell, position, periods);
      extents[b].add(position, wrapped_.data()[i], periods);
    }
  std::size_t b = 0;
  for (std::size_t s = 0; s < systems_.size(); ++s) {
    PeriodicSystem& system = systems_[s];
    if (system.points.count() == 0) continue;
    BlockExtent extent;
    for (; b < blocks_.size() && blocks_[b].system == &system; ++b) extent.add(extents[b]);
    system.lower = extent.lower;
    system.upper = extent.upper;
    system.least_fraction = extent.least_fraction;
    system.most_fraction = extent.most_fraction;
    system.reach = reach_of<Real>(system.cell, extent, radius);
    require_few_images(system, radius, number_in_messages(s));
    bool is_resolved = system.reach <= 1.5 * radius;
    for (std::size_t k = 0; k < 3; ++k)
      is_resolved = is_resolved && std::max(std::abs(extent.least_periods[k]), extent.most_periods[k]) <= most_periods;
    require(is_resolved, message_start(number_in_messages(s)), "coordinates are up to ", extent.largest,
            " m, so large against the radius of ", radius,
            " m that distances are lost in rounding. Move the points near the origin",
            sizeof(Real) == 4 ? ", or use double." : ".");
  }
}

template <class Real>
void PeriodicImages<Real>::place(double radius) {
  reach_ = radius;
  for (const PeriodicSystem& system : systems_) reach_ = std::max(reach_, system.reach);
  if (systems_.size() == 1) return;
  // One beside the other along x, with room for the images of both in between.
  std::vector<double> moves(systems_.size());
  double end = 0;
  for (std::size_t s = 0; s < systems_.size(); ++s) {
    PeriodicSystem& system = systems_[s];
    if (system.points.count() == 0) continue;
    moves[s] = end - system.lower[0];
    end += system.upper[0] - system.lower[0] + 4 * reach_;
    system.lower[0] += moves[s];
    system.upper[0] += moves[s];
  }
  reach_ += roundings * 0x1p-53 * end;
  require(reach_ <= 2 * radius, "neighbors: the systems are ", end, " m wide together, so large against the radius of ",
          radius, " m that distances are lost in rounding. Search them in several calls.");
#pragma omp parallel for num_threads(scratch_.queue().threads()) schedule(dynamic)
  for (const SystemBlock& block : blocks_)
    for (std::int64_t i = block.points.begin; i < block.points.end; ++i)
      wrapped_.data()[i].position[0] += moves[static_cast<std::size_t>(block.system - systems_.data())];
}

template <class Real>
void PeriodicImages<Real>::make_images() {
  const std::int64_t n = wrapped_.count();
  first_.resize(n + 1);
  const auto visit_points = [&](auto&& visit) {
#pragma omp parallel for num_threads(scratch_.queue().threads()) schedule(dynamic)
    for (const SystemBlock& block : blocks_)
      for (std::int64_t i = block.points.begin; i < block.points.end; ++i) visit(*block.system, i);
  };
  visit_points([&](const PeriodicSystem& system, std::int64_t i) {
    std::int64_t count = 0;
    for_each_image(system, reach_, wrapped_.data()[i], static_cast<std::int32_t>(i),
                   [&](const PointImage&) { ++count; });
    first_.data()[i] = count;
  });
  exclusive_scan<std::int64_t>(scratch_, View<const std::int64_t>(first_.data(), n), first_);
  const std::int64_t total = first_.data()[n];
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() - 1;
  require(total <= most, "neighbors: ", n, " points have ", total,
          " images within the radius of their system, expected at most ", most,
          ". Use a smaller radius, or search in parts.");
  images_.resize(total);
  visit_points([&](const PeriodicSystem& system, std::int64_t i) {
    PointImage* next = images_.data() + first_.data()[i];
    for_each_image(system, reach_, wrapped_.data()[i], static_cast<std::int32_t>(i),
                   [&](const PointImage& image) { *next++ = image; });
  });
}

template class PeriodicImages<float>;
template class PeriodicImages<double>;

}  // namespace shoal::neighbors
