// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/deposit_call.hpp"

namespace shoal {

/// What reads nodes, by particle: all that the device needs to know.
template <class Real>
struct NodeReading {
  DepositSpace<Real> space;
  BinnedParticles<Real> particles;
  Fields<const Real> nodes;  ///< [space.node_count()] each
  Fields<Real> out;          ///< [n] each: as many values as node arrays, or the components of a gradient

  /// The values at the particle at position k: Σ weight · node, fused, in ascending order of corners.
  SHOAL_HD void interpolate(std::int64_t k, const std::int64_t (&node)[8]) const {
    const CornerWeights<Real> weights = particles.weights(space, particles.cell[k], k);
    for (int f = 0; f < nodes.count; ++f) {
      Real sum = 0;
      for (int c = 0; c < space.corners(); ++c) sum = std::fma(weights[c], nodes.at(f, node[c]), sum);
      out.at(f, particles.number(k)) = sum;
    }
  }

  /// The gradient at the particle at position k: Σ (∂weight/∂x) · node, fused, in ascending order of corners.
  SHOAL_HD void gradient(std::int64_t k, const std::int64_t (&node)[8]) const {
    const std::uint32_t cell = particles.cell[k];
    const GridPlace at = space.cell_place(cell);
    const std::int32_t place[3] = {at.x, at.y, at.z};
    for (int axis = 0; axis < space.dimensions; ++axis)
      out.at(axis, particles.number(k)) =
          rounded_product(slope(k, cell, axis, node), space.axes[axis].inverse_width(place[axis]));
  }

  /// The gradient of a particle that has no cell, and the values.
  SHOAL_HD void nothing(std::int64_t k) const {
    for (int f = 0; f < out.count; ++f) out.at(f, particles.number(k)) = 0;
  }

  /// The nodes of a cell, by corner.
  SHOAL_HD void find_nodes(std::int64_t cell, std::int64_t (&node)[8]) const {
    const GridPlace at = space.cell_place(cell);
    for (int c = 0; c < space.corners(); ++c) node[c] = space.corner_node(at, c);
  }

 private:
  /// The derivative along an axis, in units of the cell's edge. Redistributed weights are w / Σw, so theirs is
  /// (Σ w' node − Σ w' · value) / Σ w; 0 on a blocked node, where they jump.
  SHOAL_HD Real slope(std::int64_t k, std::uint32_t cell, int axis, const std::int64_t (&node)[8]) const {
    Real offset[3];
    for (int other = 0; other < 3; ++other)
      offset[other] = particles.offset[other] != nullptr ? particles.offset[other][k] : Real(0);
    const CornerWeights<Real> weights = corner_weights(offset);
    offset[axis] = 1;  // the weights of the upper nodes are then those of the face
    const CornerWeights<Real> faces = corner_weights(offset);
    const unsigned is_open = space.open(cell);
    Real derivative = 0, value = 0, all_faces = 0, all_weights = 0;
    for (int c = 0; c < space.corners(); ++c) {
      if ((is_open >> c & 1) == 0) continue;
      const int bit = 1 << axis;
      const Real face = (c & bit) != 0 ? faces[c] : -faces[c | bit];
      derivative = std::fma(face, nodes.at(0, node[c]), derivative);
      value = std::fma(weights[c], nodes.at(0, node[c]), value);
      all_faces = all_faces + face;
      all_weights = all_weights + weights[c];
    }
    if (is_open == DepositSpace<Real>::all_open || !space.redistribute) return derivative;
    if (!(all_weights > 0)) return 0;
    return (derivative - rounded_product(all_faces, value / all_weights)) / all_weights;
  }
};

/// What of the particle's value at position k gets to no node, as a share.
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

/// A cell's share of its nodes: each divided by the number of open cells around it, and added as
/// ((n0 + n1) + (n2 + n3)) + ((n4 + n5) + (n6 + n7)).
template <class Real>
SHOAL_HD Real cell_share(const DepositSpace<Real>& space, const Fields<const Real>& nodes, int field,
                         std::int64_t cell) {
  if (space.is_blocked(cell)) return 0;
  const GridPlace at = space.cell_place(cell);
  Real share[8] = {};
  for (int c = 0; c < space.corners(); ++c) {
    const GridPlace node = {space.axes[0].node(at.x, c & 1), space.axes[1].node(at.y, (c >> 1) & 1),
                            space.dimensions > 2 ? space.axes[2].node(at.z, c >> 2) : 0};
    share[c] = nodes.at(field, space.node_number(node)) / static_cast<Real>(space.open_cells_around(node));
  }
  return ((share[0] + share[1]) + (share[2] + share[3])) + ((share[4] + share[5]) + (share[6] + share[7]));
}

/// @name Over all particles or cells
/// @{
template <class Real>
void interpolate_nodes(const Queue& queue, const NodeReading<Real>& reading);
template <class Real>
void interpolate_gradients(const Queue& queue, const NodeReading<Real>& reading);
/// @param cells  [space.cell_count()] each, as many as nodes
template <class Real>
void share_nodes(const Queue& queue, const DepositSpace<Real>& space, const Fields<const Real>& nodes,
                 const Fields<Real>& cells);
/// lost[k] = lost_share() · value of the particle at position k.
template <class Real>
void find_lost(const Queue& queue, const DepositSpace<Real>& space, const BinnedParticles<Real>& particles,
               const Fields<const Real>& value, View<double> lost);
/// @}

}  // namespace shoal
