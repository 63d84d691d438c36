// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>

#include "io/mesh/mesh_builder.hpp"

namespace shoal::io {

/// Indices along i, j and k, from 0.
using BlockIndex = std::array<std::int64_t, 3>;

/// Structured block of nodes in a mesh, i fastest.
struct StructuredBlock {
  BlockIndex nodes;
  std::int64_t first;  ///< number of the first node of the block

  std::int64_t number(const BlockIndex& index) const {
    return first + index[0] + nodes[0] * (index[1] + nodes[1] * index[2]);
  }
  /// Number of axes with at least 2 nodes.
  int axes() const {
    return static_cast<int>(std::count_if(nodes.begin(), nodes.end(), [](std::int64_t n) { return n > 1; }));
  }
};

/// Adds all elements between the nodes `first` and `last`: hexahedra, quadrilaterals or segments. The elements extend
/// along those axes on which `first` and `last` differ.
void add_range_of_block(MeshBuilder& mesh, const StructuredBlock& block, const BlockIndex& first,
                        const BlockIndex& last, std::int32_t group);

}  // namespace shoal::io
