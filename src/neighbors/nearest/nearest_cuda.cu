// SPDX-License-Identifier: Apache-2.0
// One thread for each destination, in the order of the tree's leaves, so that threads of a warp visit the same nodes. The
// nearest sources stay in registers for k <= 32, else in the row of the result.
#include "core/cuda/launch.cuh"
#include "neighbors/nearest/nearest_backend.hpp"
#include "neighbors/nearest/nearest_collections.cuh"

namespace shoal::neighbors {

namespace {

constexpr int threads = 128;

template <class Collection, bool periodic, class Real>
__global__ void __launch_bounds__(threads)
    search_each(NearestSearch<Real> search, const PackedPoint<Real>* destinations, std::int64_t n) {
  const std::int64_t k = thread_index();
  if (k >= n) return;
  const PackedPoint<Real> destination = destinations[k];
  Collection nearest(search, destination.number);
  search.template collect<periodic>(destination, nearest);
  nearest.write_row(search, destination.number);
}

template <class Collection, class Real>
void search_with(const Queue& queue, const NearestSearch<Real>& search, View<const PackedPoint<Real>> destinations) {
  const Real* const period = search.test.period;
  const bool is_periodic = period[0] > 0 || period[1] > 0 || period[2] > 0;
  launch<threads>(queue, destinations.count,
                  is_periodic ? search_each<Collection, true, Real> : search_each<Collection, false, Real>, search,
                  destinations.data, destinations.count);
}

template <class Real>
void search_packed(const Queue& queue, const NearestSearch<Real>& search, View<const PackedPoint<Real>> destinations) {
  if (search.count <= 8) return search_with<RegisterCollection<8, Real>>(queue, search, destinations);
  if (search.count <= 16) return search_with<RegisterCollection<16, Real>>(queue, search, destinations);
  if (search.count <= 32) return search_with<RegisterCollection<32, Real>>(queue, search, destinations);
  search_with<RowCollection<Real>>(queue, search, destinations);
}

template <class Real>
void search_tree(const Queue& queue, const NearestSearch<Real>& search) {
  search_packed(queue, search,
                View<const PackedPoint<Real>>(search.sources.points, search.sources.count, queue.device()));
}

template <class Real>
void search_points(Scratch& scratch, const NearestSearch<Real>& search, const Points<Real>& destinations,
                   int dimensions) {
  if (destinations.count() == 0) return;
  ScratchFrame frame(scratch);
  const View<PackedPoint<Real>> packed = frame.array<PackedPoint<Real>>(destinations.count());
  PointTreeBackend<Real>::cuda.pack(scratch, destinations, dimensions, packed);
  search_packed<Real>(scratch.queue(), search, packed);
}

}  // namespace

template <class Real>
const NearestBackend<Real> NearestBackend<Real>::cuda = {.search_tree = neighbors::search_tree<Real>,
                                                         .search_points = neighbors::search_points<Real>};
template const NearestBackend<float> NearestBackend<float>::cuda;
template const NearestBackend<double> NearestBackend<double>::cuda;

}  // namespace shoal::neighbors
