// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/deposit_method.hpp"

namespace shoal::deposit {

/// Interpolation of node values to particles, as kernels take it.
template <class Real>
struct NodeInterpolation {
  DepositSpace<Real> space;
  BinnedParticles<Real> particles;
  Fields<const Real> nodes;  ///< [space.node_count()] each
  Fields<Real> out;          ///< [n] each: one array per node array, or the components of a gradient

  /// Writes the values at the k-th particle: Σ weight · node, with fma, in ascending order of corners.
  SHOAL_HD void interpolate(std::int64_t k, const std::int64_t (&node)[8]) const {
    const CornerWeights<Real> weights = particles.weights(space, particles.cell[k], k);
    for (int f = 0; f < nodes.count; ++f) {
      Real sum = 0;
      for (int c = 0; c < space.corners(); ++c) sum = std::fma(weights[c], nodes.at(f, node[c]), sum);
      out.at(f, particles.number(k)) = sum;
    }
  }

  /// Writes the gradient at the k-th particle: Σ (∂weight/∂x) · node, with fma, in ascending order of corners.
  SHOAL_HD void gradient(std::int64_t k, const std::int64_t (&node)[8]) const {
    const std::uint32_t cell = particles.cell[k];
    const GridIndex index = space.cell_index(cell);
    const std::int32_t along[3] = {index.x, index.y, index.z};
    for (int axis = 0; axis < space.dimensions; ++axis)
      out.at(axis, particles.number(k)) =
          rounded_product(derivative(k, cell, axis, node), space.axes[axis].inverse_width(along[axis]));
  }

  /// Writes 0 for a particle without a cell.
  SHOAL_HD void write_zero(std::int64_t k) const {
    for (int f = 0; f < out.count; ++f) out.at(f, particles.number(k)) = 0;
  }

  /// Writes the nodes of a cell, by corner.
  SHOAL_HD void cell_nodes(std::int64_t cell, std::int64_t (&node)[8]) const {
    const GridIndex index = space.cell_index(cell);
    for (int c = 0; c < space.corners(); ++c) node[c] = space.corner_node(index, c);
  }

 private:
  /// The derivative along an axis, in units of the cell's edge. The derivative of redistributed weights
  /// w / Σw gives (Σ w' node − Σ w' · value) / Σ w; it is 0 on a blocked node, where the weights jump.
  SHOAL_HD Real derivative(std::int64_t k, std::uint32_t cell, int axis, const std::int64_t (&node)[8]) const {
    Real offset[3];
    for (int a = 0; a < 3; ++a) offset[a] = particles.offset[a] != nullptr ? particles.offset[a][k] : Real(0);
    const CornerWeights<Real> weights = corner_weights(offset);
    offset[axis] = 1;  // the weights of the upper nodes are then those of the face
    const CornerWeights<Real> faces = corner_weights(offset);
    const unsigned is_open = space.open(cell);
    Real slope = 0, value = 0, face_sum = 0, weight_sum = 0;
    for (int c = 0; c < space.corners(); ++c) {
      if ((is_open >> c & 1) == 0) continue;
      const int bit = 1 << axis;
      const Real face = (c & bit) != 0 ? faces[c] : -faces[c | bit];
      slope = std::fma(face, nodes.at(0, node[c]), slope);
      value = std::fma(weights[c], nodes.at(0, node[c]), value);
      face_sum = face_sum + face;
      weight_sum = weight_sum + weights[c];
    }
    if (is_open == DepositSpace<Real>::all_open || !space.redistribute) return slope;
    if (!(weight_sum > 0)) return 0;
    return (slope - rounded_product(face_sum, value / weight_sum)) / weight_sum;
  }
};

/// Fraction of the k-th particle's value that no node receives.
template <class Real>
SHOAL_HD Real lost_share(const DepositSpace<Real>& space, const BinnedParticles<Real>& particles, std::int64_t k) {
  const std::uint32_t cell = particles.cell[k];
  if (cell == space.cell_count()) return 1;
  const unsigned is_open = space.open(cell);
  if (is_open == DepositSpace<Real>::all_open || space.redistribute) return 0;
  const CornerWeights<Real> weights = particles.open_weights(k);
  Real lost = 0;
  for (int c = 0; c < space.corners(); ++c)
    if ((is_open >> c & 1) == 0) lost = lost + weights[c];
  return lost;
}

/// Device-dependent loops over all particles.
template <class Real>
struct GridToParticlesBackend {
  void (*interpolate)(const Queue& queue, const NodeInterpolation<Real>& job);
  void (*interpolate_gradient)(const Queue& queue, const NodeInterpolation<Real>& job);

  /// Writes lost[k] = lost_share() · value of the particle at position k.
  void (*find_lost)(const Queue& queue, const DepositSpace<Real>& space, const BinnedParticles<Real>& particles,
                    const Fields<const Real>& value, View<double> lost);

  static const GridToParticlesBackend cpu, cuda;
};

}  // namespace shoal::deposit
