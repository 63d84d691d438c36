// SPDX-License-Identifier: Apache-2.0
// On which side of a closed surface a point is, from what it is nearest to: the inside of a triangle, an edge or a
// corner. The normal there, that of the triangle or the sum of those around, weighted by their angles at a corner,
// points to the side that the point is on.
//
// Source: Bærentzen and Aanæs (2005), "Signed distance computation using the angle weighted pseudonormal".
#pragma once
#include "wall_distance/wall_distance_method.hpp"

namespace shoal {

/// Points away from the inside; of any length.
struct OutwardNormal {
  double x = 0, y = 0, z = 0;
};

/// What of the surface around a piece tells its sides.
struct PieceSides {
  OutwardNormal normal;  ///< of unit length; of a piece without area the normal of the edge that it lies on
  std::int32_t
      across[3];  ///< pieces beyond the edges 0-1, 0-2 and 1-2; the piece itself where its normal is the edge's
  std::int32_t corner[3];  ///< numbers of the places of its corners
};

/// Finds signs for answers that were written; all memory is on one device.
struct SideFinder {
  const FacePiece* shape;
  const std::int32_t* body;    ///< [pieces]
  const BodyPose* pose;        ///< [bodies]
  const std::int32_t* first;   ///< [faces of the mesh + 1] the first piece of each face
  const PieceSides* sides;     ///< [pieces]
  const OutwardNormal* place;  ///< [places] the normals of corners

  /// Makes the distance of point i negative if the point is inside. Needs the distance and the face.
  SHOAL_HD void find(const WallQueries& queries, std::int64_t i) const {
    const TwofoldVector point = queries.point(i);
    if (!queries.accept(i, point)) return;
    double& distance = queries.out.distance.data[i * queries.out.distance.stride];
    if (!(distance > 0)) return;
    const std::int64_t face = queries.out.face.data[i * queries.out.face.stride];
    const std::int32_t begin = first[face], end = first[face + 1];
    const TwofoldVector from_body = pose[body[begin]].to_body(point);
    NearestFace nearest;
    for (std::int32_t k = begin; k < end; ++k) nearest.see(from_body, shape[k], k);
    const OutwardNormal normal = normal_at(nearest, see_corners(from_body, shape[nearest.piece]));
    if (dot(nearest.offset, normal) < 0) distance = -distance;
  }

 private:
  /// Of what the nearest point of the nearest piece is on.
  SHOAL_HD OutwardNormal normal_at(const NearestFace& nearest, const CornerSights& sights) const {
    const PieceSides& its = sides[nearest.piece];
    for (int i = 0; i < 3; ++i)
      if (same(nearest.offset, sights.from[i])) return place[its.corner[i]];
    TwofoldVector offset;
    if (from_inside(sights, offset)) return its.normal;
    int edge = 2;
    if (same(nearest.offset, from_segment(sights.from[0], sights.from[2]))) edge = 1;
    if (same(nearest.offset, from_segment(sights.from[0], sights.from[1]))) edge = 0;
    const OutwardNormal& beyond = sides[its.across[edge]].normal;
    return {its.normal.x + beyond.x, its.normal.y + beyond.y, its.normal.z + beyond.z};
  }

  SHOAL_HD static bool same(const Twofold& a, const Twofold& b) { return a.high == b.high && a.low == b.low; }
  SHOAL_HD static bool same(const TwofoldVector& a, const TwofoldVector& b) {
    return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z);
  }
  SHOAL_HD static double dot(const TwofoldVector& a, const OutwardNormal& b) {
    return fma(a.x.high, b.x, fma(a.y.high, b.y, rounded_product(a.z.high, b.z)));
  }
};

}  // namespace shoal
