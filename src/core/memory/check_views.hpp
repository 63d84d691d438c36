// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/points.hpp>

#include "core/text.hpp"

namespace shoal {

/// Throws unless a view has `count` elements and is on the queue's device.
template <class T>
void require_view(const Queue& queue, const char* operation, const char* name, View<T> view, std::int64_t count) {
  require(view.count == count, operation, ": ", name, " has ", view.count, " elements, expected ", count, ".");
  require(view.empty() || view.device == queue.device(), operation, ": ", name, " is on ", to_string(view.device),
          ", the queue works on ", to_string(queue.device()), ". Copy it there first.");
}

/// Throws unless all coordinates that are needed have the same count, which fits 32-bit point numbers, and are on the
/// queue's device.
template <class Real>
void require_points(const Queue& queue, const char* operation, const Points<Real>& points, int dimensions) {
  const std::int64_t n = points.count();
  require_view(queue, operation, "x", points.x, n);
  if (dimensions > 1) require_view(queue, operation, "y", points.y, n);
  if (dimensions > 2) require_view(queue, operation, "z", points.z, n);
  constexpr std::int64_t most = 2147483646;
  require(n <= most, operation, ": ", n, " points, expected at most ", most, ". Split them into several sets.");
}

}  // namespace shoal
