// SPDX-License-Identifier: Apache-2.0
// Faces of an isosurface in a cell of a grid: the cell is cut into simplices, 6 tetrahedra or 2 triangles, all along one
// diagonal, so that neighboring cells are cut alike where they meet.
//
// Source: Kuhn's subdivision; marching tetrahedra have no ambiguous cases (Doi and Koide 1991).
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace shoal::sph {

/// Edge of a simplex: from a corner of the cell to another one that has all its bits. Bit k of a corner is its place along
/// axis k.
struct CellEdge {
  int begin;
  int end;
};

/// Simplices of a cell, [dimensions!][dimensions + 1] corners of the cell in ascending order of their bits: each adds an axis.
template <int dimensions>
constexpr auto cell_simplices() {
  constexpr int count = dimensions == 3 ? 6 : 2;
  std::array<std::array<int, dimensions + 1>, count> simplices{};
  std::array<int, dimensions> axes{};
  for (int axis = 0; axis < dimensions; ++axis) axes[static_cast<std::size_t>(axis)] = axis;
  for (auto& simplex : simplices) {
    simplex[0] = 0;
    for (std::size_t k = 0; k < dimensions; ++k) simplex[k + 1] = simplex[k] | 1 << axes[k];
    std::next_permutation(axes.begin(), axes.end());
  }
  return simplices;
}

/// Middle of an edge in half cells.
template <int dimensions>
constexpr std::array<int, dimensions> middle_of(const CellEdge& edge) {
  std::array<int, dimensions> middle{};
  for (int axis = 0; axis < dimensions; ++axis)
    middle[static_cast<std::size_t>(axis)] = (edge.begin >> axis & 1) + (edge.end >> axis & 1);
  return middle;
}

/// Orders the edges of a face so that its normal points away from the inside. Edges cut anywhere have the sign of their
/// middles.
/// @param inside  a corner of the simplex inside the surface
template <int dimensions>
constexpr void orient(std::array<CellEdge, dimensions>& face, int inside) {
  std::array<int, dimensions> corner{};
  for (int axis = 0; axis < dimensions; ++axis) corner[static_cast<std::size_t>(axis)] = 2 * (inside >> axis & 1);
  std::array<std::array<int, dimensions>, dimensions> way{};  // from the corner to the middles
  for (std::size_t k = 0; k < dimensions; ++k)
    for (std::size_t axis = 0; axis < dimensions; ++axis)
      way[k][axis] = middle_of<dimensions>(face[k])[axis] - corner[axis];
  int volume = 0;
  if constexpr (dimensions == 2)
    volume = way[0][0] * way[1][1] - way[0][1] * way[1][0];
  else
    for (std::size_t a = 0; a < 3; ++a) {
      const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
      volume += way[0][a] * (way[1][b] * way[2][c] - way[1][c] * way[2][b]);
    }
  if (volume < 0) std::swap(face[0], face[1]);
}

/// Calls visit(edges) for each face in a simplex, with the edges of the cell on which its corners are.
/// @param is_inside  bit k: corner k of the cell is inside
template <int dimensions, class Visit>
constexpr void for_each_face(const std::array<int, dimensions + 1>& simplex, unsigned is_inside, const Visit& visit) {
  std::array<int, dimensions + 1> in{}, out{};
  std::size_t ins = 0, outs = 0;
  for (const int corner : simplex) (is_inside >> corner & 1 ? in[ins++] : out[outs++]) = corner;
  if (ins == 0 || outs == 0) return;
  const auto edge = [](int a, int b) { return CellEdge{std::min(a, b), std::max(a, b)}; };
  const auto add = [&](std::array<CellEdge, dimensions> face) {
    orient<dimensions>(face, in[0]);
    visit(face);
  };
  if constexpr (dimensions == 2) {
    ins == 1 ? add({edge(in[0], out[0]), edge(in[0], out[1])}) : add({edge(in[0], out[0]), edge(in[1], out[0])});
  } else if (ins == 1) {
    add({edge(in[0], out[0]), edge(in[0], out[1]), edge(in[0], out[2])});
  } else if (outs == 1) {
    add({edge(in[0], out[0]), edge(in[1], out[0]), edge(in[2], out[0])});
  } else {  // a quadrilateral
    add({edge(in[0], out[0]), edge(in[0], out[1]), edge(in[1], out[1])});
    add({edge(in[0], out[0]), edge(in[1], out[1]), edge(in[1], out[0])});
  }
}

}  // namespace shoal::sph
