// SPDX-License-Identifier: Apache-2.0
// Pairs with images by the definition in <shoal/neighbors/periodic.hpp>, in plain loops that share no code with the library.
#pragma once
#include <shoal/neighbors/periodic.hpp>

#include <cmath>
#include <ostream>
#include <vector>

#include "support/distributions.hpp"

namespace shoal::testing_support {

/// List of pairs on the host.
template <class Real>
struct ImageList {
  std::vector<std::int64_t> offsets, i, j;
  std::vector<std::int32_t> shifts;
  std::vector<Real> distances, displacements;

  bool operator==(const ImageList&) const = default;
};

template <class Real>
void PrintTo(const ImageList<Real>& list, std::ostream* out) {
  *out << list.i.size() << " pairs:";
  for (std::size_t p = 0; p < std::min<std::size_t>(list.i.size(), 20); ++p)
    *out << " (" << list.i[p] << ", " << list.j[p] << ", [" << list.shifts[3 * p] << ' ' << list.shifts[3 * p + 1]
         << ' ' << list.shifts[3 * p + 2] << "])";
}

template <class T>
std::vector<T> vector_of(View<const T> view) {
  return {view.data, view.data + view.count};
}

/// List of a plan on the device of a queue.
template <class Real>
ImageList<Real> image_list(const PeriodicNeighbors<Real>& neighbors, const Queue& queue = Queue::cpu(1)) {
  const std::vector<std::int64_t> edges = to_host(queue, neighbors.edge_index());
  const auto half = static_cast<std::ptrdiff_t>(edges.size() / 2);
  return {to_host(queue, neighbors.offsets()),   {edges.begin(), edges.begin() + half},
          {edges.begin() + half, edges.end()},   to_host(queue, neighbors.shifts()),
          to_host(queue, neighbors.distances()), to_host(queue, neighbors.displacements())};
}

inline const PeriodicNeighborsOptions with_all_outputs{.distances = true, .displacements = true};

template <class Real>
ImageList<Real> find_images(double radius, const Distribution<Real>& points, const PeriodicCell& cell,
                            PeriodicNeighborsOptions options = with_all_outputs, int threads = 2) {
  PeriodicNeighbors<Real> neighbors(Queue::cpu(threads), radius, options);
  neighbors.find({points.x, points.y, points.z}, cell);
  return image_list(neighbors);
}

/// All pairs with shifts of up to `most` periods along each periodic vector.
template <class Real>
ImageList<Real> brute_force_images(double radius, const Distribution<Real>& points, const PeriodicCell& cell, int most,
                                   const PeriodicNeighborsOptions& options = with_all_outputs) {
  ImageList<Real> list{{0}, {}, {}, {}, {}, {}};
  const auto r = static_cast<Real>(radius);
  const auto range = [&](std::size_t k) { return cell.periodic[k] ? most : 0; };
  const std::vector<Real>* axes[] = {&points.x, &points.y, &points.z};
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    for (std::size_t j = 0; j < points.x.size(); ++j)
      for (int s0 = -range(0); s0 <= range(0); ++s0)
        for (int s1 = -range(1); s1 <= range(1); ++s1)
          for (int s2 = -range(2); s2 <= range(2); ++s2) {
            const int shift[] = {s0, s1, s2};
            Real d[3];
            for (std::size_t axis = 0; axis < 3; ++axis) {
              d[axis] = (*axes[axis])[j] - (*axes[axis])[i];
              for (std::size_t k = 0; k < 3; ++k)
                if (cell.periodic[k])
                  d[axis] = std::fma(static_cast<Real>(shift[k]), static_cast<Real>(cell.vectors[k][axis]), d[axis]);
            }
            const Real squared = std::fma(d[2], d[2], std::fma(d[1], d[1], d[0] * d[0]));
            if (!(options.predicate == Predicate::strict ? squared < r * r : squared <= r * r)) continue;
            const bool is_self = i == j && s0 == 0 && s1 == 0 && s2 == 0;
            if (is_self && !options.include_self) continue;
            const int first = s0 != 0 ? s0 : s1 != 0 ? s1 : s2;
            if (options.half && (j < i || (j == i && first < 0))) continue;
            list.i.push_back(static_cast<std::int64_t>(i));
            list.j.push_back(static_cast<std::int64_t>(j));
            list.shifts.insert(list.shifts.end(), {s0, s1, s2});
            if (options.distances) list.distances.push_back(std::sqrt(squared));
            if (options.displacements) list.displacements.insert(list.displacements.end(), {d[0], d[1], d[2]});
          }
    list.offsets.push_back(static_cast<std::int64_t>(list.i.size()));
  }
  return list;
}

}  // namespace shoal::testing_support
