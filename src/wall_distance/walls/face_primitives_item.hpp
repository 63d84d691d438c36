// SPDX-License-Identifier: Apache-2.0
// Primitives of one face of a mesh: the fan of triangles of a polygon, a segment, or the center of the face.
#pragma once
#include <shoal/wall_distance.hpp>

#include "wall_distance/geometry/primitive_distance_item.hpp"

namespace shoal::wall_distance {

/// Limit of coordinates of a mesh, m: squares and products of squares stay far below the largest double.
inline constexpr double largest_mesh_coordinate = 1e100;

/// Arrays of a WallMesh, in the memory of a host or of a device.
struct MeshArrays {
  int dimensions;
  const double *x, *y, *z;  ///< [points] m; z is not read in 2-D
  std::int64_t points;
  const std::int64_t* face_start;  ///< [faces + 1]
  const std::int64_t* corners;     ///< [corner_count]
  std::int64_t faces, corner_count;
  const std::int32_t* wall;  ///< [faces]; null where walls are not needed

  SHOAL_HD std::int64_t corners_of(std::int64_t face) const { return face_start[face + 1] - face_start[face]; }

  /// Number of primitives of a face.
  SHOAL_HD std::int64_t primitives_of(std::int64_t face, WallDistanceTo target) const {
    const std::int64_t count = corners_of(face);
    return target == WallDistanceTo::face_center || count < 3 ? 1 : count - 2;
  }

  /// Returns true if require_valid() has nothing to say about the coordinates of a point.
  SHOAL_HD bool is_valid_point(std::int64_t point) const {
    return std::abs(x[point]) <= largest_mesh_coordinate && std::abs(y[point]) <= largest_mesh_coordinate &&
           (dimensions == 2 || std::abs(z[point]) <= largest_mesh_coordinate);
  }

  /// Returns true if require_valid() has nothing to say about the number of corners, the corners and the wall of a face.
  /// @param walls  number of walls
  SHOAL_HD bool is_valid_face(std::int64_t face, std::int64_t walls) const {
    const std::int64_t begin = face_start[face], end = face_start[face + 1], count = end - begin;
    if (dimensions == 2 ? count != 2 : count < 3) return false;
    if (begin < 0 || end > corner_count) return false;
    if ((face == 0 && begin != 0) || (face == faces - 1 && end != corner_count)) return false;
    if (wall[face] < 0 || wall[face] >= walls) return false;
    for (std::int64_t k = begin; k < end; ++k)
      if (corners[k] < 0 || corners[k] >= points) return false;
    return true;
  }
};

/// Coordinates of a point of a mesh, m.
struct MeshPoint {
  double x, y, z;

  /// Returns true if this point comes before b: by x, then y, then z.
  SHOAL_HD bool precedes(const MeshPoint& b) const {
    if (x != b.x) return x < b.x;
    if (y != b.y) return y < b.y;
    return z < b.z;
  }
};

/// A primitive and the orientation of its corners.
struct OrientedPrimitive {
  Primitive shape;
  std::int8_t orientation;  ///< 1: the sorted corners go around as in the mesh; −1: the other way
};

/// Sorts two corners. Equal ones keep their order.
SHOAL_HD void sort_corners(MeshPoint& a, MeshPoint& b) {
  if (!b.precedes(a)) return;
  const MeshPoint first = b;
  b = a;
  a = first;
}

/// Primitive with these corners, which are sorted. The orientation is −1 if that takes an odd number of exchanges.
SHOAL_HD OrientedPrimitive sorted_primitive(MeshPoint a, MeshPoint b, MeshPoint c) {
  const bool is_odd = b.precedes(a) != (c.precedes(a) != c.precedes(b));
  sort_corners(a, b);
  sort_corners(b, c);
  sort_corners(a, b);
  return {{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}, static_cast<std::int8_t>(is_odd ? -1 : 1)};
}

/// Corners of one face. Those of a polygon begin with the smallest point number, those of a segment keep their order.
class FaceCorners {
 public:
  SHOAL_HD FaceCorners(const MeshArrays& mesh, std::int64_t face)
      : mesh_(mesh), numbers_(mesh.corners + mesh.face_start[face]), count_(mesh.corners_of(face)) {
    for (std::int64_t i = 1; count_ > 2 && i < count_; ++i)
      if (numbers_[i] < numbers_[first_]) first_ = i;
  }

  /// Primitive i of the face.
  SHOAL_HD OrientedPrimitive primitive(std::int64_t i, WallDistanceTo target) const {
    if (target == WallDistanceTo::face_center) {
      const MeshPoint center = mean();
      return {{{center.x, center.x, center.x}, {center.y, center.y, center.y}, {center.z, center.z, center.z}}, 1};
    }
    if (count_ > 2) return sorted_primitive(point(0), point(i + 1), point(i + 2));
    const MeshPoint a = point(0), b = point(1);
    OrientedPrimitive segment = sorted_primitive(a, b, b);
    segment.orientation = b.precedes(a) ? -1 : 1;
    return segment;
  }

 private:
  SHOAL_HD MeshPoint point(std::int64_t corner) const {
    const std::int64_t position = first_ + corner;
    const std::int64_t number = numbers_[position < count_ ? position : position - count_];
    return {mesh_.x[number], mesh_.y[number], mesh_.dimensions == 3 ? mesh_.z[number] : 0};
  }

  SHOAL_HD MeshPoint mean() const {
    MeshPoint sum{0, 0, 0};
    for (std::int64_t corner = 0; corner < count_; ++corner) {
      const MeshPoint next = point(corner);
      sum = {sum.x + next.x, sum.y + next.y, sum.z + next.z};
    }
    const auto count = static_cast<double>(count_);
    return {sum.x / count, sum.y / count, sum.z / count};
  }

  const MeshArrays& mesh_;
  const std::int64_t* numbers_;
  std::int64_t count_, first_ = 0;
};

}  // namespace shoal::wall_distance
