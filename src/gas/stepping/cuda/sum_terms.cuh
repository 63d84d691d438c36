// SPDX-License-Identifier: Apache-2.0
// Terms of sums over the nodes of cells or boundary faces on CUDA, for collision::sum_cells().
#pragma once
#include <cmath>
#include <cstdint>

#include "gas/physics/moments_item.hpp"
#include "gas/stepping/cuda/lines.cuh"

namespace shoal::gas {

/// Terms of the moments of a cell, as CellSums.
template <class Real>
struct MomentTerms {
  static constexpr int count = CellSums::count;
  NodeVelocities nodes;
  const Real* f;

  __device__ void add(std::int64_t i, std::int64_t, const double* v, double* sums) const {
    const double w = v[0] - nodes.center[0], value = static_cast<double>(f[i]), first = w * value, second = w * first;
    CellSums::add({{value, first, second, w * second}}, v[1] - nodes.center[1], v[2] - nodes.center[2], sums);
  }
};

/// Terms of the fluxes through faces of boundaries, which take the place of cells.
template <class Real>
struct FluxTerms {
  static constexpr int count = FluxSums::count;
  const Real* ends;
  std::int64_t first_along_y;  ///< Index of the first face at a boundary along y.

  __device__ void add(std::int64_t i, std::int64_t face, const double* v, double* sums) const {
    const double term = v[face < first_along_y ? 0 : 1] * static_cast<double>(ends[i]);
    FluxSums::add(term, v[0] * term, v[0] * v[0] * term, v[1], v[2], sums);
  }
};

/// Term |∂f/∂t| of own cells.
template <class Limiter, class Real>
struct ChangeTerms {
  static constexpr int count = 1;
  AllLines<Real> lines;
  const Real* q;           ///< [stored cells × nodes]
  std::int64_t own_begin;  ///< Index of the first own cell.

  __device__ void add(std::int64_t own_node, std::int64_t own_cell, const double* v, double* sums) const {
    const std::int64_t cell = own_begin + own_cell, i = own_node + own_begin * lines.axis[0].nodes;
    double change = static_cast<double>(q[i]);
    for (int axis = 0; axis < lines.dimensions; ++axis) {
      const Lines<Real>& along = lines.axis[axis];
      const std::int64_t k = i - cell * along.nodes;
      const int line = along.line_of(static_cast<int>(cell)), place = along.place_of(static_cast<int>(cell));
      const FaceValues<Real> face = along.line(line).template faces<Limiter>(place, k, v[axis] > 0, along.f[i]);
      const double rate = std::abs(v[axis]) * static_cast<double>(along.inverse_widths[place]);
      change += rate * static_cast<double>(face.arriving - face.leaving);
    }
    sums[0] += std::abs(change);
  }
};

/// Σ w x y over the nodes of a cell, for some y.
template <class Real>
struct ProductTerms {
  static constexpr int count = 8;
  const Real* weights;  ///< [nodes] w
  std::int64_t nodes;
  const Real* x;
  const Real* ys[count];  ///< [cells × nodes] each; null: none

  __device__ void add(std::int64_t i, std::int64_t cell, const double*, double* sums) const {
    const double value = static_cast<double>(weights[i - cell * nodes]) * static_cast<double>(x[i]);
#pragma unroll
    for (int k = 0; k < count; ++k)
      if (ys[k] != nullptr) sums[k] += value * static_cast<double>(ys[k][i]);
  }
};

}  // namespace shoal::gas
