// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "wall_distance/walls/device_primitives.cuh"

/// How balls lie in memory, and who reads them from where: the variations A, B and C of the paper's brute force.
namespace shoal {

/// An array for each coordinate.
template <class Of>
struct SeparateBalls {
  using Real = Of;
  Real *x, *y, *z, *radii;

  SHOAL_HD SeparateBalls(Real* memory, std::int32_t count) : x(memory), y(x + count), z(y + count), radii(z + count) {}
  SHOAL_HD PieceBall<Real> ball(std::int32_t k) const { return {x[k], y[k], z[k], radii[k]}; }
  SHOAL_HD Real radius(std::int32_t k) const { return radii[k]; }
  SHOAL_HD void put(std::int32_t k, const PieceBall<Real>& ball) const {
    x[k] = ball.x;
    y[k] = ball.y;
    z[k] = ball.z;
    radii[k] = ball.radius;
  }
};

/// x, y, z and radius side by side.
template <class Of>
struct InterleavedBalls {
  using Real = Of;
  PieceBall<Real>* balls;

  SHOAL_HD InterleavedBalls(Real* memory, std::int32_t) : balls(reinterpret_cast<PieceBall<Real>*>(memory)) {}
  SHOAL_HD PieceBall<Real> ball(std::int32_t k) const { return balls[k]; }
  SHOAL_HD Real radius(std::int32_t k) const { return balls[k].radius; }
  SHOAL_HD void put(std::int32_t k, const PieceBall<Real>& ball) const { balls[k] = ball; }
};

/// Which balls a thread visits: first, first + step, ...
struct BallShare {
  std::int32_t first, step;
};

/// Balls that threads read from global memory.
template <class Of>
struct GlobalBalls {
  using Layout = Of;
  using Real = typename Layout::Real;
  static constexpr bool whole_blocks = false;
  Layout all;
  std::int32_t count;

  /// Calls visit(k, squared distance, radius).
  /// @param sight  as BallSight: has squared(ball)
  template <class Sight, class Visit>
  __device__ void visit(const Sight& sight, BallShare share, Visit&& visit) const {
    for (std::int32_t k = share.first; k < count; k += share.step) {
      const PieceBall<Real> ball = all.ball(k);
      visit(k, sight.squared(ball), ball.radius);
    }
  }
};

/// Balls that a block brings to shared memory, a chunk at a time. All its threads must visit.
/// @tparam Here  their layout there
template <class Of, class Here = Of>
struct SharedBalls {
  using Layout = Of;
  using Real = typename Layout::Real;
  static constexpr bool whole_blocks = true;
  static constexpr std::int32_t chunk = 1024;
  Layout all;
  std::int32_t count;

  template <class Sight, class Visit>
  __device__ void visit(const Sight& sight, BallShare share, Visit&& visit) const {
    for_each_chunk([&](const Here& here, std::int32_t begin, std::int32_t balls) {
      for (std::int32_t k = share.first; k < balls; k += share.step) {
        const PieceBall<Real> ball = here.ball(k);
        visit(begin + k, sight.squared(ball), ball.radius);
      }
    });
  }

  /// The smallest squared distance to a center.
  template <class Sight>
  __device__ Real least_squared(const Sight& sight) const {
    Real least = no_distance<Real>;
    for_each_chunk([&](const Here& here, std::int32_t, std::int32_t balls) {
#pragma unroll 8
      for (std::int32_t k = 0; k < balls; ++k) least = min(sight.squared(here.ball(k)), least);
    });
    return least;
  }

  /// Calls visit(k, ball) where the piece may be nearest: of several balls at a time it is seen first whether any is.
  template <class Sight, class Visit>
  __device__ void visit_near(const Sight& sight, Real reach, Visit&& visit) const {
    constexpr std::int32_t at_once = 8;
    for_each_chunk([&](const Here& here, std::int32_t begin, std::int32_t balls) {
      for (std::int32_t first = 0; first < balls; first += at_once) {
        bool is_any_near = false;
#pragma unroll
        for (std::int32_t k = first; k < first + at_once; ++k) {
          const PieceBall<Real> ball = here.ball(k);
          is_any_near |= may_be_nearest(sight.squared(ball), ball.radius, reach);
        }
        if (!is_any_near) continue;
        for (std::int32_t k = first; k < min(first + at_once, balls); ++k) {
          const PieceBall<Real> ball = here.ball(k);
          if (may_be_nearest(sight.squared(ball), ball.radius, reach)) visit(begin + k, ball);
        }
      }
    });
  }

 private:
  static_assert(chunk % 8 == 0, "visit_near() looks at whole groups");

  /// Calls use(balls in shared memory, number of the first one, how many) for chunk after chunk.
  template <class Use>
  __device__ void for_each_chunk(Use&& use) const {
    const Here here(memory(), chunk);
    for (std::int32_t begin = 0; begin < count; begin += chunk) {
      const std::int32_t balls = count - begin < chunk ? count - begin : chunk;
      __syncthreads();  // the chunk before may still be read
      for (auto k = static_cast<std::int32_t>(threadIdx.x); k < balls; k += static_cast<std::int32_t>(blockDim.x))
        here.put(k, all.ball(begin + k));
      __syncthreads();
      use(here, begin, balls);
    }
  }

  /// The same for every visit of a kernel.
  __device__ static Real* memory() {
    alignas(4 * sizeof(Real)) __shared__ Real room[4 * chunk];
    return room;
  }
};

template <class Layout>
__global__ void place_balls(WallQueries queries, DevicePieces pieces, Layout all) {
  const std::int64_t k = thread_index();
  if (k >= pieces.count) return;
  all.put(static_cast<std::int32_t>(k), pieces.ball<typename Layout::Real>(queries, static_cast<std::int32_t>(k)));
}

}  // namespace shoal
