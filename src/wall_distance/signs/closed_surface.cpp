// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/signs/closed_surface.hpp"

#include <algorithm>
#include <cmath>

#include "core/cpu_variants.hpp"
#include "core/range.hpp"
#include "core/text.hpp"
#include "wall_distance/signs/first_primitives.hpp"
#include "wall_distance/signs/shells.hpp"
#include "wall_distance/signs/surface_edges.hpp"
#include "wall_distance/signs/surface_item.hpp"
#include "wall_distance/signs/unclosed_walls.hpp"

namespace shoal::wall_distance {

namespace {

SHOAL_CPU_VARIANTS void weigh_corners(const SurfaceShapes& shapes, Range primitives, double* weight) {
  for (std::int64_t k = primitives.begin; k < primitives.end; ++k)
    for (int i = 0; i < 3; ++i) weight[3 * k + i] = shapes.weight(k, i);
}

/// [primitives][3] weights of the normals of primitives at their corners.
std::vector<double> corner_weights(const SurfaceShapes& shapes, std::int64_t primitives) {
  constexpr std::int64_t chunk = 512;
  std::vector<double> weight(static_cast<std::size_t>(3 * primitives));
#pragma omp parallel for
  for (std::int64_t begin = 0; begin < primitives; begin += chunk)
    weigh_corners(shapes, {begin, std::min(primitives, begin + chunk)}, weight.data());
  return weight;
}

/// Builds the ClosedSurface of walls.
class SurfaceBuilder {
 public:
  SurfaceBuilder(const MeshSummary& mesh, const WallPrimitives& primitives)
      : mesh_(mesh),
        primitives_(primitives),
        edges_(surface_edges(mesh, primitives)),
        shapes_{primitives.shape.data(), primitives.orientation.data(),
                surface_scale(largest_coordinate(primitives.shape)), mesh.dimensions} {}

  ClosedSurface build() {
    surface_.first = first_primitives(mesh_.faces, primitives_.face);
    compute_normals();
    orient_outwards();
    compute_vertex_normals();
    compute_normals_without_area();
    return std::move(surface_);
  }

 private:
  bool is_2d() const { return mesh_.dimensions == 2; }
  bool has_area(std::size_t k) const { return edges_.has_area(mesh_.dimensions, k); }

  static double largest_coordinate(const std::vector<Primitive>& shapes) {
    double largest = 0;
    for (const Primitive& primitive : shapes)
      for (const auto* along : {&primitive.x, &primitive.y, &primitive.z})
        for (const double coordinate : *along) largest = std::max(largest, std::abs(coordinate));
    return largest;
  }
  std::string name_of(std::size_t k) const {
    return text("face ", primitives_.face[k], " of wall \"",
                mesh_.wall_names[static_cast<std::size_t>(primitives_.wall[k])], "\"");
  }

  void compute_normals() {
    surface_.normals.resize(primitives_.shape.size());
#pragma omp parallel for
    for (std::size_t k = 0; k < surface_.normals.size(); ++k) {
      PrimitiveNormals& normals = surface_.normals[k];
      for (std::size_t i = 0; i < 3; ++i) {
        normals.corner[i] = edges_.vertex[k][i];
        normals.neighbor[i] = is_2d() || !has_area(k) ? static_cast<std::int32_t>(k) : edges_.neighbor[k][i];
      }
      if (has_area(k)) normals.normal = shapes_.unit_normal(static_cast<std::int64_t>(k));
    }
    for (std::size_t k = 0; k < surface_.normals.size(); ++k)
      if (has_area(k) && !is_unit(surface_.normals[k].normal))
        throw UnclosedWalls(text(name_of(k), " has no area although its corners differ, so it has no normal."),
                            "Remove it and join its neighbors");
  }

  /// Reverses the normals of bodies whose faces are oriented inwards.
  void orient_outwards() {
    const std::vector<Shell> shells = find_shells();
    const std::vector<std::uint8_t> is_reversed = reversed_bodies(shells, primitives_.pose.size());
    for (std::size_t k = 0; k < surface_.normals.size(); ++k)
      if (is_reversed[static_cast<std::size_t>(primitives_.body[k])] != 0) reverse(surface_.normals[k].normal);
    if (const Shell* const shell = misplaced_shell(shells, is_reversed))
      throw UnclosedWalls(
          text("the closed wall of ", name_of(static_cast<std::size_t>(shell->first)),
               " has the opposite orientation of the other walls of its body and is not a hole in one of them."),
          "Reverse its faces", OtherRule::none);
  }

