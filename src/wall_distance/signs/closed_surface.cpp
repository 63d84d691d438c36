// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/signs/closed_surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/text.hpp"
#include "wall_distance/signs/surface_edges.hpp"

namespace shoal {

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

/// A part of the walls that hangs together.
struct Shell {
  std::int32_t body, first;     ///< first: the first of its pieces
  double volume = 0, size = 0;  ///< of the cones between a place and its pieces, with and without their signs
  Vector lower{infinity, infinity, infinity}, upper{-infinity, -infinity, -infinity};

  static constexpr double infinity = std::numeric_limits<double>::infinity();

  bool is_within(const Shell& other) const {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (lower[axis] < other.lower[axis] || upper[axis] > other.upper[axis]) return false;
    return true;
  }
};

class Finder {
 public:
  Finder(const WallMesh& mesh, const WallPieces& pieces)
      : mesh_(mesh), pieces_(pieces), edges_(wall_edges(mesh, pieces)) {
    double largest = 0;
    for (const FacePiece& piece : pieces.shape)
      for (const auto* along : {&piece.x, &piece.y, &piece.z})
        for (const double coordinate : *along) largest = std::max(largest, std::abs(coordinate));
    if (largest > 0) scale_ = std::ldexp(1, -std::max(std::ilogb(largest), -1000));
  }

  WallSides find() {
    number_faces();
    take_normals();
    turn_outwards();
    take_corner_normals();
    take_pieces_without_area();
    return std::move(sides_);
  }

 private:
  bool is_flat() const { return mesh_.dimensions == 2; }
  bool is_whole(std::size_t k) const { return edges_.is_whole(mesh_.dimensions, k); }

  /// Scaled, so that products stay in range.
  Vector corner(std::size_t k, int i) const {
    const FacePiece& piece = pieces_.shape[k];
    return scale_ * Vector{piece.x[i], piece.y[i], piece.z[i]};
  }
  std::string name_of(std::size_t k) const {
    return text("face ", pieces_.face[k], " of wall \"", mesh_.wall_names[static_cast<std::size_t>(pieces_.wall[k])],
                "\"");
  }

  void number_faces() {
    sides_.first.assign(mesh_.wall.size() + 1, 0);
    for (const std::int64_t face : pieces_.face) ++sides_.first[static_cast<std::size_t>(face) + 1];
    std::partial_sum(sides_.first.begin(), sides_.first.end(), sides_.first.begin());
  }

  void take_normals() {
    sides_.piece.resize(pieces_.shape.size());
    for (std::size_t k = 0; k < sides_.piece.size(); ++k) {
      PieceSides& its = sides_.piece[k];
      for (std::size_t i = 0; i < 3; ++i) {
        its.corner[i] = edges_.place[k][i];
        its.across[i] = is_flat() || !is_whole(k) ? static_cast<std::int32_t>(k) : edges_.beyond[k][i];
      }
      if (is_whole(k)) its.normal = unit_normal(k);
    }
  }

  OutwardNormal unit_normal(std::size_t k) const {
    const Vector u = corner(k, 1) - corner(k, 0), v = corner(k, 2) - corner(k, 0);
    const double longest = std::max({length(u), length(v), length(v - u)});
    const Vector a = 1 / longest * u, b = 1 / longest * v;
    const Vector across = is_flat() ? Vector{b[1], -b[0], 0} : cross(a, b);
    const double size = length(across);
    constexpr double flattest = 1e-12;  // heights of this part of the longest edge are rounding
    if (!(size > flattest))
      throw Error(text("wall_distance: ", name_of(k),
                       " has no area, though its corners are in three places: its sides ",
                       "cannot be told. Leave it out and join its neighbors, or ask for distances without signs."));
    OutwardNormal normal;
    add(normal, pieces_.turn[k] / size, {across[0], across[1], across[2]});
    return normal;
  }

  /// Turns around bodies whose faces look inwards.
  void turn_outwards() {
    const std::vector<Shell> shells = find_shells();
    std::vector<double> volume(pieces_.pose.size());
    for (const Shell& shell : shells) volume[static_cast<std::size_t>(shell.body)] += shell.volume;
    for (std::size_t k = 0; k < sides_.piece.size(); ++k)
      if (volume[static_cast<std::size_t>(pieces_.body[k])] < 0) {
        OutwardNormal& normal = sides_.piece[k].normal;
        normal = {-normal.x, -normal.y, -normal.z};
      }
    for (const Shell& hole : shells) {
      const bool is_turned = volume[static_cast<std::size_t>(hole.body)] < 0;
      if ((hole.volume < 0) == is_turned) continue;
      const bool is_in_another = std::any_of(shells.begin(), shells.end(), [&](const Shell& other) {
        return other.body == hole.body && (other.volume < 0) == is_turned && hole.is_within(other);
      });
      require(
          is_in_another, "wall_distance: the closed wall of ", name_of(static_cast<std::size_t>(hole.first)),
          " is turned the other way than others of its body, and is not a hole in one. Turn its faces around, or ask "
          "for distances without signs.");
    }
  }

