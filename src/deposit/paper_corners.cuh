// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/paper_collect.cuh"

/// What the Corners method of Larson, Carver and Zhao (2015) and the two improvements that the paper speculates on
/// share. Blocks have 32 x 8 threads: a warp a cell. A cell's threads are groups of as many as a cell has corners: 4
/// groups of 8, or 8 groups of 4 in 2-D. Group g takes particles g, g + groups, ..., each thread for its own corner.
namespace shoal::cuda {

inline constexpr int corners_threads_a_cell = 32;
inline constexpr int corners_cells_a_block = 8;
inline constexpr int corners_threads = corners_threads_a_cell * corners_cells_a_block;

/// The weight of one corner for the particle at position p; the bits of BinnedParticles::weights().
template <class Shape, class Real>
__device__ Real weight_of_corner(const PaperPass<Real>& pass, std::int64_t cell, std::int64_t p, int corner) {
  constexpr int corners = Shape::corners;
  const DepositSpace<Real> space = Shape::of(pass.space);
  const Real* const z = pass.particles.offset[2];
  const Real offset[3] = {pass.particles.offset[0][p], pass.particles.offset[1][p], corners == 8 ? z[p] : Real(0)};
  return space.weight(cell, offset, corner);
}

/// What the particles of thread x of a cell give to its corner.
template <class Shape, int values, class Real>
__device__ void sum_corner(const PaperPass<Real>& pass, std::int64_t cell, int x, Real (&sum)[values]) {
  constexpr int groups = corners_threads_a_cell / Shape::corners;
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
using CornerSums = Real[values][corners_threads_a_cell];

/// Adds up a thread's sums over the groups of its cell, by folding; then thread x < corners has the sums of corner x.
template <int corners, int values, class Real>
__device__ void fold_groups(int x, const Real (&own)[values], CornerSums<values, Real>& sum) {
  for (int v = 0; v < values; ++v) sum[v][x] = own[v];
  __syncwarp();
  for (int fold = corners_threads_a_cell / 2; fold >= corners; fold /= 2) {
    if (x < fold)
      for (int v = 0; v < values; ++v) sum[v][x] = sum[v][x] + sum[v][x + fold];
    __syncwarp();
  }
}

/// Launches a first kernel of this shape.
template <class Real>
void launch_corners(const Queue& queue, const PaperPass<Real>& pass, void (*first_kernel)(PaperPass<Real>)) {
  launch<corners_threads>(queue, pass.space.cell_count() * corners_threads_a_cell, first_kernel, pass);
}

}  // namespace shoal::cuda
