// SPDX-License-Identifier: Apache-2.0
// tiles: all pairs, a tile of faces in shared memory at a time.
//
// idea           a thread a point. The block brings balls around faces to shared memory, in float; threads go over them
//                for the smallest distance to a center, and again for the faces that may be nearer than that: whose
//                ball may, and then whose disk may, which is all that tells far points. Those are weighed by their
//                flat distance in float and wait in a list of eight; when it is full, and in the end,
//                the one that seems nearest is seen exactly and those that are farther for certain are dropped. So
//                threads of a warp see faces exactly together, one or two a point
// source         shoal; tiles after Nyland, Harris and Prins (2007), "Fast N-body simulation with CUDA"
// memory         112 bytes a triangle, besides 88 of the triangle; none a point; 16 KiB of shared memory a block
// atomics        none
// deterministic  yes: the answer does not depend on the order in which faces are seen
// wins when      there are some hundred faces
// loses when     there are more: the cost is the product of the numbers of points and faces
// differs        -
#include "wall_distance/bounding_spheres/sphere_layouts.cuh"
#include "wall_distance/geometry/bounding_disk_item.hpp"
#include "wall_distance/geometry/planar_groups.hpp"
#include "wall_distance/methods/methods.hpp"

namespace shoal {

namespace {

using Layout = InterleavedBalls<float>;
using Tiles = SharedBalls<Layout>;
constexpr int threads = 128;
constexpr int blocks = 6;  ///< of a multiprocessor: nearly all time goes into loops that need few registers

/// In the plane z = 0.
struct PlaneSight : BallSight<float> {
  using BallSight<float>::BallSight;
  __device__ float squared(const PieceBall<float>& ball) const {
    const float along_x = x - ball.x, along_y = y - ball.y;
    return fma(along_x, along_x, along_y * along_y);
  }
};

/// Faces of one point that may be nearest.
class Waiting {
 public:
  __device__ Waiting(const WallQueries& queries, const DevicePieces& pieces, const FlatGroup* groups,
                     const TwofoldVector& point)
      : queries_(queries), pieces_(pieces), groups_(groups), point_(point) {}

  /// Seldom called, and not in the way of the loop over all faces.
  __device__ __noinline__ void add(std::int32_t k) {
    if (count_ == most) settle();
    const FlatGroup& group = groups_[k / FlatGroup::width];
    const TwofoldVector at = pieces_.pose[pieces_.body[k]].to_body(point_);
    const auto along = [](const Twofold& a, double origin) { return static_cast<float>(a.high - origin); };
    const float x = along(at.x, group.origin[0]), y = along(at.y, group.origin[1]), z = along(at.z, group.origin[2]);
    const float farthest = max(std::abs(x), max(std::abs(y), std::abs(z)));
    const FlatPiece flat = group.flat.piece(k % FlatGroup::width);
    const bool is_far = farthest > far_sizes * group.size;
    const Face face{k, is_far ? far_distance_squared(flat, x, y, z) : flat_distance_squared(flat, x, y, z),
                    flat_error * (is_far ? group.size : farthest + group.size) + BallRounding<float>::least};
    if (!is_beyond(face)) faces_[count_++] = face;
  }

  __device__ const NearestFace& nearest() {
    while (count_ > 0) settle();
    return nearest_;
  }

 private:
  static constexpr int most = 8;
  struct Face {
    std::int32_t piece;
    float squared;  ///< m², the flat distance
    float error;    ///< m, of its root
  };

  __device__ bool is_beyond(const Face& face) const {
    const float limit = limit_ + face.error;
    return face.squared > limit * limit;
  }

  /// Sees the one that seems nearest, and drops what is farther than it.
  __device__ void settle() {
    int first = 0;
    for (int i = 1; i < count_; ++i)
      if (faces_[i].squared < faces_[first].squared) first = i;
    pieces_.see(queries_, point_, faces_[first].piece, nearest_);
    limit_ = static_cast<float>(nearest_.distance) * (1 + 0x1p-20f);
    int kept = 0;
    for (int i = 0; i < count_; ++i)
      if (i != first && !is_beyond(faces_[i])) faces_[kept++] = faces_[i];
    count_ = kept;
  }

