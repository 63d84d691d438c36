// SPDX-License-Identifier: Apache-2.0
// tiles: all pairs of points and faces, a tile of faces in shared memory at a time.
//
// idea           a thread for each point; tiles of bounding spheres in float give the smallest center distance, then
//                the faces that may be nearer by sphere and disk; a list of eight pending faces delays their exact
//                distances
// source         shoal; tiles after Nyland, Harris and Prins (2007), "Fast N-body simulation with CUDA"
// memory         112 bytes a triangle, 88 for itself; none for the points; 16 KiB of shared memory a block
// atomics        none
// deterministic  yes: the result does not depend on the order of the faces
// wins when      there are some hundred faces
// loses when     there are more: the cost is the product of the numbers of points and faces
// deviations     -
#include "wall_distance/bounding_spheres/sphere_layouts.cuh"
#include "wall_distance/geometry/bounding_disk_item.hpp"
#include "wall_distance/geometry/planar_groups.hpp"
#include "wall_distance/methods/methods.hpp"

namespace shoal::wall_distance {

namespace {

using Layout = InterleavedSpheres<float>;
using Tiles = SharedSpheres<Layout>;
constexpr int threads = 128;
constexpr int blocks = 6;  ///< blocks on a multiprocessor: nearly all time is spent in loops that need few registers

/// A query point in the plane z = 0.
struct PlaneQuery : SphereQuery<float> {
  using SphereQuery<float>::SphereQuery;
  __device__ float squared(const BoundingSphere<float>& sphere) const {
    const float along_x = x - sphere.x, along_y = y - sphere.y;
    return fma(along_x, along_x, along_y * along_y);
  }
};

/// Faces of one point that may be the nearest and whose exact distances are pending. The delay lets the threads of a
/// warp compute exact distances together, one or two for each point.
class PendingFaces {
 public:
  __device__ PendingFaces(const WallQueries& queries, const DevicePrimitives& primitives, const PlanarGroup* groups,
                          const DoubleDoubleVector& point)
      : queries_(queries), primitives_(primitives), groups_(groups), point_(point) {}

  /// Rarely called, and not inlined, which keeps its registers out of the loop over all faces.
  __device__ __noinline__ void add(std::int32_t k) {
    if (count_ == most) evaluate_nearest();
    const PlanarGroup& group = groups_[k / PlanarGroup::width];
    const DoubleDoubleVector point = primitives_.pose[primitives_.body[k]].to_body(point_);
    const auto relative = [](const DoubleDouble& a, double origin) { return static_cast<float>(a.high - origin); };
    const float x = relative(point.x, group.origin[0]), y = relative(point.y, group.origin[1]),
                z = relative(point.z, group.origin[2]);
    const float farthest = max(std::abs(x), max(std::abs(y), std::abs(z)));
    const PlanarPrimitive planar = group.planar.primitive(k % PlanarGroup::width);
    const bool is_far = farthest > far_ratio * group.size;
    const Face face{k, is_far ? far_distance_squared(planar, x, y, z) : planar_distance_squared(planar, x, y, z),
                    planar_error * (is_far ? group.size : farthest + group.size) + SphereRounding<float>::least};
    if (!is_beyond(face)) faces_[count_++] = face;
  }

  __device__ const NearestPrimitive& nearest() {
    while (count_ > 0) evaluate_nearest();
    return nearest_;
  }

 private:
  static constexpr int most = 8;
  struct Face {
    std::int32_t primitive;
    float squared;  ///< m², distance in float
    float error;    ///< m, error bound of its root
  };

  __device__ bool is_beyond(const Face& face) const {
    const float limit = limit_ + face.error;
    return face.squared > limit * limit;
  }

  /// Computes the exact distance of the face with the smallest distance in float, and drops the faces beyond it.
  __device__ void evaluate_nearest() {
    int first = 0;
    for (int i = 1; i < count_; ++i)
      if (faces_[i].squared < faces_[first].squared) first = i;
    primitives_.test(queries_, point_, faces_[first].primitive, nearest_);
    limit_ = static_cast<float>(nearest_.distance) * (1 + 0x1p-20f);
    int kept = 0;
    for (int i = 0; i < count_; ++i)
      if (i != first && !is_beyond(faces_[i])) faces_[kept++] = faces_[i];
    count_ = kept;
  }

