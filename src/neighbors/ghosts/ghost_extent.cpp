// SPDX-License-Identifier: Apache-2.0
#include "neighbors/ghosts/ghost_extent.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/primitives/primitives.hpp"
#include "core/text.hpp"

namespace shoal::neighbors {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

template <class Real>
std::array<View<const Real>, 3> coordinates(const Points<Real>& points) {
  return {points.x, points.y, points.z};
}

/// Interval of allowed coordinates along an axis.
template <class Real>
struct Allowed {
  Real lower = std::numeric_limits<Real>::lowest();
  Real upper = std::numeric_limits<Real>::max();

  Allowed(const Box& box, std::size_t axis) {
    if (!box.periodic[axis]) return;
    const double period = box.upper[axis] - box.lower[axis];
    lower = static_cast<Real>(box.lower[axis] - period);
    upper = static_cast<Real>(box.upper[axis] + period);
  }
  bool contains(Real x) const { return x >= lower && x <= upper; }  // false for NaN
};

/// Throws an Error that names the first bad coordinate.
template <class Real>
[[noreturn]] void throw_bad_point(const Queue& queue, const Points<Real>& points, const Box& box) {
  std::vector<Real> host[3];
  for (int axis = 0; axis < box.dimensions; ++axis) {
    const View<const Real> view = coordinates(points)[static_cast<std::size_t>(axis)];
    Array<Real> contiguous(queue, view.count);
    Array<std::int64_t> order(queue, view.count);
    backend<GhostBackend<Real>>(queue).fill_numbers(queue, nullptr, 0, order);
    gather<Real, std::int64_t>(queue, view, order, contiguous.view());
    host[axis] = to_host(queue, contiguous);
  }
  for (std::size_t i = 0; i < host[0].size(); ++i)
    for (int axis = 0; axis < box.dimensions; ++axis) {
      const Allowed<Real> allowed(box, static_cast<std::size_t>(axis));
      const Real x = host[axis][i];
      require(std::isfinite(x), "ghost points: point ", i, " has ", axis_names[axis], " = ", x,
              "; expected a finite coordinate. Repair or remove it.");
      require(allowed.contains(x), "ghost points: point ", i, " has ", axis_names[axis], " = ", x,
              " m, more than one period outside the box; expected ", allowed.lower, " to ", allowed.upper,
              " m. Move it into the box.");
    }
  throw Error("ghost points: the radii are not finite. Repair them.");
}

}  // namespace

template <class Real>
GhostExtent extent_of(Scratch& scratch, const Points<Real>& points, const Box& box) {
  GhostExtent extent{.count = points.count(), .has_radii = points.radius.count > 0 ? 1 : 0};
  if (extent.count == 0) return extent;
  const Queue& queue = scratch.queue();
  ScratchFrame frame(scratch);
  const View<Real> ends = frame.array<Real>(7);
  const auto end = [&](std::int64_t i) { return View<Real>(ends.data + i, 1, ends.device); };
  fill_bytes(queue, ends.data, 0, 7 * sizeof(Real));
  for (int axis = 0; axis < box.dimensions; ++axis) {
    const View<const Real> x = coordinates(points)[static_cast<std::size_t>(axis)];
    reduce<Real>(scratch, Reduction::min, x, end(2 * axis));
    reduce<Real>(scratch, Reduction::max, x, end(2 * axis + 1));
  }
  if (extent.has_radii != 0) reduce<Real>(scratch, Reduction::max, points.radius, end(6));
  const std::vector<Real> host = to_host(queue, ends);
  bool is_good = std::isfinite(host[6]);
  for (int axis = 0; axis < box.dimensions; ++axis) {
    const Allowed<Real> allowed(box, static_cast<std::size_t>(axis));
    const Real lower = host[static_cast<std::size_t>(2 * axis)];
    const Real upper = host[static_cast<std::size_t>(2 * axis + 1)];
    is_good = is_good && allowed.contains(lower) && allowed.contains(upper);
    extent.lower[axis] = static_cast<double>(lower);
    extent.upper[axis] = static_cast<double>(upper);
  }
  if (!is_good) throw_bad_point(queue, points, box);
  extent.max_radius = host[6];
  return extent;
}
template GhostExtent extent_of(Scratch&, const Points<float>&, const Box&);
template GhostExtent extent_of(Scratch&, const Points<double>&, const Box&);

template <class Real>
GhostRegion ghost_region(const GhostExtent& extent, const Box& box, double radius) {
  GhostRegion region{.dimensions = box.dimensions};
  double longest = radius;  // what the distance test in `Real` rounds
  double largest = 0;       // what the bounds in double round
  for (int axis = 0; axis < box.dimensions; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    region.center[axis] = (extent.lower[axis] + extent.upper[axis]) / 2;
    region.half_width[axis] = (extent.upper[axis] - extent.lower[axis]) / 2;
    region.period[axis] = box.periodic[a] ? box.upper[a] - box.lower[a] : 0;
    longest = std::max(longest, 4 * region.period[axis]);  // of images, one period outside the box on either side
    largest = std::max({largest, std::abs(extent.lower[axis]), std::abs(extent.upper[axis])});
  }
  constexpr double roundings = 32;
  region.reach = radius + roundings * (std::numeric_limits<Real>::epsilon() * longest +
                                       std::numeric_limits<double>::epsilon() * largest);
  return region;
}
template GhostRegion ghost_region<float>(const GhostExtent&, const Box&, double);
template GhostRegion ghost_region<double>(const GhostExtent&, const Box&, double);

bool may_overlap(const GhostRegion& region, const GhostExtent& extent) {
  double squared = 0;
  for (int axis = 0; axis < region.dimensions; ++axis) {
    const double gap =
        region.gap(axis, (extent.lower[axis] + extent.upper[axis]) / 2, (extent.upper[axis] - extent.lower[axis]) / 2);
    squared += gap * gap;
  }
  return squared <= 2 * region.reach * region.reach;  // the factor is room for rounding
}

}  // namespace shoal::neighbors
