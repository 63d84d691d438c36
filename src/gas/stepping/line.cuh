// SPDX-License-Identifier: Apache-2.0
// f of one velocity node along the line of cells on CUDA. The slopes of f are computed where they are used.
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
  const Real* f;                      ///< [cells × nodes]
  const Real* ends;                   ///< [2 × nodes] f at the first and at the last face
  const SlopeFactors<Real>* factors;  ///< [cells]
  std::int64_t nodes;
  int cells, n, first_forward;
  bool periodic;

  __device__ bool forward(std::int64_t k) const { return static_cast<int>(k % n) >= first_forward; }

  /// f at node k of a cell; beyond a boundary that at the boundary.
  /// @param cell  −2 to cells + 1
  __device__ Real value(int cell, std::int64_t k) const {
    if (Inner || (cell >= 0 && cell < cells)) return f[cell * nodes + k];
    if (!periodic) return ends[(cell < 0 ? 0 : nodes) + k];
    return f[wrapped(cell) * nodes + k];
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
        return boundary_rise<Limiter>(center, factor.left * (center - left));
      if (!periodic && !forward && cell == 0) return boundary_rise<Limiter>(center, factor.right * (right - center));
    }
    return limited_rise<Limiter>(left, center, right, factor.left, factor.right);
  }

  /// Values of node k at both faces of a cell.
  template <class Limiter>
  __device__ FaceValues<Real> faces(int cell, std::int64_t k) const {
    const bool moves_forward = forward(k);
    const Real left = value(cell - 1, k), center = value(cell, k), right = value(cell + 1, k);
    const Real center_rise = rise<Limiter>(cell, moves_forward, left, center, right);
    if (moves_forward)
      return {left + rise<Limiter>(cell - 1, true, value(cell - 2, k), left, center), center + center_rise};
    return {right - rise<Limiter>(cell + 1, false, center, right, value(cell + 2, k)), center - center_rise};
  }

  /// The same line for cells that have two neighbors on each side.
  __device__ Line<Real, true> inner() const { return {f, ends, factors, nodes, cells, n, first_forward, periodic}; }

 private:
  __device__ int wrapped(int cell) const { return cell < 0 ? cell + cells : cell - cells; }
};

}  // namespace shoal::gas
