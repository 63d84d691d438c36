// SPDX-License-Identifier: Apache-2.0
#include <shoal/neighbors/nearest.hpp>

#include <cmath>

#include "core/memory/check_views.hpp"
#include "neighbors/nearest/nearest_backend.hpp"
#include "neighbors/search/valid_points.hpp"

namespace shoal::neighbors {

template <class Real>
struct NearestNeighbors<Real>::Plan {
  Queue queue;
  std::int64_t count;
  Box box;
  NearestOptions options;
  PairTest<Real> test;
  Real slack[3] = {};  ///< m, rounding error of distances on periodic axes
  Scratch scratch;
  PointTree<Real> tree;
  Array<std::int32_t> indices;
  Array<Real> distances;

  Plan(const Queue& on, int k, const Box& in, const NearestOptions& with)
      : queue(on),
        count(k),
        box((require_valid(in), in)),
        options(with),
        test(pair_test<Real>(in)),
        scratch(on),
        tree(on),
        indices(on, 0),
        distances(on, 0) {
    require(k >= 1, "neighbors: count = ", k, " nearest points, expected at least 1.");
    constexpr Real roundoff = sizeof(Real) == 4 ? Real(0x1p-24) : Real(0x1p-53);
    for (int axis = 0; axis < box.dimensions; ++axis)
      if (box.periodic[axis])
        slack[axis] = 32 * roundoff *
                      static_cast<Real>(std::abs(box.lower[axis]) + std::abs(box.upper[axis]) + 2 * test.period[axis]);
  }

  void clear() {
    indices.resize(0);
    distances.resize(0);
  }

  void find(const Points<Real>& points) {
    clear();
    require_points(queue, "neighbors", points, box.dimensions);
    require_valid_points(scratch, box, "point", points);
    find_by(points.count(), points, !options.include_self, [&](const NearestSearch<Real>& search) {
      backend<NearestBackend<Real>>(queue).search_tree(queue, search);
    });
  }

  void find(const Points<Real>& destinations, const Points<Real>& sources) {
    clear();
    require_points(queue, "neighbors (destinations)", destinations, box.dimensions);
    require_points(queue, "neighbors (sources)", sources, box.dimensions);
    require_valid_points(scratch, box, "source", sources);
    require_valid_points(scratch, box, "destination", destinations);
    find_by(destinations.count(), sources, false, [&](const NearestSearch<Real>& search) {
      backend<NearestBackend<Real>>(queue).search_points(scratch, search, destinations, box.dimensions);
    });
  }

  /// Builds the tree of the sources, and writes n rows by run(search).
  template <class Run>
  void find_by(std::int64_t n, const Points<Real>& sources, bool skips_self, Run&& run) {
    try {
      indices.resize(n * count);
      distances.resize(n * count);
      tree.build(scratch, sources, box.dimensions);
      run(NearestSearch<Real>{.sources = tree.view(),
                              .test = test,
                              .slack = {slack[0], slack[1], slack[2]},
                              .skips_self = skips_self,
                              .count = count,
                              .indices = indices.data(),
                              .distances = distances.data()});
      queue.wait();
    } catch (...) {
      clear();
      throw;
    }
  }
};

template <class Real>
NearestNeighbors<Real>::NearestNeighbors(const Queue& queue, int count, const Box& box, const NearestOptions& options)
    : plan_(std::make_unique<Plan>(queue, count, box, options)) {}
template <class Real>
NearestNeighbors<Real>::~NearestNeighbors() = default;
template <class Real>
NearestNeighbors<Real>::NearestNeighbors(NearestNeighbors&&) noexcept = default;
template <class Real>
NearestNeighbors<Real>& NearestNeighbors<Real>::operator=(NearestNeighbors&&) noexcept = default;

template <class Real>
void NearestNeighbors<Real>::find(const Points<Real>& points) {
  plan_->find(points);
}
template <class Real>
void NearestNeighbors<Real>::find(const Points<Real>& destinations, const Points<Real>& sources) {
  plan_->find(destinations, sources);
}
template <class Real>
View<const std::int32_t> NearestNeighbors<Real>::indices() const {
  return plan_->indices;
}
template <class Real>
View<const Real> NearestNeighbors<Real>::distances() const {
  return plan_->distances;
}
template <class Real>
std::int64_t NearestNeighbors<Real>::scratch_bytes() const {
  return plan_->scratch.bytes() + plan_->tree.bytes();
}

template class NearestNeighbors<float>;
template class NearestNeighbors<double>;

}  // namespace shoal::neighbors
