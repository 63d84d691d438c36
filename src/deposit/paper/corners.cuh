// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/paper/collect.cuh"

/// The Corners method of Larson, Carver and Zhao (2015) and the two improvements that the paper suggests. Blocks have
/// 32 x 8 threads, one warp per cell. A group has one thread per corner: 4 groups of 8 threads, or 8 groups of 4 in 2-D.
/// Group g adds particles g, g + groups, ...; each thread adds for its own corner.
namespace shoal::deposit::paper {

inline constexpr int threads_per_cell = 32;
inline constexpr int cells_per_block = 8;
inline constexpr int block_threads = threads_per_cell * cells_per_block;

/// The weight of one corner for particle p; the bits of BinnedParticles::weights().
template <class Shape, class Real>
__device__ Real weight_of_corner(const Pass<Real>& pass, std::int64_t cell, std::int64_t p, int corner) {
  constexpr int corners = Shape::corners;
  const DepositSpace<Real> space = Shape::apply(pass.space);
  const Real* const z = pass.particles.offset[2];
  const Real offset[3] = {pass.particles.offset[0][p], pass.particles.offset[1][p], corners == 8 ? z[p] : Real(0)};
  return space.weight(cell, offset, corner);
}

/// Adds the particles of thread x of a cell for its corner.
template <class Shape, int values, class Real>
__device__ void sum_corner(const Pass<Real>& pass, std::int64_t cell, int x, Real (&sum)[values]) {
  constexpr int groups = threads_per_cell / Shape::corners;
  for (int v = 0; v < values; ++v) sum[v] = 0;
  const std::int64_t end = pass.particles.cell_start[cell + 1];
  for (std::int64_t p = pass.particles.cell_start[cell] + x / Shape::corners; p < end; p += groups) {
    const Real weight = weight_of_corner<Shape>(pass, cell, p, x % Shape::corners);
    const std::int64_t number = pass.particles.number(p);
    for (int v = 0; v < values; ++v) sum[v] = std::fma(weight, pass.values.at(v, number), sum[v]);
  }
}

/// The sums of the threads of one cell, in shared memory.
template <int values, class Real>
using CornerSums = Real[values][threads_per_cell];

static_assert(cells_per_block * sizeof(CornerSums<max_values, double>) == 6'144,
              "the shared memory that the paper states");

/// Adds the threads' sums over the groups of a cell by folding; then thread x < corners has the sums of corner x.
template <int corners, int values, class Real>
__device__ void fold_groups(int x, const Real (&thread_sum)[values], CornerSums<values, Real>& sum) {
  for (int v = 0; v < values; ++v) sum[v][x] = thread_sum[v];
  __syncwarp();
  for (int fold = threads_per_cell / 2; fold >= corners; fold /= 2) {
    if (x < fold)
      for (int v = 0; v < values; ++v) sum[v][x] = sum[v][x] + sum[v][x + fold];
    __syncwarp();
  }
}

/// Launches a first kernel with one warp per cell.
template <class Real>
void launch_corners(const Queue& queue, const Pass<Real>& pass, void (*first_kernel)(Pass<Real>)) {
  launch<block_threads>(queue, pass.space.cell_count() * threads_per_cell, first_kernel, pass);
}

}  // namespace shoal::deposit::paper