  std::vector<Shell> find_shells() const {
    std::vector<Shell> shells;
    std::vector<bool> visited(surface_.normals.size());
    std::vector<std::int32_t> next;
    for (std::size_t first = 0; first < visited.size(); ++first) {
      if (visited[first] || !has_area(first)) continue;
      Shell shell{primitives_.body[first], static_cast<std::int32_t>(first)};
      const SurfaceVector apex = shapes_.corner(shell.first, 0);
      next.push_back(shell.first);
      visited[first] = true;
      while (!next.empty()) {
        const auto k = static_cast<std::size_t>(next.back());
        next.pop_back();
        include(shell, apex, k);
        for (const std::int32_t neighbor : edges_.neighbor[k]) {
          if (neighbor < 0 || visited[static_cast<std::size_t>(neighbor)]) continue;
          visited[static_cast<std::size_t>(neighbor)] = true;
          next.push_back(neighbor);
        }
      }
      if (!(std::abs(shell.volume) > 1e-13 * shell.size))
        throw UnclosedWalls(text("the closed wall of ", name_of(first), " encloses no volume."), "Remove it",
                            OtherRule::none);
      shells.push_back(shell);
    }
    return shells;
  }

  void include(Shell& shell, const SurfaceVector& apex, std::size_t primitive) const {
    const auto k = static_cast<std::int64_t>(primitive);
    for (int i = 0; i < 3; ++i) {
      const SurfaceVector corner = shapes_.corner(k, i);
      const double along[3] = {corner.x, corner.y, corner.z};
      for (int axis = 0; axis < 3; ++axis) {
        shell.lower[axis] = std::min(shell.lower[axis], along[axis]);
        shell.upper[axis] = std::max(shell.upper[axis], along[axis]);
      }
    }
    const double volume = shapes_.volume(apex, k);
    shell.volume += volume;
    shell.size += std::abs(volume);
  }

  void compute_vertex_normals() {
    const std::vector<double> weight = corner_weights(shapes_, primitives_.count());
    surface_.vertex_normal.resize(static_cast<std::size_t>(edges_.vertices));
    for (std::size_t k = 0; k < surface_.normals.size(); ++k) {
      if (!has_area(k)) continue;
      for (std::size_t i = 0; i < 3; ++i) {
        if (is_2d() && i == 1) continue;  // the second end of a segment is stored twice
        add(surface_.vertex_normal[static_cast<std::size_t>(edges_.vertex[k][i])], weight[3 * k + i],
            surface_.normals[k].normal);
      }
    }
  }

  /// Gives primitives without area the normals of the edges or vertices of other primitives with which they coincide.
  void compute_normals_without_area() {
    std::vector<bool> has_normal(surface_.vertex_normal.size());
    for (std::size_t k = 0; k < surface_.normals.size(); ++k)
      for (const std::int32_t vertex : edges_.vertex[k])
        if (has_area(k)) has_normal[static_cast<std::size_t>(vertex)] = true;
    for (std::size_t k = 0; k < surface_.normals.size(); ++k) {
      if (has_area(k)) continue;
      const std::int32_t a = edges_.vertex[k][0], b = edges_.vertex[k][2];
      bool coincides = has_normal[static_cast<std::size_t>(a)];
      if (a != b) {
        const auto edge = std::lower_bound(edges_.edges.begin(), edges_.edges.end(), SurfaceEdges::Edge{a, b, -1});
        coincides = edge != edges_.edges.end() && edge->a == a && edge->b == b;
        if (coincides) copy_edge_normal(k, *edge);
      }
      if (!coincides)
        throw UnclosedWalls(
            text(name_of(k), " has no area and lies on no edge of another face, so the wall is not closed."),
            "Remove the face");
    }
  }

  void copy_edge_normal(std::size_t k, const SurfaceEdges::Edge& edge) {
    const auto owner = static_cast<std::size_t>(edge.primitive);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t begin = i == 2 ? 1 : 0, end = i == 0 ? 1 : 2;
      if (edges_.vertex[owner][begin] != edge.a || edges_.vertex[owner][end] != edge.b) continue;
      surface_.normals[k].normal = surface_.normals[owner].normal;
      add(surface_.normals[k].normal, 1, surface_.normals[static_cast<std::size_t>(edges_.neighbor[owner][i])].normal);
    }
  }

  const MeshSummary& mesh_;
  const WallPrimitives& primitives_;
  SurfaceEdges edges_;
  SurfaceShapes shapes_;
  ClosedSurface surface_;
};

}  // namespace

ClosedSurface closed_surface(const MeshSummary& mesh, const WallPrimitives& primitives) {
  return SurfaceBuilder(mesh, primitives).build();
}

}  // namespace shoal::wall_distance
