// SPDX-License-Identifier: Apache-2.0
// The ways in which threads read bounding spheres: variations A, B and C of the paper's brute force.
#pragma once
#include "wall_distance/bounding_spheres/sphere_arrays.hpp"
#include "wall_distance/walls_cuda/device_primitives.cuh"

namespace shoal::wall_distance {

/// The spheres that a thread visits: first, first + step, ...
struct SphereStride {
  std::int32_t first, step;
};

/// Spheres that threads read from global memory.
template <class GlobalLayout>
struct GlobalSpheres {
  using Layout = GlobalLayout;
  using Real = typename Layout::Real;
  static constexpr bool whole_blocks = false;
  Layout layout;
  std::int32_t count;

  /// Calls visit(k, squared distance, radius).
  /// @param query  has squared(sphere), like SphereQuery
  template <class Query, class Visit>
  __device__ void visit(const Query& query, SphereStride stride, Visit&& visit) const {
    for (std::int32_t k = stride.first; k < count; k += stride.step) {
      const BoundingSphere<Real> sphere = layout.sphere(k);
      visit(k, query.squared(sphere), sphere.radius);
    }
  }
};

/// Spheres that a block copies to shared memory, a chunk at a time. All its threads must visit.
/// @tparam SharedLayout  layout in shared memory
template <class GlobalLayout, class SharedLayout = GlobalLayout>
struct SharedSpheres {
  using Layout = GlobalLayout;
  using Real = typename Layout::Real;
  static constexpr bool whole_blocks = true;
  static constexpr std::int32_t chunk = 1024;
  Layout layout;
  std::int32_t count;

  template <class Query, class Visit>
  __device__ void visit(const Query& query, SphereStride stride, Visit&& visit) const {
    for_each_chunk([&](const SharedLayout& shared, std::int32_t begin, std::int32_t spheres) {
      for (std::int32_t k = stride.first; k < spheres; k += stride.step) {
        const BoundingSphere<Real> sphere = shared.sphere(k);
        visit(begin + k, query.squared(sphere), sphere.radius);
      }
    });
  }

  /// Smallest squared distance to a center, m².
  template <class Query>
  __device__ Real least_squared(const Query& query) const {
    Real least = infinite_distance<Real>;
    for_each_chunk([&](const SharedLayout& shared, std::int32_t, std::int32_t spheres) {
#pragma unroll 8
      for (std::int32_t k = 0; k < spheres; ++k) least = min(query.squared(shared.sphere(k)), least);
    });
    return least;
  }

  /// Calls visit(k, sphere) for primitives that may be the nearest. Tests groups of spheres first, without a branch.
  template <class Query, class Visit>
  __device__ void visit_near(const Query& query, Real radius, Visit&& visit) const {
    constexpr std::int32_t at_once = 8;
    for_each_chunk([&](const SharedLayout& shared, std::int32_t begin, std::int32_t spheres) {
      for (std::int32_t first = 0; first < spheres; first += at_once) {
        bool is_any_near = false;
#pragma unroll
        for (std::int32_t k = first; k < first + at_once; ++k) {
          const BoundingSphere<Real> sphere = shared.sphere(k);
          is_any_near |= may_be_nearest(query.squared(sphere), sphere.radius, radius);
        }
        if (!is_any_near) continue;
        for (std::int32_t k = first; k < min(first + at_once, spheres); ++k) {
          const BoundingSphere<Real> sphere = shared.sphere(k);
          if (may_be_nearest(query.squared(sphere), sphere.radius, radius)) visit(begin + k, sphere);
        }
      }
    });
  }

 private:
  static_assert(chunk % 8 == 0, "visit_near() reads whole groups");

  /// Calls use(spheres in shared memory, number of the first one, their count) for chunk after chunk.
  template <class Use>
  __device__ void for_each_chunk(Use&& use) const {
    const SharedLayout shared(memory(), chunk);
    for (std::int32_t begin = 0; begin < count; begin += chunk) {
      const std::int32_t spheres = count - begin < chunk ? count - begin : chunk;
      __syncthreads();  // the previous chunk may still be in use
      for (auto k = static_cast<std::int32_t>(threadIdx.x); k < spheres; k += static_cast<std::int32_t>(blockDim.x))
        shared.put(k, layout.sphere(begin + k));
      __syncthreads();
      use(shared, begin, spheres);
    }
  }

  /// Shared memory of all visits of a kernel.
  __device__ static Real* memory() {
    alignas(4 * sizeof(Real)) __shared__ Real numbers[4 * chunk];
    return numbers;
  }
};

template <class Layout>
__global__ void write_spheres(WallQueries queries, DevicePrimitives primitives, Layout layout) {
  const std::int64_t k = thread_index();
  if (k >= primitives.count) return;
  layout.put(static_cast<std::int32_t>(k),
             primitives.sphere<typename Layout::Real>(queries, static_cast<std::int32_t>(k)));
}

}  // namespace shoal::wall_distance
