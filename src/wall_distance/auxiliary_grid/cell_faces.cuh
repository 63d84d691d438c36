// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <limits>

#include "wall_distance/auxiliary_grid/auxiliary_cells.hpp"
#include "wall_distance/bounding_spheres/sphere_layouts.cuh"

/// How an auxiliary cell has its faces: the paper's linked list, and its structs A to D. Each is made by put() on the
/// host, and calls visit(ball, piece) for its faces on the device.
namespace shoal::advancing {

struct FaceNode {
  PieceBall<double> ball;
  std::int32_t piece;
  const FaceNode* next;
};

/// Faces in the memory of the device that cells point to, in the order of cells, and a copy to fill on the host.
struct FaceMemory {
  Array<FaceNode> nodes;
  Array<double> numbers;
  Array<std::int32_t> pieces;
  std::vector<FaceNode> host_nodes;
  std::vector<double> host_numbers;
  std::vector<std::int32_t> host_pieces;

  explicit FaceMemory(const Queue& queue) : nodes(queue, 0), numbers(queue, 0), pieces(queue, 0) {}

  void resize(std::int64_t node_count, std::int64_t piece_count) {
    nodes.resize(node_count);
    numbers.resize(4 * piece_count);
    pieces.resize(piece_count);
    host_nodes.resize(static_cast<std::size_t>(node_count));
    host_numbers.resize(static_cast<std::size_t>(4 * piece_count));
    host_pieces.resize(static_cast<std::size_t>(piece_count));
  }
  void upload(const Queue& queue) {
    copy<FaceNode>(queue, host_nodes, nodes.view());
    copy<double>(queue, host_numbers, numbers.view());
    copy<std::int32_t>(queue, host_pieces, pieces.view());
  }
  std::int64_t bytes() const { return nodes.bytes() + numbers.bytes() + pieces.bytes(); }
};

/// What put() takes: a cell, the number of faces in cells before it, and the balls of all pieces.
struct CellFaces {
  const std::vector<std::int32_t>& pieces;
  std::int64_t before;
  const std::vector<PieceBall<double>>& balls;

  std::int32_t count() const { return static_cast<std::int32_t>(pieces.size()); }
  const PieceBall<double>& ball(std::int32_t k) const {
    return balls[static_cast<std::size_t>(pieces[static_cast<std::size_t>(k)])];
  }
};

constexpr std::int32_t any_number = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t in_cell_faces = 100;  ///< the paper's

/// A list of faces.
struct LinkedFaces {
  static constexpr std::int32_t most = any_number;
  const FaceNode* root;

  void put(const CellFaces& faces, FaceMemory& memory) {
    root = memory.nodes.data() + faces.before;
    for (std::int32_t k = 0; k < faces.count(); ++k)
      memory.host_nodes[static_cast<std::size_t>(faces.before + k)] = {
          faces.ball(k), faces.pieces[static_cast<std::size_t>(k)], k + 1 < faces.count() ? root + k + 1 : nullptr};
  }
  static void resize(FaceMemory& memory, std::int64_t faces) { memory.resize(faces, 0); }
  template <class Visit>
  __device__ void visit(std::int32_t, const SeparateBalls<double>&, Visit&& visit) const {
    for (const FaceNode* node = root; node != nullptr; node = node->next) visit(node->ball, node->piece);
  }
};

/// Struct A: pointers to arrays.
struct PointedFaces {
  static constexpr std::int32_t most = any_number;
  const double *x, *y, *z, *radii;
  const std::int32_t* pieces;

  void put(const CellFaces& faces, FaceMemory& memory) {
    const std::int64_t all = memory.pieces.count();
    const auto array = [&](std::int64_t number, auto value) {
      for (std::int32_t k = 0; k < faces.count(); ++k)
        memory.host_numbers[static_cast<std::size_t>(number * all + faces.before + k)] = value(faces.ball(k));
      return memory.numbers.data() + number * all + faces.before;
    };
    x = array(0, [](const PieceBall<double>& ball) { return ball.x; });
    y = array(1, [](const PieceBall<double>& ball) { return ball.y; });
    z = array(2, [](const PieceBall<double>& ball) { return ball.z; });
    radii = array(3, [](const PieceBall<double>& ball) { return ball.radius; });
    pieces = memory.pieces.data() + faces.before;
    std::copy(faces.pieces.begin(), faces.pieces.end(), memory.host_pieces.begin() + faces.before);
  }
  static void resize(FaceMemory& memory, std::int64_t faces) { memory.resize(0, faces); }
  template <class Visit>
  __device__ void visit(std::int32_t count, const SeparateBalls<double>&, Visit&& visit) const {
    for (std::int32_t k = 0; k < count; ++k) visit(PieceBall<double>{x[k], y[k], z[k], radii[k]}, pieces[k]);
  }
};

/// Structs B (Layout interleaved) and C (separate): in the cell itself.
template <class Layout>
struct FacesInCell {
  static constexpr std::int32_t most = in_cell_faces;
  alignas(32) double numbers[4 * in_cell_faces];
  std::int32_t pieces[in_cell_faces];

  void put(const CellFaces& faces, FaceMemory&) {
    const Layout here(numbers, in_cell_faces);
    for (std::int32_t k = 0; k < faces.count(); ++k) here.put(k, faces.ball(k));
    std::copy(faces.pieces.begin(), faces.pieces.end(), pieces);
  }
  static void resize(FaceMemory&, std::int64_t) {}
  template <class Visit>
  __device__ void visit(std::int32_t count, const SeparateBalls<double>&, Visit&& visit) const {
    const Layout here(const_cast<double*>(numbers), in_cell_faces);
    for (std::int32_t k = 0; k < count; ++k) visit(here.ball(k), pieces[k]);
  }
};

/// Struct D: numbers of faces in the arrays of all faces.
struct IndexedFaces {
  static constexpr std::int32_t most = in_cell_faces;
  std::int32_t pieces[in_cell_faces];

  void put(const CellFaces& faces, FaceMemory& memory) {
    const SeparateBalls<double> all(memory.host_numbers.data(), static_cast<std::int32_t>(memory.pieces.count()));
    for (std::int32_t k = 0; k < faces.count(); ++k) {
      pieces[k] = faces.pieces[static_cast<std::size_t>(k)];
      all.put(pieces[k], faces.ball(k));
    }
  }
  static void resize(FaceMemory& memory, std::int64_t faces) { memory.resize(0, faces); }
  template <class Visit>
  __device__ void visit(std::int32_t count, const SeparateBalls<double>& all, Visit&& visit) const {
    for (std::int32_t k = 0; k < count; ++k) visit(all.ball(pieces[k]), pieces[k]);
  }
};

/// What kernels walk over.
template <class Faces>
struct Cell {
  PieceBall<double> ball;
  std::int32_t count;
  Faces faces;
};

/// The balls of cells, where they are in them.
template <class Faces>
struct CellBalls {
  using Real = double;
  const Cell<Faces>* cells;

  SHOAL_HD PieceBall<double> ball(std::int32_t k) const { return cells[k].ball; }
};

}  // namespace shoal::advancing
