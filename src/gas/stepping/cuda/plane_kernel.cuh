// SPDX-License-Identifier: Apache-2.0
// Runge-Kutta stages of a plane on CUDA. A thread marches along y.
#pragma once
#include <cmath>

#include "gas/stepping/cuda/advance_kernel.cuh"

namespace shoal::gas {

inline constexpr int strip_columns = 2;    ///< Columns that a thread of advance_plane() visits.
inline constexpr int strip_rows = 32;      ///< Rows that it visits.
inline constexpr int strip_nodes = 32;     ///< Nodes of a warp.
inline constexpr int strips_of_block = 8;  ///< Strips or nodes of several groups that a block visits, a warp each.
inline constexpr int strip_threads = strips_of_block * strip_nodes;

/// Strip and nodes of a warp.
struct StripPlace {
  int first, count;  ///< first column, and number of columns; 0: none
  int group, row;    ///< group of strip_nodes nodes; first row
};

/// Shares of the warps of advance_plane(), for each `strip_rows` rows: first blocks for the columns beside both sides, then
/// blocks with strips of inner columns. The last strip of these overlaps another one where the columns do not fill it.
struct StripGrid {
  int columns, inner_columns, groups, across, edge_blocks, blocks_of_rows, blocks;

  SHOAL_HD StripGrid(int all_columns, int rows, int nodes) : columns(all_columns) {
    inner_columns = columns > 4 ? columns - 4 : 0;
    groups = parts(nodes, strip_nodes);
    across = parts(parts(inner_columns, strip_columns), strips_of_block);
    edge_blocks = parts(2 * groups, strips_of_block);
    blocks_of_rows = edge_blocks + across * groups;
    blocks = blocks_of_rows * parts(rows, strip_rows);
  }

  SHOAL_HD StripPlace place(int block, int warp) const {
    const int share = block % blocks_of_rows, row = block / blocks_of_rows * strip_rows;
    if (share < edge_blocks) {
      const int edge = share * strips_of_block + warp, first = edge % 2 == 0 ? 0 : max(2, columns - 2);
      return {first, min(2, columns - first), edge / 2, row};
    }
    const int inner = share - edge_blocks, strip = inner % across * strips_of_block + warp;
    const int last = columns - 2 - min(strip_columns, inner_columns), first = 2 + strip * strip_columns;
    return {min(first, last), first < columns - 2 ? min(strip_columns, inner_columns) : 0, inner / across, row};
  }

 private:
  SHOAL_HD static int parts(int count, int size) { return (count + size - 1) / size; }
};

/// Node that a thread visits in a strip of columns of a plane.
template <class Real>
struct NodeOfStrip {
  int k;
  bool forward, upward;
  Real v_x, v_y;  ///< m/s
};

/// Values of a node in the cells around a strip of columns, row by row.
/// @tparam InnerX  true: only for columns that have two neighbors on each side
/// @tparam InnerY  true: only for rows that have two neighbors on each side
template <class Real, bool InnerX, bool InnerY>
class StripValues {
 public:
  /// @param first  first column
  /// @param j      first row
  __device__ StripValues(const AllLines<Real>& axes, const NodeOfStrip<Real>& node, int first, int j)
      : axes_(axes), k_(node.k), first_(first), before_(node.upward ? -1 : 0), j_(j) {
    upwind_ = node.forward ? first - 1 : first;
    beside_ = node.forward ? first - 1 : first + strip_columns;
    const Real* row = axes.axis[0].line(0).f + j * row_stride() + k_;
    if constexpr (InnerY) ahead_ = row + (before_ + 2) * row_stride() + first * nodes();
    if constexpr (InnerX) {
      left_ = row + (upwind_ - 1) * nodes();
      side_ = row + beside_ * nodes();
    }
  }

  /// Row of the cell upwind of the upper face, and first column of a cell upwind of a face along x.
  __device__ int upwind_row() const { return j_ + before_ + 1; }
  __device__ int upwind_column() const { return upwind_; }

