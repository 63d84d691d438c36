// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/signs/closed_surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/text.hpp"
#include "wall_distance/signs/first_primitives.hpp"
#include "wall_distance/signs/surface_edges.hpp"
#include "wall_distance/signs/unclosed_walls.hpp"

namespace shoal::wall_distance {

namespace {

using Vector = std::array<double, 3>;

Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector operator*(double s, const Vector& a) { return {s * a[0], s * a[1], s * a[2]}; }
double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }
double length(const Vector& a) { return std::sqrt(dot(a, a)); }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

void add(OutwardNormal& sum, double weight, const OutwardNormal& normal) {
  sum.x += weight * normal.x;
  sum.y += weight * normal.y;
  sum.z += weight * normal.z;
}

/// A connected part of the walls.
struct Shell {
  std::int32_t body, first;  ///< first: number of its first primitive
  double volume = 0,
         size = 0;  ///< sum of the signed and of the absolute volumes between a fixed apex and its primitives
  Vector lower{infinity, infinity, infinity}, upper{-infinity, -infinity, -infinity};

  static constexpr double infinity = std::numeric_limits<double>::infinity();

  bool is_within(const Shell& outer) const {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (lower[axis] < outer.lower[axis] || upper[axis] > outer.upper[axis]) return false;
    return true;
  }
};

/// Builds the ClosedSurface of walls.
class SurfaceBuilder {
 public:
  SurfaceBuilder(const MeshSummary& mesh, const WallPrimitives& primitives)
      : mesh_(mesh), primitives_(primitives), edges_(surface_edges(mesh, primitives)) {
    double largest = 0;
    for (const Primitive& primitive : primitives.shape)
      for (const auto* along : {&primitive.x, &primitive.y, &primitive.z})
        for (const double coordinate : *along) largest = std::max(largest, std::abs(coordinate));
    if (largest > 0) scale_ = std::ldexp(1, -std::max(std::ilogb(largest), -1000));
  }

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

  /// Scaled coordinates, whose products stay in range.
  Vector corner(std::size_t k, int i) const {
    const Primitive& primitive = primitives_.shape[k];
    return scale_ * Vector{primitive.x[i], primitive.y[i], primitive.z[i]};
  }
  std::string name_of(std::size_t k) const {
    return text("face ", primitives_.face[k], " of wall \"",
                mesh_.wall_names[static_cast<std::size_t>(primitives_.wall[k])], "\"");
  }

  void compute_normals() {
    surface_.normals.resize(primitives_.shape.size());
    for (std::size_t k = 0; k < surface_.normals.size(); ++k) {
      PrimitiveNormals& normals = surface_.normals[k];
      for (std::size_t i = 0; i < 3; ++i) {
        normals.corner[i] = edges_.vertex[k][i];
        normals.neighbor[i] = is_2d() || !has_area(k) ? static_cast<std::int32_t>(k) : edges_.neighbor[k][i];
      }
      if (has_area(k)) normals.normal = unit_normal(k);
    }
  }

  OutwardNormal unit_normal(std::size_t k) const {
    const Vector u = corner(k, 1) - corner(k, 0), v = corner(k, 2) - corner(k, 0);
    const double longest = std::max({length(u), length(v), length(v - u)});
    const Vector a = 1 / longest * u, b = 1 / longest * v;
    const Vector across = is_2d() ? Vector{b[1], -b[0], 0} : cross(a, b);
    const double size = length(across);
    constexpr double flattest = 1e-12;  // smaller altitudes, relative to the longest edge, are rounding errors
    if (!(size > flattest))
      throw UnclosedWalls(text(name_of(k), " has no area although its corners differ, so it has no normal."),
                          "Remove it and join its neighbors");
    OutwardNormal normal;
    add(normal, primitives_.orientation[k] / size, {across[0], across[1], across[2]});
    return normal;
  }

  /// Reverses the normals of bodies whose faces are oriented inwards.
  void orient_outwards() {
    const std::vector<Shell> shells = find_shells();
    std::vector<double> volume(primitives_.pose.size());
    for (const Shell& shell : shells) volume[static_cast<std::size_t>(shell.body)] += shell.volume;
    for (std::size_t k = 0; k < surface_.normals.size(); ++k)
      if (volume[static_cast<std::size_t>(primitives_.body[k])] < 0) {
        OutwardNormal& normal = surface_.normals[k].normal;
        normal = {-normal.x, -normal.y, -normal.z};
      }
    for (const Shell& hole : shells) {
      const bool is_reversed = volume[static_cast<std::size_t>(hole.body)] < 0;
      if ((hole.volume < 0) == is_reversed) continue;
      const bool is_in_another = std::any_of(shells.begin(), shells.end(), [&](const Shell& outer) {
        return outer.body == hole.body && (outer.volume < 0) == is_reversed && hole.is_within(outer);
      });
      if (!is_in_another)
        throw UnclosedWalls(
            text("the closed wall of ", name_of(static_cast<std::size_t>(hole.first)),
                 " has the opposite orientation of the other walls of its body and is not a hole in one of them."),
            "Reverse its faces", OtherRule::none);
    }
  }

  std::vector<Shell> find_shells() const {
    std::vector<Shell> shells;
    std::vector<bool> visited(surface_.normals.size());
    std::vector<std::int32_t> next;
    for (std::size_t first = 0; first < visited.size(); ++first) {
      if (visited[first] || !has_area(first)) continue;
      Shell shell{primitives_.body[first], static_cast<std::int32_t>(first)};
      const Vector apex = corner(first, 0);
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

  void include(Shell& shell, const Vector& apex, std::size_t k) const {
    for (int i = 0; i < 3; ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        shell.lower[axis] = std::min(shell.lower[axis], corner(k, i)[axis]);
        shell.upper[axis] = std::max(shell.upper[axis], corner(k, i)[axis]);
      }
    const Vector a = corner(k, 0) - apex, b = corner(k, 1) - apex, c = corner(k, 2) - apex;
    const double volume = is_2d() ? a[0] * c[1] - a[1] * c[0] : dot(a, cross(b, c));
    shell.volume += primitives_.orientation[k] * volume;
    shell.size += std::abs(volume);
  }

  void compute_vertex_normals() {
    surface_.vertex_normal.resize(static_cast<std::size_t>(edges_.vertices));
    for (std::size_t k = 0; k < surface_.normals.size(); ++k) {
      if (!has_area(k)) continue;
      for (int i = 0; i < 3; ++i) {
        if (is_2d() && i == 1) continue;  // the second end of a segment is stored twice
        const Vector u = corner(k, (i + 1) % 3) - corner(k, i), v = corner(k, (i + 2) % 3) - corner(k, i);
        const double angle = is_2d() ? 1 : std::atan2(length(cross(u, v)), dot(u, v));
        add(surface_.vertex_normal[static_cast<std::size_t>(edges_.vertex[k][static_cast<std::size_t>(i)])], angle,
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
  double scale_ = 1;
  ClosedSurface surface_;
};

}  // namespace

ClosedSurface closed_surface(const MeshSummary& mesh, const WallPrimitives& primitives) {
  return SurfaceBuilder(mesh, primitives).build();
}

}  // namespace shoal::wall_distance
