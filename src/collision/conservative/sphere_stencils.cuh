// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collision/conservative/gather_boxes.hpp"
#include "collision/conservative/stencil_item.hpp"
#include "collision/spheres/sphere_kernels.cuh"

namespace shoal::collision {

/// Node of the stencil of a class and direction.
template <class Real>
struct alignas(16) StencilNode {
  signed char offset[4];  ///< Offset from the center index; the last element is padding.
  int to_node;            ///< Offset of the node number from that of the center index.
  int to_transferred;     ///< Offset in the array of transfers.
  Real weight;
};

/// Stencil and rate of a direction for a class.
template <class Real>
struct ClassDirection {
  CenterBox box;     ///< Centers whose collisions in this direction take place.
  CenterBox layout;  ///< Layout of the transfers of these centers.
  int nearest[3];    ///< Offset of the nearest node of the stencil from the center, in half spacings.
  Real rate;         ///< Factor of the stored transfers: 1 if they include the rate of the direction.
  Real collision_rate;
  int nodes;       ///< Number of stencil nodes.
  int first_node;  ///< Index of the first stencil node.
};

/// Tables of a plan in device memory.
template <class Real>
struct StencilTables {
  SphereTablesView spheres;
  const ClassDirection<Real>* directions;  ///< [classes][directions]
  const StencilNode<Real>* nodes;
  const GatherBoxes* gather_boxes;  ///< [classes][directions]
  int direction_count;
  int n;
};

/// Directions of a class in shared memory, which the block loads once for all its threads.
template <class Real>
struct StagedDirections {
  static constexpr int most = 16;
  ClassDirection<Real> direction[most];
  StencilNode<Real> node[most * Stencil::most];

  /// Loads the directions first, ..., first + most − 1 of a class. All threads of the block call it.
  __device__ void load(const StencilTables<Real>& tables, int number, int first) {
    const int remaining = tables.direction_count - first, count = remaining < most ? remaining : most;
    const ClassDirection<Real>* source = tables.directions + (number * tables.direction_count + first);
    __syncthreads();  // all threads have finished with the previous directions
#pragma unroll 1
    for (int t = static_cast<int>(threadIdx.x); t < count * Stencil::most; t += sphere_threads) {
      const int k = t / Stencil::most, stencil_node = t % Stencil::most;
      if (stencil_node == 0) direction[k] = source[k];
      if (stencil_node < source[k].nodes) node[t] = tables.nodes[source[k].first_node + stencil_node];
    }
    __syncthreads();
  }
};

}  // namespace shoal::collision
