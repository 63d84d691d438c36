// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "wall_distance/device_pieces.cuh"

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
    const Here here(memory(), chunk);
    for (std::int32_t begin = 0; begin < count; begin += chunk) {
      const std::int32_t balls = count - begin < chunk ? count - begin : chunk;
      __syncthreads();  // the chunk before may still be read
      for (auto k = static_cast<std::int32_t>(threadIdx.x); k < balls; k += static_cast<std::int32_t>(blockDim.x))
        here.put(k, all.ball(begin + k));
      __syncthreads();
      for (std::int32_t k = share.first; k < balls; k += share.step) {
        const PieceBall<Real> ball = here.ball(k);
        visit(begin + k, sight.squared(ball), ball.radius);
      }
    }
  }

 private:
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
