// SPDX-License-Identifier: Apache-2.0
// combination: a thread a pair for distances, then a block a point for the smallest.
//
// idea           one kernel writes the distances between points and centers of faces, a thread a pair; a second one
//                reduces the row of each point, a block a point
// source         Wukie, Ganapathy and Park (2014), section III, which proposes it for future work
// memory         8 bytes a point and face for as many points at a time as fit 256 MiB; 32 bytes a triangle, besides 88
// of
//                the triangle
// atomics        none
// deterministic  yes: the answer does not depend on the order in which faces are seen
// wins when      never: distances cost less than writing and reading them
// loses when     always, against `block_1a`, which keeps them in registers
// differs        exact distances to faces: the paper's distances to centers are a bound here, and the second kernel
// sees
//                exactly the faces that may be nearer; points in batches, so that memory is bounded
#include "wall_distance/bounding_spheres/brute_force.cuh"
#include "wall_distance/methods/methods.hpp"

namespace shoal {

namespace {

using Layout = InterleavedBalls<double>;

constexpr std::int64_t most_pairs = 32 << 20;  ///< of a batch, unless one point has more

/// Distances that were written before; block b reads row b.
struct WrittenDistances {
  using Real = double;
  Layout all;
  std::int32_t count;
  const double* squared;  ///< m², [points of the batch][count]

  template <class Visit>
  __device__ void visit(const BallSight<double>&, BallShare share, Visit&& visit) const {
    const double* row = squared + static_cast<std::int64_t>(blockIdx.x) * count;
    for (std::int32_t k = share.first; k < count; k += share.step) visit(k, row[k], all.radius(k));
  }
};

__global__ void write_distances(WallQueries queries, DevicePieces pieces, Layout all, Range points, double* squared) {
  const std::int64_t pair = thread_index();
  if (pair >= points.count() * pieces.count) return;
  const std::int64_t row = pair / pieces.count;
  const BallSight<double> sight(queries.point(points.begin + row), pieces.origin, pieces.turned);
  squared[pair] = sight.squared(all.ball(static_cast<std::int32_t>(pair - row * pieces.count)));
}

class CombinationSearch : public WallSearch {
 public:
  CombinationSearch(const Queue& queue, const WallPieces& pieces)
      : pieces_(queue, pieces),
        memory_(queue, 4 * pieces.count()),
        batch_(std::max<std::int64_t>(1, most_pairs / pieces.count())),
        squared_(queue, 0) {}

  void find(const WallQueries& queries) override {
    constexpr int threads = brute_force::threads;
    const DevicePieces pieces = pieces_.now();
    const Layout all(memory_.data(), pieces.count);
    const Queue& queue = pieces_.queue();
    launch(queue, pieces.count, place_balls<Layout>, queries, pieces, all);
    squared_.resize(std::min(batch_, queries.count()) * pieces.count);
    for (std::int64_t begin = 0; begin < queries.count(); begin += batch_) {
      const Range points{begin, std::min(queries.count(), begin + batch_)};
      launch(queue, points.count() * pieces.count, write_distances, queries, pieces, all, points, squared_.data());
      launch<threads>(queue, points.count() * threads, brute_force::block_a_point<WrittenDistances>, queries, pieces,
                      WrittenDistances{all, pieces.count, squared_.data()}, begin);
    }
  }

  void refit() override { pieces_.reshape(); }
  std::int64_t bytes() const override { return pieces_.bytes() + memory_.bytes() + squared_.bytes(); }

 private:
  PiecesOnDevice pieces_;
  Array<double> memory_;
  std::int64_t batch_;  ///< points
  Array<double> squared_;
};

std::unique_ptr<WallSearch> open(const Queue& queue, const WallPieces& pieces, double) {
  return std::make_unique<CombinationSearch>(queue, pieces);
}

}  // namespace

const WallDistanceMethod wall_distance_combination{
    {"combination", DeviceKind::cuda, true, "Wukie, Ganapathy and Park (2014)"}, open};

}  // namespace shoal