  const WallQueries& queries_;
  const DevicePrimitives& primitives_;
  const PlanarGroup* groups_;
  const DoubleDoubleVector& point_;
  NearestPrimitive nearest_;
  float limit_ = infinite_distance<float>;  ///< m, upper bound of the distance
  int count_ = 0;
  Face faces_[most];
};

/// Unit normal of the disk of a primitive in its bounding sphere, at the present pose.
__device__ float4 normal_of(const Primitive& primitive, const BodyPose& pose) {
  const DoubleVector area = area_normal(primitive);
  const DoubleDoubleVector rotated = pose.from_body({{area.axis[0], 0}, {area.axis[1], 0}, {area.axis[2], 0}});
  const DoubleVector normal{{rotated.x.high, rotated.y.high, rotated.z.high}};
  if (!(length(normal) > 0)) return {1, 0, 0, 0};
  const auto along = [&](int axis) { return static_cast<float>(unit(normal).axis[axis]); };
  return {along(0), along(1), along(2), 0};
}

__global__ void write_normals(DevicePrimitives primitives, float4* normals) {
  const std::int64_t k = thread_index();
  if (k < primitives.count) normals[k] = normal_of(primitives.shape[k], primitives.pose[primitives.body[k]]);
}

/// Returns false if the disk of a primitive is beyond the search radius.
__device__ bool may_be_within(const SphereQuery<float>& query, const BoundingSphere<float>& sphere,
                              const float4& normal, float radius) {
  const BoundingDisk disk{{normal.x, normal.y, normal.z}, 0, sphere.radius, {}};
  const float w[3] = {query.x - sphere.x, query.y - sphere.y, query.z - sphere.z};
  return !(disk.squared_distance(w) > radius * radius);
}

template <class Query>
__global__ void __launch_bounds__(threads, blocks)
    search_tiles(WallQueries queries, DevicePrimitives primitives, Tiles tiles, const float4* normals,
                 const PlanarGroup* groups) {
  const std::int64_t i = thread_index();
  const bool has_point = i < queries.count() && queries.accept(i, queries.point(i));
  const DoubleDoubleVector point = has_point ? queries.point(i) : DoubleDoubleVector{};
  const Query query(point, primitives.origin, primitives.rotation_error);
  const float radius = query.search_radius(tiles.least_squared(query));
  PendingFaces pending(queries, primitives, groups, point);
  tiles.visit_near(query, radius, [&](std::int32_t k, const BoundingSphere<float>& sphere) {
    if (has_point && may_be_within(query, sphere, normals[k], radius)) pending.add(k);
  });
  if (has_point) primitives.write(queries, i, point, pending.nearest());
}

class TilesSearch : public WallDistanceSearch {
 public:
  TilesSearch(const Queue& queue, PlanWalls& walls)
      : primitives_(queue, walls, BoundingSpheres::used),
        memory_(queue, 4 * walls.count()),
        normals_(queue, walls.count()),
        groups_(queue, 0) {
    make_groups();
  }

  void find(const WallQueries& queries) override {
    const DevicePrimitives primitives = primitives_.view();
    const Layout layout(memory_.data(), primitives.count);
    launch(primitives_.queue(), primitives.count, write_spheres<Layout>, queries, primitives, layout);
    launch(primitives_.queue(), primitives.count, write_normals, primitives, normals_.data());
    const bool is_2d = queries.points.z.data == nullptr;
    launch<threads>(primitives_.queue(), queries.count(),
                    is_2d ? search_tiles<PlaneQuery> : search_tiles<SphereQuery<float>>, queries, primitives,
                    Tiles{layout, primitives.count}, normals_.data(), groups_.data());
  }

  void refit() override {
    primitives_.reshape();
    make_groups();
  }
  std::int64_t bytes() const override {
    return primitives_.bytes() + memory_.bytes() + normals_.bytes() + groups_.bytes();
  }

 private:
  void make_groups() {
    const std::vector<PlanarGroup> groups = planar_groups(primitives_.walls().on_host().shape);
    groups_.resize(static_cast<std::int64_t>(groups.size()));
    copy<PlanarGroup>(primitives_.queue(), groups, groups_.view());
  }

  PrimitivesOnDevice primitives_;
  Array<float> memory_;    ///< bounding spheres
  Array<float4> normals_;  ///< [primitives] normals of their disks
  Array<PlanarGroup> groups_;
};

std::unique_ptr<WallDistanceSearch> open(const Queue& queue, PlanWalls& walls, const WallDistanceOptions&) {
  return std::make_unique<TilesSearch>(queue, walls);
}

}  // namespace

const WallDistanceMethod wall_distance_tiles_cuda{{"tiles", DeviceKind::cuda, true, "shoal"}, open};

}  // namespace shoal::wall_distance
