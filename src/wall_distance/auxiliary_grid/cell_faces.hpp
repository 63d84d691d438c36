// SPDX-License-Identifier: Apache-2.0
// Storage of the faces of an auxiliary cell: the paper's linked list (figure 10), and its structs A to D (figure 11).
// Each is filled by put() on the host, and calls visit(sphere, primitive) for its faces.
#pragma once
#include <shoal/array.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "wall_distance/auxiliary_grid/auxiliary_cells.hpp"
#include "wall_distance/auxiliary_grid/variations.hpp"
#include "wall_distance/bounding_spheres/sphere_arrays.hpp"

namespace shoal::wall_distance {

/// An element of the paper's list of faces.
struct FaceNode {
  BoundingSphere<double> sphere;
  std::int32_t primitive;
  const FaceNode* next;
};

/// Memory of the faces on the device, in the order of the cells that point to them, and its copy on the host.
struct FaceMemory {
  Array<FaceNode> nodes;
  Array<double> numbers;
  Array<std::int32_t> primitives;
  std::vector<FaceNode> host_nodes;
  std::vector<double> host_numbers;
  std::vector<std::int32_t> host_primitives;

  explicit FaceMemory(const Queue& queue) : nodes(queue, 0), numbers(queue, 0), primitives(queue, 0) {}

  void resize(std::int64_t node_count, std::int64_t primitive_count) {
    nodes.resize(node_count);
    numbers.resize(4 * primitive_count);
    primitives.resize(primitive_count);
    host_nodes.resize(static_cast<std::size_t>(node_count));
    host_numbers.resize(static_cast<std::size_t>(4 * primitive_count));
    host_primitives.resize(static_cast<std::size_t>(primitive_count));
  }
  /// Copies the faces to the device, and frees the copy on the host.
  void upload(const Queue& queue) {
    copy<FaceNode>(queue, host_nodes, nodes.view());
    copy<double>(queue, host_numbers, numbers.view());
    copy<std::int32_t>(queue, host_primitives, primitives.view());
    host_nodes = {};
    host_numbers = {};
    host_primitives = {};
  }
  std::int64_t bytes() const { return nodes.bytes() + numbers.bytes() + primitives.bytes(); }
};

/// Faces of a cell, as arguments of put().
struct CellFaces {
  const std::vector<std::int32_t>& primitives;
  std::int64_t before;                                 ///< number of faces in the cells before
  const std::vector<BoundingSphere<double>>& spheres;  ///< spheres of all primitives

  std::int32_t count() const { return static_cast<std::int32_t>(primitives.size()); }
  const BoundingSphere<double>& sphere(std::int32_t k) const {
    return spheres[static_cast<std::size_t>(primitives[static_cast<std::size_t>(k)])];
  }
};

/// Coordinates and radii of all faces on the device, for structs that refer to them.
struct AllFaces {
  const double* numbers;  ///< [4 count]
  std::int32_t count;
};

constexpr std::int32_t any_number = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t in_cell_faces = 100;  ///< the paper's capacity of a cell

/// A list of faces.
struct LinkedFaces {
  static constexpr std::int32_t most = any_number;
  const FaceNode* root;

  void put(const CellFaces& faces, FaceMemory& memory) {
    root = memory.nodes.data() + faces.before;
    for (std::int32_t k = 0; k < faces.count(); ++k)
      memory.host_nodes[static_cast<std::size_t>(faces.before + k)] = {faces.sphere(k),
                                                                       faces.primitives[static_cast<std::size_t>(k)],
                                                                       k + 1 < faces.count() ? root + k + 1 : nullptr};
  }
  static void resize(FaceMemory& memory, std::int64_t faces) { memory.resize(faces, 0); }
  SHOAL_CALLS_ARGUMENT
  template <class Visit>
  SHOAL_HD void visit(std::int32_t, const AllFaces&, Visit&& visit) const {
    for (const FaceNode* node = root; node != nullptr; node = node->next) visit(node->sphere, node->primitive);
  }
};

/// Struct A: pointers to arrays.
struct PointedFaces {
  static constexpr std::int32_t most = any_number;
  const double *x, *y, *z, *radii;
  const std::int32_t* primitives;