  std::vector<Shell> find_shells() const {
    std::vector<Shell> shells;
    std::vector<bool> seen(sides_.piece.size());
    std::vector<std::int32_t> next;
    for (std::size_t first = 0; first < seen.size(); ++first) {
      if (seen[first] || !is_whole(first)) continue;
      Shell shell{pieces_.body[first], static_cast<std::int32_t>(first)};
      const Vector apex = corner(first, 0);
      next.push_back(shell.first);
      seen[first] = true;
      while (!next.empty()) {
        const auto k = static_cast<std::size_t>(next.back());
        next.pop_back();
        include(shell, apex, k);
        for (const std::int32_t other : edges_.beyond[k]) {
          if (other < 0 || seen[static_cast<std::size_t>(other)]) continue;
          seen[static_cast<std::size_t>(other)] = true;
          next.push_back(other);
        }
      }
      require(std::abs(shell.volume) > 1e-13 * shell.size, "wall_distance: the closed wall of ", name_of(first),
              " encloses nothing. Leave it out, or ask for distances without signs.");
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
    const double volume = is_flat() ? a[0] * c[1] - a[1] * c[0] : dot(a, cross(b, c));
    shell.volume += pieces_.turn[k] * volume;
    shell.size += std::abs(volume);
  }

  void take_corner_normals() {
    sides_.corner.resize(static_cast<std::size_t>(edges_.places));
    for (std::size_t k = 0; k < sides_.piece.size(); ++k) {
      if (!is_whole(k)) continue;
      for (int i = 0; i < 3; ++i) {
        if (is_flat() && i == 1) continue;  // a segment has its second end twice
        const Vector u = corner(k, (i + 1) % 3) - corner(k, i), v = corner(k, (i + 2) % 3) - corner(k, i);
        const double angle = is_flat() ? 1 : std::atan2(length(cross(u, v)), dot(u, v));
        add(sides_.corner[static_cast<std::size_t>(edges_.place[k][static_cast<std::size_t>(i)])], angle,
            sides_.piece[k].normal);
      }
    }
  }

  /// Pieces with coinciding corners are what edges and corners of others are; they take their normals from these.
  void take_pieces_without_area() {
    std::vector<bool> is_known(sides_.corner.size());
    for (std::size_t k = 0; k < sides_.piece.size(); ++k)
      for (const std::int32_t place : edges_.place[k])
        if (is_whole(k)) is_known[static_cast<std::size_t>(place)] = true;
    for (std::size_t k = 0; k < sides_.piece.size(); ++k) {
      if (is_whole(k)) continue;
      const std::int32_t a = edges_.place[k][0], b = edges_.place[k][2];
      bool is_part = is_known[static_cast<std::size_t>(a)];
      if (a != b) {
        const auto edge = std::lower_bound(edges_.edges.begin(), edges_.edges.end(), WallEdges::Edge{a, b, -1});
        is_part = edge != edges_.edges.end() && edge->a == a && edge->b == b;
        if (is_part) take_edge_normal(k, *edge);
      }
      require(is_part, "wall_distance: ", name_of(k), " has no area and lies on no edge of another face, so it is not ",
              "closed. Leave it out, or ask for distances without signs.");
    }
  }

  void take_edge_normal(std::size_t k, const WallEdges::Edge& edge) {
    const auto one = static_cast<std::size_t>(edge.piece);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t from = i == 2 ? 1 : 0, to = i == 0 ? 1 : 2;
      if (edges_.place[one][from] != edge.a || edges_.place[one][to] != edge.b) continue;
      sides_.piece[k].normal = sides_.piece[one].normal;
      add(sides_.piece[k].normal, 1, sides_.piece[static_cast<std::size_t>(edges_.beyond[one][i])].normal);
    }
  }

  const WallMesh& mesh_;
  const WallPieces& pieces_;
  WallEdges edges_;
  double scale_ = 1;
  WallSides sides_;
};

}  // namespace

WallSides wall_sides(const WallMesh& mesh, const WallPieces& pieces) { return Finder(mesh, pieces).find(); }

}  // namespace shoal
