// SPDX-License-Identifier: Apache-2.0
// Storage of the faces of an auxiliary cell: the paper's linked list, and its structs A to D. Each is filled by put()
// on the host, and calls visit(sphere, primitive) for its faces on the device.
#pragma once
#include <algorithm>
#include <limits>

#include "wall_distance/auxiliary_grid/auxiliary_cells.hpp"
#include "wall_distance/bounding_spheres/sphere_layouts.cuh"

namespace shoal::wall_distance {

/// An element of the paper's list of faces.
struct FaceNode {
  BoundingSphere<double> sphere;
  std::int32_t primitive;
  const FaceNode* next;
};

/// Device memory of the faces, in the order of the cells that point to them, and its copy on the host.
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
  void upload(const Queue& queue) {
    copy<FaceNode>(queue, host_nodes, nodes.view());
    copy<double>(queue, host_numbers, numbers.view());
    copy<std::int32_t>(queue, host_primitives, primitives.view());
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
  template <class Visit>
  __device__ void visit(std::int32_t, const SphereArrays<double>&, Visit&& visit) const {
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
  template <class Visit>
  __device__ void visit(std::int32_t count, const SphereArrays<double>&, Visit&& visit) const {
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
  template <class Visit>
  __device__ void visit(std::int32_t count, const SphereArrays<double>&, Visit&& visit) const {
    const Layout spheres(const_cast<double*>(numbers), in_cell_faces);
    for (std::int32_t k = 0; k < count; ++k) visit(spheres.sphere(k), primitives[k]);
  }
};

/// Struct D: numbers of faces in the arrays of all faces.
struct IndexedFaces {
  static constexpr std::int32_t most = in_cell_faces;
  std::int32_t primitives[in_cell_faces];

  void put(const CellFaces& faces, FaceMemory& memory) {
    const SphereArrays<double> all_spheres(memory.host_numbers.data(),
                                           static_cast<std::int32_t>(memory.primitives.count()));
    for (std::int32_t k = 0; k < faces.count(); ++k) {
      primitives[k] = faces.primitives[static_cast<std::size_t>(k)];
      all_spheres.put(primitives[k], faces.sphere(k));
    }
  }
  static void resize(FaceMemory& memory, std::int64_t faces) { memory.resize(0, faces); }
  template <class Visit>
  __device__ void visit(std::int32_t count, const SphereArrays<double>& all_spheres, Visit&& visit) const {
    for (std::int32_t k = 0; k < count; ++k) visit(all_spheres.sphere(primitives[k]), primitives[k]);
  }
};

/// A cell in device memory.
template <class Faces>
struct DeviceCell {
  BoundingSphere<double> sphere;
  std::int32_t count;  ///< number of faces
  Faces faces;
};

/// The bounding spheres of cells, a layout like SphereArrays.
template <class Faces>
struct CellSpheres {
  using Real = double;
  const DeviceCell<Faces>* cells;

  SHOAL_HD BoundingSphere<double> sphere(std::int32_t k) const { return cells[k].sphere; }
};

}  // namespace shoal::wall_distance
