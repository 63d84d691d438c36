// SPDX-License-Identifier: Apache-2.0
#include <shoal/neighbors/periodic.hpp>

#include <cmath>
#include <optional>

#include "cells/assign_cells.hpp"
#include "core/memory/check_views.hpp"
#include "core/primitives/primitives.hpp"
#include "neighbors/neighbors_method.hpp"
#include "neighbors/periodic/images.hpp"
#include "neighbors/periodic/periodic_item.hpp"
#include "neighbors/search/search_box.hpp"

namespace shoal::neighbors {

namespace {

/// The pairs of a search, in memory that later searches reuse.
template <class Real>
struct PairArrays {
  Array<std::int64_t> offsets, edge_index;
  Array<std::int32_t> shifts;
  Array<Real> distances, displacements;

  explicit PairArrays(const Queue& queue)
      : offsets(queue, 0), edge_index(queue, 0), shifts(queue, 0), distances(queue, 0), displacements(queue, 0) {}

  void resize(std::int64_t pairs, const PeriodicNeighborsOptions& options) {
    edge_index.resize(2 * pairs);
    shifts.resize(3 * pairs);
    if (options.distances) distances.resize(pairs);
    if (options.displacements) displacements.resize(3 * pairs);
  }

  void clear() {
    offsets.resize(0);
    resize(0, {.distances = true, .displacements = true});
  }

  /// Writes pair p of `count`.
  void write(std::int64_t p, std::int64_t count, std::int64_t i, std::int64_t j, const std::int32_t (&shift)[3],
             const Position<Real>& d, Real squared) {
    edge_index.data()[p] = i;
    edge_index.data()[count + p] = j;
    for (int k = 0; k < 3; ++k) shifts.data()[3 * p + k] = shift[k];
    if (distances.count() > 0) distances.data()[p] = std::sqrt(squared);
    if (displacements.count() == 0) return;
    displacements.data()[3 * p] = d.x;
    displacements.data()[3 * p + 1] = d.y;
    displacements.data()[3 * p + 2] = d.z;
  }
};

template <class Real>
ImageTest<Real> test_of(const CellGeometry& cell) {
  ImageTest<Real> test;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t axis = 0; axis < 3; ++axis) test.vectors[k][axis] = static_cast<Real>(cell.vectors[k][axis]);
  return test;
}

}  // namespace

template <class Real>
struct PeriodicNeighbors<Real>::Plan {
  Queue queue;
  double radius;
  PeriodicNeighborsOptions options;
  Real limit;
  const NeighborsMethod& method;
  Scratch scratch;
  PeriodicImages<Real> images;
  double candidate_radius = 0;
  std::optional<Neighbors<double>> candidates;
  PairArrays<Real> pairs;

  Plan(const Queue& on, double r, const PeriodicNeighborsOptions& with)
      : queue((require(on.on_cpu(), "neighbors: PeriodicNeighbors works on the CPU, got a queue on ",
                       to_string(on.device()),
                       ". Copy the points to the host, or use Neighbors for a right-angled box of ",
                       "at least two radii."),
               on)),
        radius(r),
        options(with),
        limit((require_radius(r, Radius::fixed),
               fixed_limit<Real>(r, {.scale = 1, .inclusive = with.predicate == Predicate::inclusive}))),
        method(find_neighbors_method(on, with.method)),
        scratch(on),
        images(on),
        pairs(on) {}

  void require_systems(std::int64_t n, std::span<const std::int64_t> starts, std::size_t cells) const {
    require(starts.size() >= 2, "neighbors: ", starts.size(),
            " starts of systems, expected the first point of each system ", "and the number of points.");
    require(starts.front() == 0 && starts.back() == n, "neighbors: systems start at ", starts.front(), " and end at ",
            starts.back(), ", expected 0 and the number of points, ", n, ".");
    for (std::size_t s = 0; s + 1 < starts.size(); ++s)
      require(starts[s] <= starts[s + 1], "neighbors: system ", s, " starts at point ", starts[s],
              " and ends at point ", starts[s + 1], ", expected ascending numbers.");
    require(cells == 1 || cells == starts.size() - 1, "neighbors: ", cells, " cells for ", starts.size() - 1,
            " systems, expected one cell for each, or one for all.");
  }

  void find(const Points<Real>& points, std::span<const std::int64_t> starts, std::span<const PeriodicCell> cells) {
    const int dimensions = dimensions_of(points);
    require_points(queue, "neighbors", points, dimensions);
    require_systems(points.count(), starts, cells.size());
    pairs.clear();
    try {
      images.make(points, radius, starts, cells);
      find_candidates();
      write_pairs(cells::PointReader<Real>(points), dimensions);
    } catch (...) {
      pairs.clear();
      throw;
    }
  }

  /// Searches the images near each point. A plan of a slightly larger radius serves again.
  void find_candidates() {
    const double reach = images.reach();
    if (!candidates || reach > candidate_radius || reach < 0.99 * candidate_radius) {
      candidate_radius = reach * (1 + 0x1p-10);
      candidates.emplace(queue, candidate_radius, Box{},
                         NeighborsOptions{.method = options.method, .predicate = Predicate::inclusive});
    }
    candidates->find(images.points(), images.images());
  }