  /// Value in column c, `rows` rows above the row upwind of the upper face.
  __device__ Real along_y(int c, int rows) const {
    if constexpr (InnerY) return ahead_[c * nodes() + (rows - 1) * row_stride()];
    return column(c).value(upwind_row() + rows, k_);
  }
  /// Values beside the strip: before its upwind column, behind the last one, and between that and the columns.
  __device__ Real before() const {
    if constexpr (InnerX) return left_[0];
    return row().value(upwind_ - 1, k_);
  }
  __device__ Real behind() const {
    if constexpr (InnerX) return left_[(strip_columns + 2) * nodes()];
    return row().value(upwind_ + strip_columns + 1, k_);
  }
  __device__ Real beside() const {
    if constexpr (InnerX) return *side_;
    return row().value(beside_, k_);
  }
  /// Value in a column behind the last one of the plane.
  __device__ Real beyond(int c) const { return row().value(first_ + c, k_); }

  __device__ Line<Real, InnerX> row() const { return axes_.axis[0].line(j_).template as<InnerX>(); }
  __device__ Line<Real, InnerY> column(int c) const { return axes_.axis[1].line(first_ + c).template as<InnerY>(); }

  __device__ void next_row() {
    ++j_;
    if constexpr (InnerY) ahead_ += row_stride();
    if constexpr (InnerX) left_ += row_stride(), side_ += row_stride();
  }

 private:
  __device__ std::int64_t nodes() const { return axes_.axis[0].nodes; }
  __device__ std::int64_t row_stride() const { return axes_.axis[1].step * axes_.axis[1].nodes; }

