// SPDX-License-Identifier: Apache-2.0
// Points outside the unit box, which operations on its grid refuse.
#pragma once
#include <shoal/grid.hpp>

#include <cmath>

#include "support/devices.hpp"
#include "support/distributions.hpp"
#include "support/messages.hpp"

namespace shoal::testing_support {

/// Grid of the unit box.
inline Grid unit_grid() { return Grid::fill(3, {0, 0, 0}, {1, 1, 1}, 0.25); }

/// Points of which three are outside; the first of them is 31234.
inline Distribution<double> first_outside_is_31234() {
  Distribution<double> points = uniform<double>(42'793);
  points.x[41'000] = 2;
  points.y[31'234] = 1.0000001;
  points.z[40'000] = std::nan("");
  return points;
}

/// A plan on the unit grid, five points that it accepts, and five of which it refuses point 2, at x = 9 m.
template <class Plan, class Real>
struct GoodAndBadPoints {
  Queue queue;
  Plan plan;
  DevicePoints<Real> good, bad;

  explicit GoodAndBadPoints(const Queue& plan_queue)
      : queue(plan_queue), plan(queue, unit_grid()), good(queue, uniform<Real>(5)), bad(queue, with_one_outside()) {}

  void bin(const DevicePoints<Real>& points) { plan.bin(points.x, points.y, points.z); }
  std::string message_of_wait() {
    return message_of([this] { queue.wait(); });
  }

 private:
  static Distribution<Real> with_one_outside() {
    Distribution<Real> points = uniform<Real>(5);
    points.x[2] = 9;
    return points;
  }
};

}  // namespace shoal::testing_support
