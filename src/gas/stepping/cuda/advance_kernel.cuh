// SPDX-License-Identifier: Apache-2.0
// Runge-Kutta stages on CUDA: of a line, along which a thread marches, and of a plane, with a thread for each node.
#pragma once
#include <cmath>

#include "core/cuda/launch.cuh"
#include "gas/stepping/cuda/lines.cuh"

namespace shoal::gas {

inline constexpr int piece_cells = 32;  ///< Cells that a thread of advance_line() visits.
inline constexpr int ahead = 4;         ///< Cells whose values a thread loads before it uses the first.
inline constexpr int tile_side = 4;     ///< Columns and rows of a block of advance_plane().
inline constexpr int tile_nodes = 32;   ///< Nodes of a block of advance_plane().
inline constexpr int tile_threads = tile_side * tile_side * tile_nodes;

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
};

/// Runge-Kutta stage of node k in the cells from `first` to `end` of a line.
/// @param line  f of the previous stage
template <class Limiter, class Real, bool Inner>
__device__ void advance_piece(const Line<Real, Inner>& line, std::int64_t k, bool forward, int first, int end,
                              Real speed, const Real* __restrict__ start, const Real* __restrict__ q,
                              const CellStep<Real>* __restrict__ steps, Real share, Real* __restrict__ result) {
  const Real sign = forward ? 1 : -1;
  Real left = line.value(first - 1, k), center = line.value(first, k), right = line.value(first + 1, k);
  Real rise_left = line.template rise<Limiter>(first - 1, forward, line.value(first - 2, k), left, center);
  Real rise_center = line.template rise<Limiter>(first, forward, left, center, right);
  for (; first < end; first += ahead) {
    const std::int64_t base = first * line.beside + k;
    Real beyond[ahead], starts[ahead], sources[ahead];
#pragma unroll
    for (int j = 0; j < ahead; ++j) {
      if (first + j >= end) break;
      const std::int64_t i = base + j * line.beside;
      beyond[j] = line.value(first + j + 2, k);
      starts[j] = start != nullptr ? start[i] : Real(0);
      sources[j] = q != nullptr ? q[i] : Real(0);
    }
#pragma unroll
    for (int j = 0; j < ahead; ++j) {
      const int cell = first + j;
      if (cell >= end) break;
      const Real rise_right = line.template rise<Limiter>(cell + 1, forward, center, right, beyond[j]);
      const Real arriving = (forward ? left : right) + sign * (forward ? rise_left : rise_right);
      const Real leaving = center + sign * rise_center;
      const CellStep<Real> step = steps[cell];
      const Real moved = center + step.length_per_width * speed * (arriving - leaving);
      result[base + j * line.beside] = stage_value(starts[j], moved, sources[j], share, step.length);
      left = center, center = right, right = beyond[j];
      rise_left = rise_center, rise_center = rise_right;
    }
  }
}

/// One thread for each node of a piece of the line: f is read once, with slopes in registers.
/// @param line  that along x
template <class Limiter, class Real>
__global__ void advance_line(Line<Real> line, NodeVelocities nodes, int first_forward, Stage<Real> stage) {
  const std::int64_t piece = thread_index() / line.beside, k = thread_index() - piece * line.beside;
  const std::int64_t begin = piece * piece_cells;
  if (begin >= line.cells) return;
  const int first = static_cast<int>(begin), end = min(first + piece_cells, line.cells);
  const int x = static_cast<int>(k % nodes.n);
  const bool forward = x >= first_forward;
  const auto speed = static_cast<Real>(std::abs(nodes.velocity(0, x)));
  if (first >= 2 && end + 2 <= line.cells)
    advance_piece<Limiter>(line.inner(), k, forward, first, end, speed, stage.start, stage.q, stage.steps, stage.share,
                           stage.result);
  else
    advance_piece<Limiter>(line, k, forward, first, end, speed, stage.start, stage.q, stage.steps, stage.share,
                           stage.result);
}

/// One thread for each node of a cell. A block has some nodes of a square of cells, so that most neighbors of a cell are read
/// by the same block.
template <class Limiter, class Real>
__global__ void __launch_bounds__(tile_threads, 2)
    advance_plane(AllLines<Real> axes, NodeVelocities nodes, Stage<Real> stage) {
  const Lines<Real>&along_x = axes.axis[0], &along_y = axes.axis[1];
  const int across = (along_x.cells + tile_side - 1) / tile_side,
            tiles = across * ((along_y.cells + tile_side - 1) / tile_side);
  const int tile = static_cast<int>(blockIdx.x) % tiles, square = static_cast<int>(threadIdx.x) / tile_nodes;
  const int i = tile % across * tile_side + square % tile_side, j = tile / across * tile_side + square / tile_side;
  const int node = static_cast<int>(blockIdx.x) / tiles * tile_nodes + static_cast<int>(threadIdx.x) % tile_nodes;
  if (i >= along_x.cells || j >= along_y.cells || node >= along_x.nodes) return;
  const int n = nodes.n, x = node % n, y = node / n % n, cell = j * along_x.cells + i;
  const bool forward = x >= along_x.first_forward, upward = y >= along_y.first_forward;
  const Line<Real> row = along_x.line(j), column = along_y.line(i);
  FaceValues<Real> over_x, over_y;
  if (i >= 2 && i + 2 < along_x.cells && j >= 2 && j + 2 < along_y.cells) {
    over_x = row.inner().template faces<Limiter>(i, node, forward);
    over_y = column.inner().template faces<Limiter>(j, node, upward);
  } else {
    over_x = row.template faces<Limiter>(i, node, forward);
    over_y = column.template faces<Limiter>(j, node, upward);
  }
  const std::int64_t index = cell * along_x.nodes + node;
  const CellStep<Real> step = stage.steps[cell];
  const auto speed_x = static_cast<Real>(std::abs(nodes.velocity(0, x))),
             speed_y = static_cast<Real>(std::abs(nodes.velocity(1, y)));
  Real moved = along_x.f[index];
  moved += step.length_per_width * speed_x * (over_x.arriving - over_x.leaving);
  moved += step.length * along_y.inverse_widths[j] * speed_y * (over_y.arriving - over_y.leaving);
  stage.result[index] = stage_value(stage.start != nullptr ? stage.start[index] : Real(0), moved,
                                    stage.q != nullptr ? stage.q[index] : Real(0), stage.share, step.length);
}

}  // namespace shoal::gas
