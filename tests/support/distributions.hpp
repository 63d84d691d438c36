// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/points.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace shoal::testing_support {

/// Points in the unit box, with a name for messages; with radii where a test gives them.
template <class Real>
struct Distribution {
  std::string name;
  std::vector<Real> x, y, z;
  std::vector<Real> radius = {};

  Points<Real> points() const { return {x, y, z, radius}; }
  std::int64_t count() const { return static_cast<std::int64_t>(x.size()); }
  void add(double px, double py, double pz) {
    x.push_back(static_cast<Real>(px));
    y.push_back(static_cast<Real>(py));
    z.push_back(static_cast<Real>(pz));
  }
};

/// Every place equally likely.
template <class Real>
Distribution<Real> uniform(std::int64_t n, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> pick(0, 1);
  Distribution<Real> points{"uniform", {}, {}, {}};
  for (std::int64_t i = 0; i < n; ++i) {
    const double px = pick(random);
    const double py = pick(random);
    points.add(px, py, pick(random));
  }
  return points;
}

/// Five dense clouds.
template <class Real>
Distribution<Real> clustered(std::int64_t n, unsigned seed = 2) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> spread(0, 0.02);
  std::uniform_int_distribution<int> cloud(0, 4);
  const auto inside = [](double value) { return std::clamp(value, 0.0, 1.0); };
  Distribution<Real> points{"clustered", {}, {}, {}};
  for (std::int64_t i = 0; i < n; ++i) {
    const double center = 0.1 + 0.2 * cloud(random);
    const double px = inside(center + spread(random));
    const double py = inside(1 - center + spread(random));
    points.add(px, py, inside(0.5 + spread(random)));
  }
  return points;
}

/// Half of all points in 0.1 % of the volume, in the middle of the box.
template <class Real>
Distribution<Real> half_in_a_clump(std::int64_t n, unsigned seed = 4) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> anywhere(0, 1);
  std::uniform_real_distribution<double> inside(0.45, 0.55);
  Distribution<Real> points{"half in a clump", {}, {}, {}};
  for (std::int64_t i = 0; i < n; ++i) {
    auto& pick = i % 2 == 0 ? inside : anywhere;
    const double px = pick(random);
    const double py = pick(random);
    points.add(px, py, pick(random));
  }
  return points;
}

/// A plane at an angle to all axes, z = 0.2 + 0.3 x + 0.3 y.
template <class Real>
Distribution<Real> tilted_sheet(std::int64_t n, unsigned seed = 5) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> pick(0, 1);
  Distribution<Real> points{"tilted sheet", {}, {}, {}};
  for (std::int64_t i = 0; i < n; ++i) {
    const double px = pick(random);
    const double py = pick(random);
    points.add(px, py, 0.2 + 0.3 * (px + py));
  }
  return points;
}

/// A settled bed: every point in the lower half of the box along z.
template <class Real>
Distribution<Real> bed(std::int64_t n) {
  Distribution<Real> points = uniform<Real>(n, 7);
  points.name = "bed";
  for (Real& z : points.z) z = z / 2;
  return points;
}

/// All points but one in one small place.
template <class Real>
Distribution<Real> one_hot(std::int64_t n) {
  Distribution<Real> points{"one_hot", {}, {}, {}};
  for (std::int64_t i = 0; i + 1 < n; ++i) points.add(0.3, 0.3, 0.3);
  if (n > 0) points.add(0.9, 0.8, 0.7);
  return points;
}

/// A cubic packing with its outer points on the faces of the box, so that many points are on edges of cells.
template <class Real>
Distribution<Real> packed(std::int64_t n) {
  const auto edge = std::max<std::int64_t>(2, static_cast<std::int64_t>(std::ceil(std::cbrt(static_cast<double>(n)))));
  const auto place = [&](std::int64_t k) { return static_cast<double>(k % edge) / static_cast<double>(edge - 1); };
  Distribution<Real> points{"packed", {}, {}, {}};
  for (std::int64_t i = 0; i < n; ++i) points.add(place(i), place(i / edge), place(i / edge / edge));
  return points;
}

/// The same points in the order of `rank`.
template <class Real>
Distribution<Real> reordered(const Distribution<Real>& from, std::string name, const std::vector<std::size_t>& rank) {
  Distribution<Real> points{std::move(name), {}, {}, {}};
  for (const std::size_t i : rank) points.add(from.x[i], from.y[i], from.z[i]);
  return points;
}

/// By z, then y, then x.
template <class Real>
Distribution<Real> sorted(const Distribution<Real>& from) {
  std::vector<std::size_t> rank(from.x.size());
  std::iota(rank.begin(), rank.end(), std::size_t{0});
  std::sort(rank.begin(), rank.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(from.z[a], from.y[a], from.x[a], a) < std::tuple(from.z[b], from.y[b], from.x[b], b);
  });
  return reordered(from, "sorted " + from.name, rank);
}

template <class Real>
Distribution<Real> shuffled(const Distribution<Real>& from, unsigned seed = 3) {
  std::vector<std::size_t> rank(from.x.size());
  std::iota(rank.begin(), rank.end(), std::size_t{0});
  std::shuffle(rank.begin(), rank.end(), std::mt19937_64(seed));
  return reordered(from, "shuffled " + from.name, rank);
}

template <class Real>
std::vector<Distribution<Real>> every_distribution(std::int64_t n) {
  const Distribution<Real> grid = packed<Real>(n);
  const Distribution<Real> cloud = uniform<Real>(n);
  return {cloud, clustered<Real>(n), one_hot<Real>(n), grid, sorted(cloud), shuffled(grid)};
}

/// The same points on the device of a queue.
template <class Real>
struct DevicePoints {
  Array<Real> x, y, z, radius;

  DevicePoints(const Queue& queue, const Distribution<Real>& from)
      : x(to_device(queue, from.x)),
        y(to_device(queue, from.y)),
        z(to_device(queue, from.z)),
        radius(to_device(queue, from.radius)) {}
  Points<Real> points() const { return {x, y, z, radius}; }

  /// Moves the points, in the memory that they have. As many as before.
  void copy_from(const Queue& queue, const Distribution<Real>& from) {
    copy(queue, View<const Real>(from.x), x.view());
    copy(queue, View<const Real>(from.y), y.view());
    copy(queue, View<const Real>(from.z), z.view());
    copy(queue, View<const Real>(from.radius), radius.view());
  }
};

}  // namespace shoal::testing_support
