// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "wall_distance/bounding_spheres/sphere_layouts.cuh"

/// What the paper's brute-force methods share. Every one goes over all balls twice: for the smallest distance to a
/// center, which is the paper's answer, and for the pieces that may be nearer than that, which are seen exactly.
namespace shoal::brute_force {

constexpr int threads = 256;
constexpr int blocks = 2;  ///< of a multiprocessor at least: the exact sight of a face would take all registers

/// A thread a point.
template <class Balls>
__global__ void __launch_bounds__(threads, blocks)
    thread_a_point(WallQueries queries, DevicePieces pieces, Balls balls) {
  using Real = typename Balls::Real;
  const std::int64_t i = thread_index();
  const bool asks = i < queries.count() && queries.accept(i, queries.point(i));
  if (!Balls::whole_blocks && !asks) return;
  const TwofoldVector point = asks ? queries.point(i) : TwofoldVector{};
  const BallSight<Real> sight(point, pieces.origin, pieces.turned);
  Real least = no_distance<Real>;
  balls.visit(sight, {0, 1}, [&](std::int32_t, Real squared, Real) { least = min(squared, least); });
  const Real reach = sight.reach(least);
  NearestFace nearest;
  balls.visit(sight, {0, 1}, [&](std::int32_t k, Real squared, Real radius) {
    if (asks && may_be_nearest(squared, radius, reach)) pieces.see(queries, point, k, nearest);
  });
  if (asks) pieces.write(queries, i, point, nearest);
}

/// The best of the values of a block's threads, by a tree of pairs in shared memory. All threads must call it.
template <class Value, class Better>
__device__ Value best_of_block(Value mine, Better&& better) {
  __shared__ Value values[threads];
  values[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned step = threads / 2; step > 0; step /= 2) {
    if (threadIdx.x < step && better(values[threadIdx.x + step], values[threadIdx.x]))
      values[threadIdx.x] = values[threadIdx.x + step];
    __syncthreads();
  }
  const Value best = values[0];
  __syncthreads();  // before the next tree
  return best;
}

struct Found {
  double distance;
  std::int64_t piece;
};

/// A block a point, a thread a face.
/// @param first  the point of block 0
template <class Balls>
__global__ void __launch_bounds__(threads, blocks)
    block_a_point(WallQueries queries, DevicePieces pieces, Balls balls, std::int64_t first) {
  using Real = typename Balls::Real;
  const std::int64_t i = first + blockIdx.x;
  const TwofoldVector point = queries.point(i);
  if (!queries.accept(i, point)) return;  // all threads of the block
  const BallShare share{static_cast<std::int32_t>(threadIdx.x), threads};
  const BallSight<Real> sight(point, pieces.origin, pieces.turned);
  Real least = no_distance<Real>;
  balls.visit(sight, share, [&](std::int32_t, Real squared, Real) { least = min(squared, least); });
  least = best_of_block(least, [](Real a, Real b) { return a < b; });
  const Real reach = sight.reach(least);
  NearestFace nearest;
  balls.visit(sight, share, [&](std::int32_t k, Real squared, Real radius) {
    if (may_be_nearest(squared, radius, reach)) pieces.see(queries, point, k, nearest);
  });
  const Found found = best_of_block(Found{nearest.distance, nearest.piece}, [](const Found& a, const Found& b) {
    return a.piece >= 0 && (b.piece < 0 || a.distance < b.distance || (a.distance == b.distance && a.piece < b.piece));
  });
  if (nearest.piece == found.piece) pieces.write(queries, i, point, nearest);
}

enum class Unit { thread, block };

/// One of the paper's six.
template <Unit unit, class Balls>
class Search : public WallSearch {
  using Layout = typename Balls::Layout;
  using Real = typename Balls::Real;

 public:
  Search(const Queue& queue, const WallPieces& pieces) : pieces_(queue, pieces), memory_(queue, 4 * pieces.count()) {}

  void find(const WallQueries& queries) override {
    const DevicePieces pieces = pieces_.now();
    const Layout all(memory_.data(), pieces.count);
    const Queue& queue = pieces_.queue();
    launch(queue, pieces.count, place_balls<Layout>, queries, pieces, all);
    if constexpr (unit == Unit::thread)
      launch<threads>(queue, queries.count(), thread_a_point<Balls>, queries, pieces, Balls{all, pieces.count});
    else
      launch<threads>(queue, queries.count() * threads, block_a_point<Balls>, queries, pieces, Balls{all, pieces.count},
                      0);
  }

  void refit() override { pieces_.reshape(); }
  std::int64_t bytes() const override { return pieces_.bytes() + memory_.bytes(); }

 private:
  PiecesOnDevice pieces_;
  Array<Real> memory_;
};

template <Unit unit, class Balls>
std::unique_ptr<WallSearch> open(const Queue& queue, const WallPieces& pieces, double) {
  return std::make_unique<Search<unit, Balls>>(queue, pieces);
}

}  // namespace shoal::brute_force