  const WallQueries& queries_;
  const DevicePieces& pieces_;
  const FlatGroup* groups_;
  const TwofoldVector& point_;
  NearestFace nearest_;
  float limit_ = no_distance<float>;  ///< m
  int count_ = 0;
  Face faces_[most];
};

/// Of the disk of a piece in its ball.
__device__ float4 normal_of(const FacePiece& piece, const BodyPose& pose) {
  const PlainVector across = across_piece(piece);
  const TwofoldVector turned = pose.from_body({{across.at[0], 0}, {across.at[1], 0}, {across.at[2], 0}});
  const PlainVector normal{{turned.x.high, turned.y.high, turned.z.high}};
  if (!(length(normal) > 0)) return {1, 0, 0, 0};
  const auto along = [&](int axis) { return static_cast<float>(unit(normal).at[axis]); };
  return {along(0), along(1), along(2), 0};
}

__global__ void place_normals(DevicePieces pieces, float4* normals) {
  const std::int64_t k = thread_index();
  if (k < pieces.count) normals[k] = normal_of(pieces.shape[k], pieces.pose[pieces.body[k]]);
}

/// Whether the disk of a piece may be within reach.
__device__ bool may_be_within(const BallSight<float>& sight, const PieceBall<float>& ball, const float4& normal,
                              float reach) {
  const LeafDisk disk{{normal.x, normal.y, normal.z}, 0, ball.radius, {}};
  const float at[3] = {sight.x - ball.x, sight.y - ball.y, sight.z - ball.z};
  return !(disk.squared_distance(at) > reach * reach);
}

template <class Sight>
__global__ void __launch_bounds__(threads, blocks) search_tiles(WallQueries queries, DevicePieces pieces, Tiles tiles,
                                                                const float4* normals, const FlatGroup* groups) {
  const std::int64_t i = thread_index();
  const bool asks = i < queries.count() && queries.accept(i, queries.point(i));
  const TwofoldVector point = asks ? queries.point(i) : TwofoldVector{};
  const Sight sight(point, pieces.origin, pieces.turned);
  const float reach = sight.reach(tiles.least_squared(sight));
  Waiting waiting(queries, pieces, groups, point);
  tiles.visit_near(sight, reach, [&](std::int32_t k, const PieceBall<float>& ball) {
    if (asks && may_be_within(sight, ball, normals[k], reach)) waiting.add(k);
  });
  if (asks) pieces.write(queries, i, point, waiting.nearest());
}

class TilesSearch : public WallSearch {
 public:
  TilesSearch(const Queue& queue, const WallPieces& pieces)
      : pieces_(queue, pieces), memory_(queue, 4 * pieces.count()), normals_(queue, pieces.count()), groups_(queue, 0) {
    take_shapes();
  }

  void find(const WallQueries& queries) override {
    const DevicePieces pieces = pieces_.now();
    const Layout all(memory_.data(), pieces.count);
    launch(pieces_.queue(), pieces.count, place_balls<Layout>, queries, pieces, all);
    launch(pieces_.queue(), pieces.count, place_normals, pieces, normals_.data());
    const bool is_flat = queries.points.z.data == nullptr;
    launch<threads>(pieces_.queue(), queries.count(),
                    is_flat ? search_tiles<PlaneSight> : search_tiles<BallSight<float>>, queries, pieces,
                    Tiles{all, pieces.count}, normals_.data(), groups_.data());
  }

  void refit() override {
    pieces_.reshape();
    take_shapes();
  }
  std::int64_t bytes() const override { return pieces_.bytes() + memory_.bytes() + normals_.bytes() + groups_.bytes(); }

 private:
  void take_shapes() {
    const std::vector<FlatGroup> groups = flat_groups(pieces_.host().shape);
    groups_.resize(static_cast<std::int64_t>(groups.size()));
    copy<FlatGroup>(pieces_.queue(), groups, groups_.view());
  }

  PiecesOnDevice pieces_;
  Array<float> memory_;
  Array<float4> normals_;
  Array<FlatGroup> groups_;
};

std::unique_ptr<WallSearch> open(const Queue& queue, const WallPieces& pieces, double) {
  return std::make_unique<TilesSearch>(queue, pieces);
}

}  // namespace

const WallDistanceMethod wall_distance_tiles_cuda{{"tiles", DeviceKind::cuda, true, "shoal"}, open};

}  // namespace shoal
