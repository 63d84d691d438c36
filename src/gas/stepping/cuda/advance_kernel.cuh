// SPDX-License-Identifier: Apache-2.0
// Runge-Kutta stages on CUDA. A thread marches along x on a line, and along y in a plane.
#pragma once
#include <cmath>

#include "core/cuda/launch.cuh"
#include "gas/stepping/cuda/lines.cuh"

namespace shoal::gas {

inline constexpr int piece_cells = 32;  ///< Cells that a thread of advance_line() visits.
inline constexpr int ahead = 4;         ///< Cells whose values a thread loads before it uses the first.
inline constexpr int tile_columns = 8;  ///< Columns of a block of advance_plane().
inline constexpr int tile_rows = 16;    ///< Rows that a thread of advance_plane() visits.
inline constexpr int tile_nodes = 32;   ///< Nodes of a block of advance_plane().
inline constexpr int tile_threads = tile_columns * tile_nodes;

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

  /// The arguments for the cells from `first` on.
  Stage from(std::int64_t first, std::int64_t nodes) const {
    return {start == nullptr ? nullptr : start + first * nodes, q == nullptr ? nullptr : q + first * nodes,
            steps + first, share, result + first * nodes};
  }
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
    advance_piece<Limiter>(line.template as<true>(), k, forward, first, end, speed, stage.start, stage.q, stage.steps,
                           stage.share, stage.result);
  else
    advance_piece<Limiter>(line, k, forward, first, end, speed, stage.start, stage.q, stage.steps, stage.share,
                           stage.result);
}

/// Node of a column of a plane that a thread visits.
template <class Real>
struct NodeOfColumn {
  int i, k;
  bool forward, upward;
  Real speed_x, speed_y;  ///< m/s
};

/// Runge-Kutta stage of a node in the rows from `j` to `end` of a column: slopes along y are in registers, and neighbors along
/// x come from the cache.
template <class Limiter, bool Inner, class Real>
__device__ void advance_column(const AllLines<Real>& axes, const NodeOfColumn<Real>& node, int j, int end,
                               const Stage<Real>& stage) {
  const Lines<Real>&along_x = axes.axis[0], &along_y = axes.axis[1];
  const auto column = along_y.line(node.i).template as<Inner>();
  const int i = node.i, k = node.k;
  const bool upward = node.upward;
  const Real sign = upward ? 1 : -1;
  Real below = column.value(j - 1, k), center = column.value(j, k), above = column.value(j + 1, k);
  Real rise_below = column.template rise<Limiter>(j - 1, upward, column.value(j - 2, k), below, center);
  Real rise_center = column.template rise<Limiter>(j, upward, below, center, above);
  int cell = j * along_x.cells + i;
  std::int64_t index = cell * along_x.nodes + k;
#pragma unroll 1
  for (; j < end; ++j) {
    const Real beyond = column.value(j + 2, k);
    const auto row = along_x.line(j).template as<Inner>();
    const FaceValues<Real> over_x = row.template faces<Limiter>(i, k, node.forward, center);
    const Real start = stage.start != nullptr ? stage.start[index] : Real(0);
    const Real source = stage.q != nullptr ? stage.q[index] : Real(0);
    const CellStep<Real> step = stage.steps[cell];
    const Real rise_above = column.template rise<Limiter>(j + 1, upward, center, above, beyond);
    const Real arriving = (upward ? below : above) + sign * (upward ? rise_below : rise_above);
    const Real leaving = center + sign * rise_center;
    Real moved = center + step.length_per_width * node.speed_x * (over_x.arriving - over_x.leaving);
    moved += step.length * along_y.inverse_widths[j] * node.speed_y * (arriving - leaving);
    stage.result[index] = stage_value(start, moved, source, stage.share, step.length);
    below = center, center = above, above = beyond;
    rise_below = rise_center, rise_center = rise_above;
    cell += along_x.cells;
    index += along_x.cells * along_x.nodes;
  }
}

/// One thread for each node of some rows of a column. The threads of a block visit adjacent columns.
template <class Limiter, class Real>
__global__ void __launch_bounds__(tile_threads, sizeof(Real) == 4 ? 4 : 2)
    advance_plane(AllLines<Real> axes, NodeVelocities nodes, Stage<Real> stage) {
  const Lines<Real>&along_x = axes.axis[0], &along_y = axes.axis[1];
  const int across = (along_x.cells + tile_columns - 1) / tile_columns, n = nodes.n;
  const int node_groups = (static_cast<int>(along_x.nodes) + tile_nodes - 1) / tile_nodes;
  const int block = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  const int i = block % across * tile_columns + thread / tile_nodes;
  const int k = block / across % node_groups * tile_nodes + thread % tile_nodes;
  const int first = block / across / node_groups * tile_rows, end = min(first + tile_rows, along_y.cells);
  if (i >= along_x.cells || k >= along_x.nodes || first >= end) return;
  const int x = k % n, y = k / n % n;
  const NodeOfColumn<Real> node{i,
                                k,
                                x >= along_x.first_forward,
                                y >= along_y.first_forward,
                                static_cast<Real>(std::abs(nodes.velocity(0, x))),
                                static_cast<Real>(std::abs(nodes.velocity(1, y)))};
  // Rows from `low` to `high` have two neighbors on each side, along both axes.
  const bool inner = i >= 2 && i + 2 < along_x.cells;
  const int low = inner ? min(max(first, 2), end) : end, high = inner ? max(low, min(end, along_y.cells - 2)) : end;
#pragma unroll 1
  for (int part = 0; part < 2; ++part) {  // before and behind the inner rows, which the first part includes
    const bool last = part == 1;
    const int begin = last ? high : first, stop = last ? end : low;
    if (begin < stop) advance_column<Limiter, false>(axes, node, begin, stop, stage);
    if (!last && low < high) advance_column<Limiter, true>(axes, node, low, high, stage);
  }
}

}  // namespace shoal::gas
