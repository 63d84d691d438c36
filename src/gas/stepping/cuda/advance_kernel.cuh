// SPDX-License-Identifier: Apache-2.0
// Runge-Kutta stages on CUDA. A thread marches along a piece of a line with the slopes of its node in registers. In a plane
// it marches along y, and the threads of a block visit adjacent lines, so that their neighbors along x are in the cache.
#pragma once
#include <cmath>

#include "core/cuda/launch.cuh"
#include "gas/stepping/cuda/lines.cuh"

namespace shoal::gas {

inline constexpr int advance_threads = 256;  ///< Threads of a block of advance_cells().
inline constexpr int ahead = 4;              ///< Cells whose values a thread loads before it uses the first.

/// Division of the nodes of all cells into blocks and threads.
template <bool plane>
struct AdvanceTiles {
  static constexpr int cells = plane ? 64 : 32;          ///< Cells of a piece.
  static constexpr int lines = plane ? 8 : 1;            ///< Lines of a block.
  static constexpr int nodes = advance_threads / lines;  ///< Nodes of a block.
};

/// Arguments of a stage.
template <class Real>
struct Stage {
  const Real* start;    ///< f at the start of the step; null: it has no weight
  const Real* q;        ///< null: no collisions
  const Real* lengths;  ///< [all cells] time step, s
  Real share;           ///< weight of f at the start
  Real* result;
};

/// Node of a line of cells that a thread visits.
template <class Real>
struct NodeOfLine {
  std::int64_t k;
  std::int64_t offset;  ///< index of the node in the first cell of the line
  int first_cell;       ///< index of the first cell of the line
  bool forward;
  Real speed;  ///< along the line, m/s
};

/// Runge-Kutta stage in the cells from `first` to `end` of a line.
/// @param line   f of the previous stage
/// @param lines  the lines of this axis
/// @param across across(place, length) adds the transport along the other axis to the value of a cell
template <class Limiter, class Real, bool Inner, class Across>
__device__ void advance_piece(const Line<Real, Inner>& line, const Lines<Real>& lines, const NodeOfLine<Real>& node,
                              int first, int end, const Stage<Real>& stage, Across across) {
  const std::int64_t k = node.k;
  const bool forward = node.forward;
  const Real sign = forward ? 1 : -1;
  Real left = line.value(first - 1, k), center = line.value(first, k), right = line.value(first + 1, k);
  Real rise_left = line.template rise<Limiter>(first - 1, forward, line.value(first - 2, k), left, center);
  Real rise_center = line.template rise<Limiter>(first, forward, left, center, right);
  for (; first < end; first += ahead) {
    const std::int64_t base = node.offset + first * line.beside;
    Real beyond[ahead], starts[ahead], sources[ahead], lengths[ahead], changes[ahead];
#pragma unroll
    for (int j = 0; j < ahead; ++j) {
      if (first + j >= end) break;
      const std::int64_t i = base + j * line.beside;
      beyond[j] = line.value(first + j + 2, k);
      starts[j] = stage.start != nullptr ? stage.start[i] : Real(0);
      sources[j] = stage.q != nullptr ? stage.q[i] : Real(0);
      lengths[j] = stage.lengths[node.first_cell + (first + j) * lines.step];
      changes[j] = across(first + j);
    }
#pragma unroll
    for (int j = 0; j < ahead; ++j) {
      const int place = first + j;
      if (place >= end) break;
      const Real rise_right = line.template rise<Limiter>(place + 1, forward, center, right, beyond[j]);
      const Real arriving = (forward ? left : right) + sign * (forward ? rise_left : rise_right);
      const Real leaving = center + sign * rise_center;
      const Real rate = node.speed * lines.inverse_widths[place];
      const Real moved = center + lengths[j] * changes[j] + lengths[j] * rate * (arriving - leaving);
      stage.result[base + j * line.beside] = stage_value(starts[j], moved, sources[j], stage.share, lengths[j]);
      left = center, center = right, right = beyond[j];
      rise_left = rise_center, rise_center = rise_right;
    }
  }
}

/// One thread for each node of a piece of a line.
template <class Limiter, class Real, bool plane>
__global__ void advance_cells(AllLines<Real> axes, NodeVelocities nodes, Stage<Real> stage) {
  using Tiles = AdvanceTiles<plane>;
  const Lines<Real>& lines = axes.axis[plane ? 1 : 0];
  const int line_groups = (lines.count + Tiles::lines - 1) / Tiles::lines;
  const auto node_groups = static_cast<int>((lines.nodes + Tiles::nodes - 1) / Tiles::nodes);
  const int group = static_cast<int>(blockIdx.x) / line_groups, lane = static_cast<int>(threadIdx.x);
  const int i = static_cast<int>(blockIdx.x) % line_groups * Tiles::lines + lane / Tiles::nodes;
  const std::int64_t k = static_cast<std::int64_t>(group % node_groups) * Tiles::nodes + lane % Tiles::nodes;
  const int first = group / node_groups * Tiles::cells, end = min(first + Tiles::cells, lines.cells);
  if (i >= lines.count || k >= lines.nodes || first >= end) return;
  const Line<Real> line = lines.line(i);
  const NodeOfLine<Real> node{k, i * lines.apart * lines.nodes + k, i * lines.apart, lines.forward(k),
                              static_cast<Real>(std::abs(nodes.velocity(lines.axis, lines.along(k))))};
  const int low = max(first, 2), high = min(end, lines.cells - 2);  // cells with two neighbors on each side
  const auto advance = [&](auto across, auto across_inner, bool inner) {
    if (!inner || low >= high) return advance_piece<Limiter>(line, lines, node, first, end, stage, across);
    if (first < low) advance_piece<Limiter>(line, lines, node, first, low, stage, across);
    advance_piece<Limiter>(line.inner(), lines, node, low, high, stage, across_inner);
    if (high < end) advance_piece<Limiter>(line, lines, node, high, end, stage, across);
  };
  if constexpr (plane) {
    const Lines<Real>& crossed = axes.axis[0];
    const bool forward = crossed.forward(k);
    const Real rate = static_cast<Real>(std::abs(nodes.velocity(0, crossed.along(k)))) * crossed.inverse_widths[i];
    advance(
        [&](int place) {
          const FaceValues<Real> face = crossed.line(place).template faces<Limiter>(i, k, forward);
          return rate * (face.arriving - face.leaving);
        },
        [&](int place) {
          const FaceValues<Real> face = crossed.line(place).inner().template faces<Limiter>(i, k, forward);
          return rate * (face.arriving - face.leaving);
        },
        i >= 2 && i < crossed.cells - 2);
  } else {
    const auto none = [](int) { return Real(0); };
    advance(none, none, true);
  }
}

}  // namespace shoal::gas
