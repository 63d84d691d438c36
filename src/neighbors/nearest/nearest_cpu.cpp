// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <vector>

#include "core/first_exception.hpp"
#include "neighbors/nearest/nearest_backend.hpp"
#include "neighbors/tuning.hpp"

namespace shoal::neighbors {

namespace {

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

template <class Real>
void write_row(const NearestSearch<Real>& search, std::int64_t row, const std::vector<NearestSource<Real>>& sources) {
  const NearestSource<Real> missing{std::numeric_limits<Real>::infinity(), NearestSource<Real>::none};
  for (std::int64_t c = 0; c < search.count; ++c)
    search.write(row, c, c < std::ssize(sources) ? sources[static_cast<std::size_t>(c)] : missing);
}

/// Writes the rows of n destinations.
/// @param destination  returns destination k with its number; neighbors in this order share parts of the tree
template <class Real, class Destination>
void search_each(const Queue& queue, const NearestSearch<Real>& search, std::int64_t n, Destination&& destination) {
  FirstException failed;
#pragma omp parallel num_threads(threads_for(8 * n, queue.threads()))  // a search is longer than an item of a task
  {
    NearestHeap<Real> heap(static_cast<std::size_t>(search.count));
#pragma omp for schedule(dynamic, tuning::cpu_rows)
    for (std::int64_t k = 0; k < n; ++k)
      failed.guard([&] {
        const PackedPoint<Real> point = destination(k);
        heap.clear();
        search.template collect<true>(point, heap);
        write_row(search, point.number, heap.sorted());
      });
  }
  failed.rethrow();
}

template <class Real>
void search_tree(const Queue& queue, const NearestSearch<Real>& search) {
  search_each(queue, search, search.sources.count, [&](std::int64_t k) { return search.sources.points[k]; });
}

template <class Real>
void search_points(Scratch& scratch, const NearestSearch<Real>& search, const Points<Real>& destinations,
                   int dimensions) {
  using Number = decltype(PackedPoint<Real>::number);
  const cells::PointReader<Real> reader(destinations);
  search_each(scratch.queue(), search, destinations.count(), [&](std::int64_t i) {
    return PackedPoint<Real>{{reader.at_x(i), reader.at_y(i, dimensions), reader.at_z(i, dimensions)},
                             static_cast<Number>(i)};
  });
}

}  // namespace

template <class Real>
const NearestBackend<Real> NearestBackend<Real>::cpu = {.search_tree = neighbors::search_tree<Real>,
                                                        .search_points = neighbors::search_points<Real>};
template const NearestBackend<float> NearestBackend<float>::cpu;
template const NearestBackend<double> NearestBackend<double>::cpu;

}  // namespace shoal::neighbors
