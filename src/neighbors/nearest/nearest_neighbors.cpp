// SPDX-License-Identifier: Apache-2.0
#include <shoal/neighbors/nearest.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/first_exception.hpp"
#include "core/memory/check_views.hpp"
#include "neighbors/nearest/point_tree.hpp"
#include "neighbors/search/search_box.hpp"
#include "neighbors/tuning.hpp"

namespace shoal::neighbors {

namespace {

/// Source and its squared distance, ordered by distance, then by number.
template <class Real>
struct NearestSource {
  Real squared;  ///< m²
  std::int32_t number;

  bool operator<(const NearestSource& source) const {
    return squared < source.squared || (squared == source.squared && number < source.number);
  }
};

/// The k nearest of the sources added so far: a heap with the farthest on top.
template <class Real>
class NearestHeap {
 public:
  explicit NearestHeap(std::size_t count) : count_(count) {}

  void clear() { sources_.clear(); }

  /// Squared distance, m², beyond which no source is added.
  Real bound() const {
    return sources_.size() < count_ ? std::numeric_limits<Real>::infinity() : sources_.front().squared;
  }

  void add(const NearestSource<Real>& source) {
    if (sources_.size() == count_) {
      if (!(source < sources_.front())) return;
      std::pop_heap(sources_.begin(), sources_.end());
      sources_.back() = source;
    } else {
      sources_.push_back(source);
    }
    std::push_heap(sources_.begin(), sources_.end());
  }

  /// Sources by ascending distance. The heap must be cleared afterwards.
  const std::vector<NearestSource<Real>>& sorted() {
    std::sort_heap(sources_.begin(), sources_.end());
    return sources_;
  }

 private:
  std::size_t count_;
  std::vector<NearestSource<Real>> sources_;
};

}  // namespace

template <class Real>
struct NearestNeighbors<Real>::Plan {
  Queue queue;
  std::int64_t count;
  Box box;
  NearestOptions options;
  PairTest<Real> test;
  Real slack[3] = {};  ///< m, rounding error of distances on periodic axes
  PointTree<Real> tree;
  Array<std::int32_t> indices;
  Array<Real> distances;

  Plan(const Queue& on, int k, const Box& in, const NearestOptions& with)
      : queue((require(on.on_cpu(), "neighbors: NearestNeighbors works on the CPU, got a queue on ",
                       to_string(on.device()), ". Copy the points to the host."),
               on)),
        count(k),
        box((require_valid(in), in)),
        options(with),
        test(pair_test<Real>(in)),
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
    require_valid_points(queue, box, "point", points);
    tree.build(cells::PointReader<Real>(points), points.count(), box.dimensions);
    search(
        points.count(), [&](std::int64_t k) { return tree.point(k); }, !options.include_self);
  }

  void find(const Points<Real>& destinations, const Points<Real>& sources) {
    clear();
    require_points(queue, "neighbors (destinations)", destinations, box.dimensions);
    require_points(queue, "neighbors (sources)", sources, box.dimensions);
    require_valid_points(queue, box, "source", sources);
    require_valid_points(queue, box, "destination", destinations);
    tree.build(cells::PointReader<Real>(sources), sources.count(), box.dimensions);
    const cells::PointReader<Real> reader(destinations);
    const auto destination = [&](std::int64_t i) {
      using Number = decltype(PackedPoint<Real>::number);
      const int dimensions = box.dimensions;
      return PackedPoint<Real>{{reader.at_x(i), reader.at_y(i, dimensions), reader.at_z(i, dimensions)},
                               static_cast<Number>(i)};
    };
    search(destinations.count(), destination, false);
  }

  /// Writes the rows of n destinations.
  /// @param destination  returns destination k with its number; neighbors in this order share parts of the tree
  /// @param skips_self   sources with the number of the destination are left out
  template <class Destination>
  void search(std::int64_t n, Destination&& destination, bool skips_self) {
    indices.resize(n * count);
    distances.resize(n * count);
    FirstException failed;
#pragma omp parallel num_threads(queue.threads())
    {
      NearestHeap<Real> heap(static_cast<std::size_t>(count));
#pragma omp for schedule(dynamic, tuning::cpu_rows)
      for (std::int64_t k = 0; k < n; ++k)
        failed.guard([&] {
          const PackedPoint<Real> point = destination(k);
          heap.clear();
          const auto bound = [&] { return heap.bound(); };
          tree.visit(test, point.position, slack, bound, [&](const PackedPoint<Real>& source) {
            if (skips_self && source.number == point.number) return;
            const Position<Real> d = test.template displacement<true>(point.position, source.position);
            heap.add({PairTest<Real>::squared(d), static_cast<std::int32_t>(source.number)});
          });
          write_row(point.number, heap.sorted());
        });
    }
    failed.rethrow();
  }

  void write_row(std::int64_t row, const std::vector<NearestSource<Real>>& sources) {
    const auto source_count = static_cast<std::int64_t>(sources.size());
    for (std::int64_t c = 0; c < count; ++c) {
      const bool exists = c < source_count;
      const std::size_t source = exists ? static_cast<std::size_t>(c) : 0;
      indices.data()[row * count + c] = exists ? sources[source].number : -1;
      distances.data()[row * count + c] =
          exists ? std::sqrt(sources[source].squared) : std::numeric_limits<Real>::infinity();
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
  return plan_->tree.bytes();
}

template class NearestNeighbors<float>;
template class NearestNeighbors<double>;

}  // namespace shoal::neighbors
