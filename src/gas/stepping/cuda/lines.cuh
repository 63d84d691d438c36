// SPDX-License-Identifier: Apache-2.0
// f of one velocity node along lines of cells on CUDA. The slopes of f are computed where they are used.
#pragma once
#include <cstdint>

#include "gas/physics/transport_item.hpp"

namespace shoal::gas {

/// Factors of CellShape in the precision of f.
template <class Real>
struct alignas(2 * sizeof(Real)) SlopeFactors {
  Real left, right;
};

/// Values of f at the upwind and at the downwind face of a cell.
template <class Real>
struct FaceValues {
  Real arriving, leaving;
};

/// Line of cells with the values of f at both ends.
/// @tparam Inner  true: only for cells that have two neighbors on each side
template <class Real, bool Inner = false>
struct Line {
  const Real* f;                      ///< f in the first cell
  const Real* first_end;              ///< [nodes] f at the first face
  const Real* last_end;               ///< [nodes] f at the last face
  const SlopeFactors<Real>* factors;  ///< [cells]
  std::int64_t beside;                ///< index of a node in the next cell − index in a cell
  int cells;
  bool periodic;

  /// f at node k of a cell; beyond a boundary that at the boundary.
  /// @param cell  −2 or more; on a periodic line the cells repeat
  __device__ Real value(int cell, std::int64_t k) const {
    if (Inner || (cell >= 0 && cell < cells)) return f[cell * beside + k];
    if (!periodic) return (cell < 0 ? first_end : last_end)[k];
    return f[wrapped(cell) * beside + k];
  }

  /// Rise of f in a cell; beyond a boundary 0.
  /// @param left, center, right  values of the cell and of its neighbors
  template <class Limiter>
  __device__ Real rise(int cell, bool forward, Real left, Real center, Real right) const {
    if constexpr (!Inner) {
      const bool outside = cell < 0 || cell >= cells;
      if (outside && !periodic) return 0;
      if (outside) cell = wrapped(cell);
    }
    const SlopeFactors<Real> factor = factors[cell];
    if constexpr (!Inner) {
      if (!periodic && forward && cell == cells - 1)
        return boundary_rise<Limiter>(center, rounded_product(factor.left, center - left));
      if (!periodic && !forward && cell == 0)
        return boundary_rise<Limiter>(center, rounded_product(factor.right, right - center));
    }
    return limited_rise<Limiter>(left, center, right, factor.left, factor.right);
  }

  /// Values of node k at both faces of a cell. Without branches, because nodes of both directions share a warp.
  /// @param forward  the node moves toward the last cell
  /// @param center   value of the cell
  template <class Limiter>
  __device__ FaceValues<Real> faces(int cell, std::int64_t k, bool forward, Real center) const {
    const int along = forward ? 1 : -1;
    const Real sign = forward ? 1 : -1;
    const Real beyond = value(cell - 2 * along, k), upwind = value(cell - along, k), downwind = value(cell + along, k);
    const Real upwind_rise =
        rise<Limiter>(cell - along, forward, forward ? beyond : center, upwind, forward ? center : beyond);
    const Real center_rise =
        rise<Limiter>(cell, forward, forward ? upwind : downwind, center, forward ? downwind : upwind);
    return {upwind + sign * upwind_rise, center + sign * center_rise};
  }

  /// The same line; `true`: for cells that have two neighbors on each side.
  template <bool is_inner>
  __device__ Line<Real, is_inner> as() const {
    return {f, first_end, last_end, factors, beside, cells, periodic};
  }

 private:
  __device__ int wrapped(int cell) const { return cell < 0 ? cell + cells : cell % cells; }
};

/// All lines of cells along an axis, as CellLines, or those of a species.
template <class Real>
struct Lines {
  const Real* f;                      ///< [all cells × nodes]
  const Real* ends;                   ///< [2 × count × nodes] f at the first and at the last faces of own cells
  const SlopeFactors<Real>* factors;  ///< [cells]
  const double* widths;               ///< [cells] m
  const Real* inverse_widths;         ///< [cells] 1/m
  std::int64_t nodes;
  int count, cells;  ///< number of lines, and of cells of a line
  int step, apart;   ///< index of the next cell of a line, and of the first cell of the next line, − index of a cell
  int axis, n, first_forward;
  int own_begin, own_last;  ///< places of the first and of the last own cell on a line
  bool periodic;
  int first_number = 0, between = 1;  ///< number of the first line, and of the next − that of a line

  /// Number of line i among those of all species.
  __device__ int number(int i) const { return first_number + i * between; }
  __device__ Line<Real> line(int i) const {
    const int line_number = number(i);
    return {f + line_number * apart * nodes,
            ends + line_number * nodes,
            ends + (count + line_number) * nodes,
            factors,
            step * nodes,
            cells,
            periodic};
  }
  /// Number of the line of a cell, and the place of the cell on that line.
  __device__ int line_of(int cell) const { return step == 1 ? cell / cells : cell % count; }
  __device__ int place_of(int cell) const { return step == 1 ? cell % cells : cell / count; }
  /// Index of node k along the axis.
  __device__ int along(std::int64_t k) const {
    const int node = static_cast<int>(k);
    return (axis == 0 ? node : node / n) % n;
  }
  /// Returns true if node k moves toward the last cells.
  __device__ bool forward(std::int64_t k) const { return along(k) >= first_forward; }
};

/// Lines along all axes of a flow.
template <class Real>
struct AllLines {
  Lines<Real> axis[2];
  int dimensions;
};

}  // namespace shoal::gas
