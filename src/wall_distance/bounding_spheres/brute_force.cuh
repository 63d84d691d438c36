// SPDX-License-Identifier: Apache-2.0
// Kernels of the paper's brute-force methods. Each visits all spheres twice: for the smallest distance to a center,
// which is the paper's result, and for the primitives that may be nearer than that, whose exact distances are computed.
#pragma once
#include "wall_distance/bounding_spheres/sphere_layouts.cuh"

namespace shoal::wall_distance {

constexpr int brute_force_threads = 256;  ///< threads of a block
constexpr int brute_force_blocks = 2;  ///< least blocks on a multiprocessor: exact distances would take all registers

/// One thread for each point.
template <class Spheres>
__global__ void __launch_bounds__(brute_force_threads, brute_force_blocks)
    thread_per_point(WallQueries queries, DevicePrimitives primitives, Spheres spheres) {
  using Real = typename Spheres::Real;
  const std::int64_t i = thread_index();
  const bool has_point = i < queries.count() && queries.accept(i, queries.point(i));
  if (!Spheres::whole_blocks && !has_point) return;
  const DoubleDoubleVector point = has_point ? queries.point(i) : DoubleDoubleVector{};
  const SphereQuery<Real> query(point, primitives.origin, primitives.rotation_error);
  Real least = infinite_distance<Real>;
  spheres.visit(query, {0, 1}, [&](std::int32_t, Real squared, Real) { least = min(squared, least); });
  const Real search_radius = query.search_radius(least);
  NearestPrimitive nearest;
  spheres.visit(query, {0, 1}, [&](std::int32_t k, Real squared, Real radius) {
    if (has_point && may_be_nearest(squared, radius, search_radius)) primitives.test(queries, point, k, nearest);
  });
  if (has_point) primitives.write(queries, i, point, nearest);
}

/// Reduces the values of a block's threads to the best one, by a tree in shared memory. All threads must call it.
template <class Value, class Better>
__device__ Value reduce_block(Value thread_value, Better&& better) {
  __shared__ Value values[brute_force_threads];
  values[threadIdx.x] = thread_value;
  __syncthreads();
  for (unsigned step = brute_force_threads / 2; step > 0; step /= 2) {
    if (threadIdx.x < step && better(values[threadIdx.x + step], values[threadIdx.x]))
      values[threadIdx.x] = values[threadIdx.x + step];
    __syncthreads();
  }
  const Value best = values[0];
  __syncthreads();  // before the next reduction
  return best;
}

struct DistanceAndPrimitive {
  double distance;  ///< m
  std::int64_t primitive;
};

/// One block for each point, one thread for each face.
/// @param first  number of the point of block 0
template <class Spheres>
__global__ void __launch_bounds__(brute_force_threads, brute_force_blocks)
    block_per_point(WallQueries queries, DevicePrimitives primitives, Spheres spheres, std::int64_t first) {
  using Real = typename Spheres::Real;
  const std::int64_t i = first + blockIdx.x;
  const DoubleDoubleVector point = queries.point(i);
  if (!queries.accept(i, point)) return;  // all threads of the block
  const SphereStride stride{static_cast<std::int32_t>(threadIdx.x), brute_force_threads};
  const SphereQuery<Real> query(point, primitives.origin, primitives.rotation_error);
  Real least = infinite_distance<Real>;
  spheres.visit(query, stride, [&](std::int32_t, Real squared, Real) { least = min(squared, least); });
  least = reduce_block(least, [](Real a, Real b) { return a < b; });
  const Real search_radius = query.search_radius(least);
  NearestPrimitive nearest;
  spheres.visit(query, stride, [&](std::int32_t k, Real squared, Real radius) {
    if (may_be_nearest(squared, radius, search_radius)) primitives.test(queries, point, k, nearest);
  });
  const DistanceAndPrimitive best =
      reduce_block(DistanceAndPrimitive{nearest.distance, nearest.primitive},
                   [](const DistanceAndPrimitive& a, const DistanceAndPrimitive& b) {
                     return a.primitive >= 0 && (b.primitive < 0 || a.distance < b.distance ||
                                                 (a.distance == b.distance && a.primitive < b.primitive));
                   });
  if (nearest.primitive == best.primitive) primitives.write(queries, i, point, nearest);
}

/// Unit of work for each point.
enum class Unit { thread, block };

/// One of the paper's six brute-force methods.
template <Unit unit, class Spheres>
class BruteForceSearch : public WallDistanceSearch {
  using Layout = typename Spheres::Layout;
  using Real = typename Spheres::Real;

 public:
  BruteForceSearch(const Queue& queue, PlanWalls& walls)
      : primitives_(queue, walls, BoundingSpheres::used), memory_(queue, 4 * walls.count()) {}

  void find(const WallQueries& queries) override {
    const DevicePrimitives primitives = primitives_.view();
    const Layout layout(memory_.data(), primitives.count);
    const Queue& queue = primitives_.queue();
    launch(queue, primitives.count, write_spheres<Layout>, queries, primitives, layout);
    if constexpr (unit == Unit::thread)
      launch<brute_force_threads>(queue, queries.count(), thread_per_point<Spheres>, queries, primitives,
                                  Spheres{layout, primitives.count});
    else
      launch<brute_force_threads>(queue, queries.count() * brute_force_threads, block_per_point<Spheres>, queries,
                                  primitives, Spheres{layout, primitives.count}, 0);
  }

  void refit() override { primitives_.reshape(); }
  std::int64_t bytes() const override { return primitives_.bytes() + memory_.bytes(); }

 private:
  PrimitivesOnDevice primitives_;
  Array<Real> memory_;  ///< bounding spheres
};

template <Unit unit, class Spheres>
std::unique_ptr<WallDistanceSearch> open_brute_force(const Queue& queue, PlanWalls& walls, const WallDistanceOptions&) {
  return std::make_unique<BruteForceSearch<unit, Spheres>>(queue, walls);
}

}  // namespace shoal::wall_distance
