// SPDX-License-Identifier: Apache-2.0
// Query points above every face of a mesh, distributed like the cells of a boundary layer.
#pragma once
#include <algorithm>
#include <cmath>

#include "core/real.hpp"
#include "core/text.hpp"
#include "wall_distance/cases/wall_cases.hpp"

namespace shoal::testing_support {

using wall_distance::WallCase;

struct BoundaryLayerOptions {
  std::int64_t layers = 40;    ///< number of points above each part of a face
  double first_height = 1e-5;  ///< m, height of the lowest layer
  double growth = 1.25;        ///< factor between the heights of successive layers
  std::int64_t split = 1;      ///< each triangle has split² equal parts, each segment split parts
};

/// Makes the points. They are numbered layer by layer within a part, part by part within a face.
class BoundaryLayer {
 public:
  BoundaryLayer(WallMesh mesh, const BoundaryLayerOptions& options)
      : corners_(mesh.dimensions), split_(options.split), result_{std::move(mesh)} {
    require_valid(result_.mesh);
    require(options.layers >= 1, "boundary layer: ", options.layers, " layers, expected at least 1.");
    require(options.split >= 1, "boundary layer: split is ", options.split, ", expected at least 1.");
    require(options.first_height > 0 && options.growth > 0, "boundary layer: first height ", options.first_height,
            " m and growth ", options.growth, ", expected positive numbers.");
    double height = options.first_height;
    for (std::int64_t layer = 0; layer < options.layers; ++layer, height *= options.growth) heights_.push_back(height);
  }

  WallCase points() && {
    const WallMesh& mesh = result_.mesh;
    for (std::size_t face = 0; face < mesh.wall.size(); ++face) {
      const std::int64_t begin = mesh.face_start[face], count = mesh.face_start[face + 1] - begin;
      const auto first = mesh.corners.begin() + begin;
      const std::int64_t tip = count > 3 ? std::min_element(first, first + count) - first : 0;
      const auto corner = [&](std::int64_t k) { return position(begin + (tip + k) % count); };
      if (corners_ == 2) add_face({corner(0), corner(1)});
      for (std::int64_t k = 1; corners_ == 3 && k + 1 < count; ++k) add_face({corner(0), corner(k), corner(k + 1)});
    }
    return std::move(result_);
  }

 private:
  using Position = std::array<double, 3>;
  using Corners = std::array<Position, 3>;

  Position position(std::int64_t corner) const {
    const auto k = static_cast<std::size_t>(result_.mesh.corners[static_cast<std::size_t>(corner)]);
    return {result_.mesh.x[k], result_.mesh.y[k], corners_ == 3 ? result_.mesh.z[k] : 0};
  }

  /// A normal as long as the segment, or as twice the area of the triangle.
  Position normal(const Corners& c) const {
    if (corners_ == 2) return {c[1][1] - c[0][1], c[0][0] - c[1][0], 0};
    Position n{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t p = (axis + 1) % 3, q = (axis + 2) % 3;
      n[axis] = (c[1][p] - c[0][p]) * (c[2][q] - c[0][q]) - (c[1][q] - c[0][q]) * (c[2][p] - c[0][p]);
    }
    return n;
  }

  /// Weights of the corners in the middle of a part; their sum is corners · split. Parts of a triangle that are upside
  /// down are those of the other half of the square, mirrored.
  std::array<double, 3> weights(std::int64_t part) const {
    if (corners_ == 2) {
      const auto second = static_cast<double>(2 * part + 1);
      return {static_cast<double>(2 * split_) - second, second, 0};
    }
    std::int64_t i = part / split_, j = part % split_, middle = 1;
    if (i + j >= split_) {
      i = split_ - 1 - i;
      j = split_ - 1 - j;
      middle = 2;
    }
    const auto second = static_cast<double>(3 * i + middle), third = static_cast<double>(3 * j + middle);
    return {static_cast<double>(3 * split_) - second - third, second, third};
  }

  /// Adds the points above a triangle or segment that has an area or a length.
  void add_face(const Corners& c) {
    const Position n = normal(c);
    const double length = std::hypot(n[0], n[1], n[2]);
    if (!(length > 0)) return;
    for (std::int64_t part = 0; part < (corners_ == 3 ? split_ * split_ : split_); ++part)
      for (const double height : heights_) {
        const std::array<double, 3> weight = weights(part);
        Position p{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          double sum = 0;
          for (std::size_t k = 0; k < static_cast<std::size_t>(corners_); ++k)
            sum += rounded_product(weight[k], c[k][axis]);
          p[axis] = sum / static_cast<double>(corners_ * split_) + rounded_product(height, n[axis] / length);
        }
        result_.x.push_back(p[0]);
        result_.y.push_back(p[1]);
        if (corners_ == 3) result_.z.push_back(p[2]);
      }
  }

  int corners_;
  std::int64_t split_;
  std::vector<double> heights_;  ///< [layers] m
  WallCase result_;
};

/// A mesh with the points above the middle of each part of its faces, along the normals (by the order of the corners;
/// in 2-D to the right of a segment). A polygon is a fan of triangles; a face without area has no points.
/// @throws Error  an invalid mesh, layers < 1, split < 1, first_height or growth not positive
inline WallCase boundary_layer_case(WallMesh mesh, const BoundaryLayerOptions& options = {}) {
  return BoundaryLayer(std::move(mesh), options).points();
}

}  // namespace shoal::testing_support