  void put(const CellFaces& faces, FaceMemory& memory) {
    const std::int64_t stride = memory.primitives.count();
    const auto array = [&](std::int64_t number, auto value) {
      for (std::int32_t k = 0; k < faces.count(); ++k)
        memory.host_numbers[static_cast<std::size_t>(number * stride + faces.before + k)] = value(faces.sphere(k));
      return memory.numbers.data() + number * stride + faces.before;
    };
    x = array(0, [](const BoundingSphere<double>& sphere) { return sphere.x; });
    y = array(1, [](const BoundingSphere<double>& sphere) { return sphere.y; });
    z = array(2, [](const BoundingSphere<double>& sphere) { return sphere.z; });
    radii = array(3, [](const BoundingSphere<double>& sphere) { return sphere.radius; });
    primitives = memory.primitives.data() + faces.before;
    std::copy(faces.primitives.begin(), faces.primitives.end(), memory.host_primitives.begin() + faces.before);
  }
  static void resize(FaceMemory& memory, std::int64_t faces) { memory.resize(0, faces); }
  SHOAL_CALLS_ARGUMENT
  template <class Visit>
  SHOAL_HD void visit(std::int32_t count, const AllFaces&, Visit&& visit) const {
    for (std::int32_t k = 0; k < count; ++k) visit(BoundingSphere<double>{x[k], y[k], z[k], radii[k]}, primitives[k]);
  }
};

/// Structs B (Layout interleaved) and C (separate arrays): faces in the cell itself.
template <class Layout>
struct FacesInCell {
  static constexpr std::int32_t most = in_cell_faces;
  alignas(32) double numbers[4 * in_cell_faces];
  std::int32_t primitives[in_cell_faces];

  void put(const CellFaces& faces, FaceMemory&) {
    const Layout spheres(numbers, in_cell_faces);
    for (std::int32_t k = 0; k < faces.count(); ++k) spheres.put(k, faces.sphere(k));
    std::copy(faces.primitives.begin(), faces.primitives.end(), primitives);
  }
  static void resize(FaceMemory&, std::int64_t) {}
  SHOAL_CALLS_ARGUMENT
  template <class Visit>
  SHOAL_HD void visit(std::int32_t count, const AllFaces&, Visit&& visit) const {
    const Layout spheres(const_cast<double*>(numbers), in_cell_faces);
    for (std::int32_t k = 0; k < count; ++k) visit(spheres.sphere(k), primitives[k]);
  }
};

/// Struct D: numbers of faces, whose centers are in memory of all faces.
/// @tparam Layout  SphereArrays or InterleavedSpheres
template <class Layout>
struct IndexedFaces {
  static constexpr std::int32_t most = in_cell_faces;
  std::int32_t primitives[in_cell_faces];

  void put(const CellFaces& faces, FaceMemory& memory) {
    const Layout all_spheres(memory.host_numbers.data(), static_cast<std::int32_t>(memory.primitives.count()));
    for (std::int32_t k = 0; k < faces.count(); ++k) {
      primitives[k] = faces.primitives[static_cast<std::size_t>(k)];
      all_spheres.put(primitives[k], faces.sphere(k));
    }
  }
  static void resize(FaceMemory& memory, std::int64_t faces) { memory.resize(0, faces); }
  SHOAL_CALLS_ARGUMENT
  template <class Visit>
  SHOAL_HD void visit(std::int32_t count, const AllFaces& all_faces, Visit&& visit) const {
    const Layout all_spheres(const_cast<double*>(all_faces.numbers), all_faces.count);
    for (std::int32_t k = 0; k < count; ++k) visit(all_spheres.sphere(primitives[k]), primitives[k]);
  }
};

/// Type that stores the faces of a cell.
template <FaceStorage storage>
struct FacesOf;
template <>
struct FacesOf<FaceStorage::linked_list> : std::type_identity<LinkedFaces> {};
template <>
struct FacesOf<FaceStorage::pointers> : std::type_identity<PointedFaces> {};
template <>
struct FacesOf<FaceStorage::in_cell> : std::type_identity<FacesInCell<InterleavedSpheres<double>>> {};
template <>
struct FacesOf<FaceStorage::in_cell_arrays> : std::type_identity<FacesInCell<SphereArrays<double>>> {};
template <>
struct FacesOf<FaceStorage::index> : std::type_identity<IndexedFaces<SphereArrays<double>>> {};
template <>
struct FacesOf<FaceStorage::index_interleaved> : std::type_identity<IndexedFaces<InterleavedSpheres<double>>> {};

/// A cell of the auxiliary grid.
template <class Faces>
struct Cell {
  BoundingSphere<double> sphere;
  std::int32_t count;  ///< number of faces
  Faces faces;
};

/// The bounding spheres of cells, a layout like SphereArrays.
template <class Faces>
struct CellSpheres {
  using Real = double;
  const Cell<Faces>* cells;

  SHOAL_HD BoundingSphere<double> sphere(std::int32_t k) const { return cells[k].sphere; }
};

}  // namespace shoal::wall_distance