  const AllLines<Real>& axes_;
  int k_, first_, before_, j_, upwind_, beside_;
  const Real* ahead_;         ///< Value in the first column, two rows above `before_`, if InnerY.
  const Real *left_, *side_;  ///< Values before and beside the strip in the present row, if InnerX.
};

/// Values of a node at the faces of a strip along x: at the left face of each column, and at the right face of the last one.
/// @param center  values of the columns
template <class Limiter, class Real, bool InnerX, bool InnerY>
__device__ void faces_of_strip(const StripValues<Real, InnerX, InnerY>& values, bool forward,
                               const Real (&center)[strip_columns], Real (&face)[strip_columns + 1]) {
  const auto row = values.row();
  const Real sign = forward ? 1 : -1, beside = values.beside(), behind = values.behind();
  Real left = values.before(), middle = forward ? beside : center[0];
#pragma unroll
  for (int t = 0; t <= strip_columns; ++t) {
    Real right = behind;
    if (t < strip_columns) right = forward ? center[t] : t + 1 < strip_columns ? center[t + 1] : beside;
    face[t] = middle + sign * row.template rise<Limiter>(values.upwind_column() + t, forward, left, middle, right);
    left = middle, middle = right;
  }
}

/// Runge-Kutta stage of a node in the rows from `j` to `end` of a strip of columns. Values at faces along y are in registers,
/// and neighbors along x come from the cache.
template <class Limiter, bool InnerX, bool InnerY, class Real>
__device__ void advance_strip(const AllLines<Real>& axes, const NodeOfStrip<Real>& node, const StripPlace& place, int j,
                              int end, const Stage<Real>& stage) {
  const int first = place.first, count = place.count;
  const std::int64_t nodes = axes.axis[0].nodes;
  const int across = axes.axis[1].step;
  const Real sign = node.upward ? 1 : -1;
  StripValues<Real, InnerX, InnerY> values(axes, node, first, j);
  // Values below and in the cell upwind of the upper face, and at the lower face.
  Real left[strip_columns], middle[strip_columns], low[strip_columns];
#pragma unroll
  for (int c = 0; c < strip_columns; ++c) {
    if (!InnerX && c >= count) break;
    left[c] = values.along_y(c, -1), middle[c] = values.along_y(c, 0);
    low[c] = left[c] + sign * values.column(c).template rise<Limiter>(values.upwind_row() - 1, node.upward,
                                                                      values.along_y(c, -2), left[c], middle[c]);
  }
  int cell = j * across + first;
  std::int64_t index = cell * nodes + node.k;
#pragma unroll 1
  for (; j < end; ++j) {
    Real right[strip_columns], center[strip_columns], start[strip_columns], source[strip_columns],
        face[strip_columns + 1];
    CellStep<Real> steps[strip_columns];
#pragma unroll
    for (int c = 0; c < strip_columns; ++c) {
      if (!InnerX && c >= count) {
        center[c] = values.beyond(c);
        continue;
      }
      right[c] = values.along_y(c, 1);
      start[c] = stage.start != nullptr ? stage.start[index + c * nodes] : Real(0);
      source[c] = stage.q != nullptr ? stage.q[index + c * nodes] : Real(0);
      steps[c] = stage.steps[cell + c];
      center[c] = node.upward ? middle[c] : left[c];
    }
    faces_of_strip<Limiter>(values, node.forward, center, face);
    const Real per_height = axes.axis[1].inverse_widths[j];
    Real result[strip_columns];
#pragma unroll
    for (int c = 0; c < strip_columns; ++c) {
      if (!InnerX && c >= count) break;
      const Real high = middle[c] + sign * values.column(c).template rise<Limiter>(values.upwind_row(), node.upward,
                                                                                   left[c], middle[c], right[c]);
      Real moved = center[c] + steps[c].length_per_width * node.v_x * (face[c] - face[c + 1]);
      moved += steps[c].length * per_height * node.v_y * (low[c] - high);
      result[c] = stage_value(start[c], moved, source[c], stage.share, steps[c].length);
      left[c] = middle[c], middle[c] = right[c], low[c] = high;
    }
#pragma unroll
    for (int c = 0; c < strip_columns; ++c)
      if (InnerX || c < count) stage.result[index + c * nodes] = result[c];
    values.next_row();
    cell += across;
    index += across * nodes;
  }
}

/// One thread for each node of some rows of a strip of columns. Columns beside the left and the right side are strips of their
/// own, in blocks of their own, because they take longer.
/// @tparam Inner  true: only cells that have two neighbors on each side, along both axes, which need no faces of the sides;
///                false: only the others
template <class Limiter, bool Inner, class Real>
__global__ void __launch_bounds__(strip_threads, sizeof(Real) == 4 ? 4 : 2)
    advance_plane(AllLines<Real> axes, NodeVelocities nodes, Stage<Real> stage) {
  const Lines<Real>&along_x = axes.axis[0], &along_y = axes.axis[1];
  const StripGrid grid(along_x.cells, along_y.cells, static_cast<int>(along_x.nodes));
  const StripPlace place = grid.place(static_cast<int>(blockIdx.x), static_cast<int>(threadIdx.x) / strip_nodes);
  const int k = place.group * strip_nodes + static_cast<int>(threadIdx.x) % strip_nodes, n = nodes.n;
  const int first = place.row, end = min(first + strip_rows, along_y.cells);
  if (place.count <= 0 || k >= along_x.nodes || first >= end) return;
  const int x = k % n, y = k / n % n;
  const NodeOfStrip<Real> node{k, x >= along_x.first_forward, y >= along_y.first_forward,
                               static_cast<Real>(nodes.velocity(0, x)), static_cast<Real>(nodes.velocity(1, y))};
  const bool inner = place.first >= 2 && place.first + strip_columns + 2 <= along_x.cells;
  // Rows from `low` to `high` have two neighbors on each side.
  const int low = min(max(first, 2), end), high = max(low, min(end, along_y.cells - 2));
  if constexpr (Inner) {
    if (inner && low < high) advance_strip<Limiter, true, true>(axes, node, place, low, high, stage);
  } else {
#pragma unroll 1
    for (int part = 0; part < 2; ++part) {
      const int begin = part == 0 ? first : high, stop = part == 0 ? low : end;
      if (begin >= stop) continue;
      inner ? advance_strip<Limiter, true, false>(axes, node, place, begin, stop, stage)
            : advance_strip<Limiter, false, false>(axes, node, place, begin, stop, stage);
    }
    if (!inner && low < high) advance_strip<Limiter, false, true>(axes, node, place, low, high, stage);
  }
}

}  // namespace shoal::gas
