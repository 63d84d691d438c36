// SPDX-License-Identifier: Apache-2.0
// Runge-Kutta stages of a line on CUDA.
#pragma once
#include <cmath>

#include "core/cuda/launch.cuh"
#include "gas/stepping/cuda/lines.cuh"

namespace shoal::gas {

inline constexpr int piece_cells = 32;  ///< Cells that a thread of advance_line() visits.
/// Cells whose values a thread loads before it uses the first.
template <class Real>
inline constexpr int ahead = sizeof(Real) == 4 ? 8 : 4;

/// Step of a cell.
template <class Real>
struct alignas(2 * sizeof(Real)) CellStep {
  Real length;            ///< s
  Real length_per_width;  ///< s/m, with the width along x
};

/// Arguments of a stage.
template <class Real>
struct Stage {
  const Real* start;            ///< f at the start of the step; null: it has no weight
  const Real* q;                ///< null: no collisions
  const CellStep<Real>* steps;  ///< [cells]
  Real share;                   ///< weight of f at the start
  Real* result;
  int step;  ///< index of the next cell of a line along x − index of a cell

  /// The arguments for the cells from `first` on.
  Stage from(std::int64_t first, std::int64_t nodes) const {
    return {start == nullptr ? nullptr : start + first * nodes,
            q == nullptr ? nullptr : q + first * nodes,
            steps + first,
            share,
            result + first * nodes,
            step};
  }
};

/// Runge-Kutta stage of node k in the cells from `first` to `end` of a line.
/// @param line  f of the previous stage
template <class Limiter, class Real, bool Inner>
__device__ void advance_piece(const Line<Real, Inner>& line, std::int64_t k, bool forward, int first, int end,
                              Real speed, const Real* __restrict__ start, const Real* __restrict__ q,
                              const CellStep<Real>* __restrict__ steps, int cell_step, Real share,
                              Real* __restrict__ result) {
  const Real sign = forward ? 1 : -1;
  Real left = line.value(first - 1, k), center = line.value(first, k), right = line.value(first + 1, k);
  Real rise_left = line.template rise<Limiter>(first - 1, forward, line.value(first - 2, k), left, center);
  Real rise_center = line.template rise<Limiter>(first, forward, left, center, right);
  for (; first < end; first += ahead<Real>) {
    const std::int64_t base = first * line.beside + k;
    Real beyond[ahead<Real>], starts[ahead<Real>], sources[ahead<Real>];
#pragma unroll
    for (int j = 0; j < ahead<Real>; ++j) {
      if (first + j >= end) break;
      const std::int64_t i = base + j * line.beside;
      beyond[j] = line.value(first + j + 2, k);
      starts[j] = start != nullptr ? start[i] : Real(0);
      sources[j] = q != nullptr ? q[i] : Real(0);
    }
#pragma unroll
    for (int j = 0; j < ahead<Real>; ++j) {
      const int cell = first + j;
      if (cell >= end) break;
      const Real rise_right = line.template rise<Limiter>(cell + 1, forward, center, right, beyond[j]);
      const Real arriving = (forward ? left : right) + sign * (forward ? rise_left : rise_right);
      const Real leaving = center + sign * rise_center;
      const CellStep<Real> step = steps[cell * cell_step];
      const Real moved = center + step.length_per_width * speed * (arriving - leaving);
      result[base + j * line.beside] = stage_value(starts[j], moved, sources[j], share, step.length);
      left = center, center = right, right = beyond[j];
      rise_left = rise_center, rise_center = rise_right;
    }
  }
}

/// One thread for each node of a piece of the line: f is read once, with slopes in registers.
/// @param line  that along x, or that of a species; the cells of the other one lie between its cells
template <class Limiter, class Real>
__global__ void advance_line(Line<Real> line, NodeVelocities nodes, int first_forward, Stage<Real> stage) {
  const std::int64_t piece = thread_index() / nodes.count(), k = thread_index() - piece * nodes.count();
  const std::int64_t begin = piece * piece_cells;
  if (begin >= line.cells) return;
  const int first = static_cast<int>(begin), end = min(first + piece_cells, line.cells);
  const int x = static_cast<int>(k % nodes.n);
  const bool forward = x >= first_forward;
  const auto speed = static_cast<Real>(std::abs(nodes.velocity(0, x)));
  if (first >= 2 && end + 2 <= line.cells)
    advance_piece<Limiter>(line.template as<true>(), k, forward, first, end, speed, stage.start, stage.q, stage.steps,
                           stage.step, stage.share, stage.result);
  else
    advance_piece<Limiter>(line, k, forward, first, end, speed, stage.start, stage.q, stage.steps, stage.step,
                           stage.share, stage.result);
}

}  // namespace shoal::gas
