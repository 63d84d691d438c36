// SPDX-License-Identifier: Apache-2.0
// combination: one thread for each pair computes distances, one block for each point finds the smallest.
//
// idea           a first kernel writes the distances between points and face centers; a second one reduces those of a
//                point
// source         Wukie, Ganapathy and Park (2014), section III, which proposes it for future work
// memory         8 bytes a pair for batches of points that fit in 256 MiB; 32 bytes a triangle, 88 for itself
// atomics        none
// deterministic  yes: the result does not depend on the order of the faces
// wins when      never: computing the distances again costs less than writing and reading them
// loses when     always, against `block_1a`, which keeps them in registers
// deviations     exact distances to faces, in the second kernel, for the faces that may be nearer than the nearest
//                center; points in batches, which bounds the memory
#include "wall_distance/bounding_spheres/brute_force.cuh"
#include "wall_distance/methods/methods.hpp"

namespace shoal::wall_distance {

namespace {

using Layout = InterleavedSpheres<double>;

constexpr std::int64_t most_pairs = 32 << 20;  ///< largest number of pairs in a batch, unless one point has more

/// Squared distances that the first kernel wrote; block b reads those of point b.
struct WrittenDistances {
  using Real = double;
  Layout layout;
  std::int32_t count;
  const double* squared;  ///< [points of the batch][count] m²

  template <class Visit>
  __device__ void visit(const SphereQuery<double>&, SphereStride stride, Visit&& visit) const {
    const double* of_point = squared + static_cast<std::int64_t>(blockIdx.x) * count;
    for (std::int32_t k = stride.first; k < count; k += stride.step) visit(k, of_point[k], layout.radius(k));
  }
};

__global__ void write_distances(WallQueries queries, DevicePrimitives primitives, Layout layout, Range points,
                                double* squared) {
  const std::int64_t pair = thread_index();
  if (pair >= points.count() * primitives.count) return;
  const std::int64_t i = pair / primitives.count;
  const SphereQuery<double> query(queries.point(points.begin + i), primitives.origin, primitives.rotation_error);
  squared[pair] = query.squared(layout.sphere(static_cast<std::int32_t>(pair - i * primitives.count)));
}

class CombinationSearch : public WallDistanceSearch {
 public:
  CombinationSearch(const Queue& queue, PlanWalls& walls)
      : primitives_(queue, walls, BoundingSpheres::used),
        memory_(queue, 4 * walls.count()),
        batch_(std::max<std::int64_t>(1, most_pairs / walls.count())),
        squared_(queue, 0) {}

  void find(const WallQueries& queries) override {
    constexpr int threads = brute_force_threads;
    const DevicePrimitives primitives = primitives_.view();
    const Layout layout(memory_.data(), primitives.count);
    const Queue& queue = primitives_.queue();
    launch(queue, primitives.count, write_spheres<Layout>, queries, primitives, layout);
    squared_.resize(std::min(batch_, queries.count()) * primitives.count);
    for (std::int64_t begin = 0; begin < queries.count(); begin += batch_) {
      const Range points{begin, std::min(queries.count(), begin + batch_)};
      launch(queue, points.count() * primitives.count, write_distances, queries, primitives, layout, points,
             squared_.data());
      launch<threads>(queue, points.count() * threads, block_per_point<WrittenDistances>, queries, primitives,
                      WrittenDistances{layout, primitives.count, squared_.data()}, begin);
    }
  }

  void refit() override { primitives_.reshape(); }
  std::int64_t bytes() const override { return primitives_.bytes() + memory_.bytes() + squared_.bytes(); }

 private:
  PrimitivesOnDevice primitives_;
  Array<double> memory_;   ///< bounding spheres
  std::int64_t batch_;     ///< number of points in a batch
  Array<double> squared_;  ///< m², see WrittenDistances
};

std::unique_ptr<WallDistanceSearch> open(const Queue& queue, PlanWalls& walls, const WallDistanceOptions&) {
  return std::make_unique<CombinationSearch>(queue, walls);
}

}  // namespace

const WallDistanceMethod wall_distance_combination{
    {"combination", DeviceKind::cuda, true, "Wukie, Ganapathy and Park (2014)"}, open};

}  // namespace shoal::wall_distance
