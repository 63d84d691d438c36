// SPDX-License-Identifier: Apache-2.0
// Sign of the distance to a closed surface, from the feature (interior of a triangle, edge or corner) that contains the
// nearest point. The scalar product with the pseudonormal of that feature is negative inside. The pseudonormal is the
// normal of the triangle, the sum of the two normals at an edge, and the angle-weighted sum of the normals at a corner.
//
// Source: Bærentzen and Aanæs (2005), "Signed distance computation using the angle weighted pseudonormal".
#pragma once
#include "wall_distance/wall_distance_method.hpp"

namespace shoal::wall_distance {

/// Vector that points out of the surface; of any length.
struct OutwardNormal {
  double x = 0, y = 0, z = 0;
};

/// Normals of a primitive and of its surroundings.
struct PrimitiveNormals {
  OutwardNormal normal;  ///< unit normal; without area: the sum of the normals at the edge that contains the primitive
  std::int32_t neighbor[3];  ///< primitives beyond the edges 0-1, 0-2 and 1-2; the primitive itself if it has no area
  std::int32_t corner[3];    ///< vertex numbers of the corners
};

/// Determines the signs of distances; all memory is on one device.
struct SignFinder {
  const Primitive* shape;
  const std::int32_t* body;            ///< [primitives]
  const BodyPose* pose;                ///< [bodies]
  const std::int32_t* first;           ///< [faces of the mesh + 1] first primitive of each face
  const PrimitiveNormals* normals;     ///< [primitives]
  const OutwardNormal* vertex_normal;  ///< [vertices]

  /// Makes the distance of point i negative and reverses its gradient if the point is inside. On a wall the gradient
  /// becomes the normal. Reads the result face.
  SHOAL_HD void find(const WallQueries& queries, std::int64_t i) const {
    const DoubleDoubleVector point = queries.point(i);
    if (!queries.accept(i, point)) return;
    const std::int64_t face = queries.out.face.data[i * queries.out.face.stride];
    const std::int32_t begin = first[face], end = first[face + 1];
    const BodyPose& body_pose = pose[body[begin]];
    const DoubleDoubleVector from_body = body_pose.to_body(point);
    NearestPrimitive nearest;
    for (std::int32_t k = begin; k < end; ++k) nearest.test(from_body, shape[k], k);
    const bool is_on_wall = !(nearest.distance > 0);
    if (is_on_wall && !queries.has_gradient()) return;
    const OutwardNormal normal = normal_at(nearest, corner_offsets(from_body, shape[nearest.primitive]));
    if (is_on_wall) {
      const DoubleDoubleVector outward = body_pose.from_body({{normal.x, 0}, {normal.y, 0}, {normal.z, 0}});
      queries.write_unit(i, outward, rounded_sqrt(squared_length(outward)));
    } else if (dot(nearest.offset, normal) < 0) {
      queries.reverse(i);
    }
  }

 private:
  /// Pseudonormal of the feature that contains the nearest point.
  SHOAL_HD OutwardNormal normal_at(const NearestPrimitive& nearest, const CornerOffsets& corners) const {
    const PrimitiveNormals& primitive = normals[nearest.primitive];
    for (int i = 0; i < 3; ++i)
      if (same(nearest.offset, corners.offset[i])) return vertex_normal[primitive.corner[i]];
    DoubleDoubleVector offset;
    if (offset_from_interior(corners, offset)) return primitive.normal;
    int edge = 2;
    if (same(nearest.offset, offset_from_segment(corners.offset[0], corners.offset[2]))) edge = 1;
    if (same(nearest.offset, offset_from_segment(corners.offset[0], corners.offset[1]))) edge = 0;
    const OutwardNormal& beyond = normals[primitive.neighbor[edge]].normal;
    return {primitive.normal.x + beyond.x, primitive.normal.y + beyond.y, primitive.normal.z + beyond.z};
  }

  SHOAL_HD static bool same(const DoubleDouble& a, const DoubleDouble& b) { return a.high == b.high && a.low == b.low; }
  SHOAL_HD static bool same(const DoubleDoubleVector& a, const DoubleDoubleVector& b) {
    return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z);
  }
  SHOAL_HD static double dot(const DoubleDoubleVector& a, const OutwardNormal& b) {
    return fma(a.x.high, b.x, fma(a.y.high, b.y, rounded_product(a.z.high, b.z)));
  }
};

}  // namespace shoal::wall_distance