  void write_pairs(const cells::PointReader<Real>& points, int dimensions) {
    const std::int64_t n = images.points().count();
    pairs.offsets.resize(n + 1);
    std::int64_t* const offsets = pairs.offsets.data();
    visit_points(points, dimensions, [&](std::int64_t i, auto&& for_each_pair) {
      std::int64_t count = 0;
      for_each_pair([&](auto&&...) { ++count; });
      offsets[i] = count;
    });
    exclusive_scan<std::int64_t>(scratch, View<const std::int64_t>(offsets, n), pairs.offsets);
    const std::int64_t total = offsets[n];
    pairs.resize(total, options);
    visit_points(points, dimensions, [&](std::int64_t i, auto&& for_each_pair) {
      std::int64_t next = offsets[i];
      for_each_pair([&](std::int64_t j, const std::int32_t(&shift)[3], const Position<Real>& d, Real squared) {
        pairs.write(next++, total, i, j, shift, d, squared);
      });
    });
  }

  /// Calls visit(i, for_each_pair) for each point; for_each_pair(use) calls use(j, shift, displacement, squared distance)
  /// for its pairs in order.
  template <class Visit>
  void visit_points(const cells::PointReader<Real>& points, int dimensions, Visit&& visit) {
    const auto position = [&](std::int64_t i) {
      return Position<Real>{points.at_x(i), points.at_y(i, dimensions), points.at_z(i, dimensions)};
    };
    const std::int64_t* const first = candidates->offsets().data;
    const std::int32_t* const candidate = candidates->indices().data;
    const ImageRule rule{options.include_self, options.half};
    const std::span<const SystemBlock> blocks = images.blocks();
#pragma omp parallel for num_threads(queue.threads()) schedule(dynamic)
    for (const SystemBlock& block : blocks) {
      const ImageTest<Real> test = test_of<Real>(block.system->cell);
      for (std::int64_t i = block.points.begin; i < block.points.end; ++i) {
        const Position<Real> at_i = position(i);
        const std::int32_t(&periods)[3] = images.wrapped_point(i).periods;
        visit(i, [&](auto&& use) {
          for (std::int64_t c = first[i]; c < first[i + 1]; ++c) {
            const PointImage& image = images.image(candidate[c]);
            const std::int32_t shift[3] = {image.shift[0] + periods[0], image.shift[1] + periods[1],
                                           image.shift[2] + periods[2]};
            if (!rule.wants(i, image.point, shift)) continue;
            const Position<Real> d = test.displacement(at_i, position(image.point), shift);
            const Real squared = PairTest<Real>::squared(d);
            if (squared < limit) use(std::int64_t{image.point}, shift, d, squared);
          }
        });
      }
    }
  }

  std::int64_t scratch_bytes() const {
    return scratch.bytes() + images.bytes() + (candidates ? candidates->scratch_bytes() : 0);
  }
};

template <class Real>
PeriodicNeighbors<Real>::PeriodicNeighbors(const Queue& queue, double radius, const PeriodicNeighborsOptions& options)
    : plan_(std::make_unique<Plan>(queue, radius, options)) {}
template <class Real>
PeriodicNeighbors<Real>::~PeriodicNeighbors() = default;
template <class Real>
PeriodicNeighbors<Real>::PeriodicNeighbors(PeriodicNeighbors&&) noexcept = default;
template <class Real>
PeriodicNeighbors<Real>& PeriodicNeighbors<Real>::operator=(PeriodicNeighbors&&) noexcept = default;

template <class Real>
void PeriodicNeighbors<Real>::find(const Points<Real>& points, const PeriodicCell& cell) {
  const std::int64_t starts[] = {0, points.count()};
  plan_->find(points, starts, {&cell, 1});
}
template <class Real>
void PeriodicNeighbors<Real>::find(const Points<Real>& points, std::span<const std::int64_t> starts,
                                   std::span<const PeriodicCell> cells) {
  plan_->find(points, starts, cells);
}

template <class Real>
std::int64_t PeriodicNeighbors<Real>::pair_count() const {
  return plan_->pairs.shifts.count() / 3;
}
template <class Real>
View<const std::int64_t> PeriodicNeighbors<Real>::offsets() const {
  return plan_->pairs.offsets;
}
template <class Real>
View<const std::int64_t> PeriodicNeighbors<Real>::edge_index() const {
  return plan_->pairs.edge_index;
}
template <class Real>
View<const std::int32_t> PeriodicNeighbors<Real>::shifts() const {
  return plan_->pairs.shifts;
}
template <class Real>
View<const Real> PeriodicNeighbors<Real>::distances() const {
  return plan_->pairs.distances;
}
template <class Real>
View<const Real> PeriodicNeighbors<Real>::displacements() const {
  return plan_->pairs.displacements;
}
template <class Real>
std::int64_t PeriodicNeighbors<Real>::image_count() const {
  return plan_->images.image_count();
}
template <class Real>
std::int64_t PeriodicNeighbors<Real>::scratch_bytes() const {
  return plan_->scratch_bytes();
}
template <class Real>
MethodInfo PeriodicNeighbors<Real>::method() const {
  return method_info("neighbors", plan_->method);
}

template class PeriodicNeighbors<float>;
template class PeriodicNeighbors<double>;

}  // namespace shoal::neighbors
