// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/bvh_cuda/device_bvh.cuh"

#include "core/cuda/warp_peers.cuh"
#include "wall_distance/bvh_cuda/sortable.cuh"

namespace shoal::wall_distance {

namespace {

/// Bounding box in double.
struct DoubleBox {
  double lower[3], upper[3];

  __device__ DoubleBox() {
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = infinite_distance<double>;
      upper[axis] = -lower[axis];
    }
  }
  __device__ void include(int axis, double a) {
    lower[axis] = min(lower[axis], a);
    upper[axis] = max(upper[axis], a);
  }
  __device__ void include(const Primitive& primitive) {
    for (int i = 0; i < 3; ++i) {
      include(0, primitive.x[i]);
      include(1, primitive.y[i]);
      include(2, primitive.z[i]);
    }
  }
  __device__ double middle(int axis) const { return lower[axis] / 2 + upper[axis] / 2; }
};

/// An upper bound of a in float.
__device__ float rounded_up(double a) { return static_cast<float>(a) * (1 + 0x1p-21f); }

__global__ void clear_bounds(unsigned long long* bounds, std::int32_t bodies) {
  const std::int64_t i = thread_index();
  if (i < 6 * bodies) bounds[i] = i % 6 < 3 ? ~0ull : 0;
}

/// Bounding box of each body: [bodies][lower x, y, z, upper x, y, z], sortable.
__global__ void bound_bodies(DevicePrimitives primitives, unsigned long long* bounds) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  DoubleBox box;
  std::int32_t body = -1;
  const auto put = [&] {
    for (int axis = 0; body >= 0 && axis < 3; ++axis) {
      atomicMin(bounds + 6 * body + axis, sortable(box.lower[axis]));
      atomicMax(bounds + 6 * body + 3 + axis, sortable(box.upper[axis]));
    }
  };
  for (std::int64_t k = thread_index(); k < primitives.count; k += step) {
    if (primitives.body[k] != body) {
      put();
      box = DoubleBox();
      body = primitives.body[k];
    }
    box.include(primitives.shape[k]);
  }
  const std::int32_t first = __shfl_sync(whole_warp, body, 0);
  if (!__any_sync(whole_warp, body != first)) {  // one thread writes the box of the warp
    for (int across = 16; across > 0; across /= 2)
      for (int axis = 0; axis < 3; ++axis) {
        box.include(axis, __shfl_xor_sync(whole_warp, box.lower[axis], across));
        box.include(axis, __shfl_xor_sync(whole_warp, box.upper[axis], across));
      }
    if (threadIdx.x % 32 != 0) body = -1;
  }
  put();
}

__global__ void write_centers(BodyBvh* trees, std::int32_t bodies, const unsigned long long* bounds) {
  const std::int64_t b = thread_index();
  if (b >= bodies) return;
  BodyBvh& tree = trees[b];
  double size = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double lower = from_sortable(bounds[6 * b + axis]), upper = from_sortable(bounds[6 * b + 3 + axis]);
    tree.center[axis] = lower / 2 + upper / 2;
    size = max(size, max(upper - tree.center[axis], tree.center[axis] - lower));
  }
  tree.size = rounded_up(size);
}

/// The body that contains node number `node` of a level.
__device__ std::int32_t body_of_node(const DeviceBvhSet& bvh, int level, std::int32_t node) {
  std::int32_t low = 0, high = bvh.bodies - 1;  // the last body whose first node is not after this one
  while (low < high) {
    const std::int32_t half = (low + high + 1) / 2;
    if (bvh.trees[half].first[level] <= node)
      low = half;
    else
      high = half - 1;
  }
  return low;
}

__device__ float rounded_middle(const DoubleBox& box, int axis) { return static_cast<float>(box.middle(axis)); }

/// Writes the box of node j of a level into its parent.
/// @param box  relative to the center of the tree
__device__ void store_box(const BodyBvh& tree, BvhNode* nodes, int level, std::int32_t j, const DoubleBox& box) {
  const int c = j % BvhNode::width;
  auto& group = nodes[tree.first[level + 1] + j / BvhNode::width].number[c / BvhNode::group];
  for (int axis = 0; axis < 3; ++axis) {
    const float rounded = rounded_middle(box, axis);
    const double middle = static_cast<double>(rounded);
    group[axis][c % BvhNode::group] = rounded;
    group[3 + axis][c % BvhNode::group] = rounded_up(max(box.upper[axis] - middle, middle - box.lower[axis]));
  }
}

/// A primitive relative to the center of its tree, with a relative rounding error of one double rounding.
__device__ Primitive from_center(Primitive primitive, const BodyBvh& tree) {
  for (int i = 0; i < 3; ++i) {
    primitive.x[i] -= tree.center[0];
    primitive.y[i] -= tree.center[1];
    primitive.z[i] -= tree.center[2];
  }
  return primitive;
}

/// Threads of a leaf, one for each primitive, which are successive and all of which take part in every exchange.
struct LeafTeam {
  unsigned threads;  ///< mask of lanes

  __device__ LeafTeam()
      : threads(((1u << BvhLeaf::width) - 1) << (threadIdx.x % 32 / BvhLeaf::width * BvhLeaf::width)) {}

  /// Value of the thread of primitive k.
  __device__ double from(int k, double value) const { return __shfl_sync(threads, value, k, BvhLeaf::width); }
  __device__ double smallest(double value) const {
    for (int across = BvhLeaf::width / 2; across > 0; across /= 2)
      value = min(value, __shfl_xor_sync(threads, value, across));
    return value;
  }
  __device__ double largest(double value) const { return -smallest(-value); }
};

/// Bounding disk of a leaf, from one primitive in each thread.
/// @param count  number of primitives
__device__ BoundingDisk team_disk(const LeafTeam& team, const Primitive& shape, bool has_shape, std::int32_t count,
                                  const double* origin) {
  const DoubleVector area = area_normal(shape);
  NormalSum normals;
  for (int k = 0; k < BvhLeaf::width; ++k) {
    const DoubleVector normal{{team.from(k, area.axis[0]), team.from(k, area.axis[1]), team.from(k, area.axis[2])}};
    if (k < count) normals.add(normal);
  }
  BoundingDisk disk{};
  normals.round_to(disk.normal);
  DiskExtent extent;
  if (has_shape) extent.include(shape, disk.normal, origin);
  extent.half_height = team.largest(extent.half_height);
  extent.radius_squared = team.largest(extent.radius_squared);
  extent.round_to(disk);
  return disk;
}

/// Fits leaves to their primitives, with a thread for each primitive.
__global__ void fit_leaves(DevicePrimitives primitives, DeviceBvhSet bvh, BvhLeaf* leaves, BvhNode* nodes,
                           std::int32_t count) {
  const std::int64_t number = thread_index() / BvhLeaf::width;
  if (number >= count) return;
  const auto lane = static_cast<std::int32_t>(threadIdx.x) % BvhLeaf::width;
  const BodyBvh& tree = bvh.trees[body_of_node(bvh, 0, static_cast<std::int32_t>(number))];
  const std::int32_t j = static_cast<std::int32_t>(number) - tree.first[0];
  const std::int32_t begin = j * BvhLeaf::width;
  const std::int32_t in_leaf = ::min(BvhLeaf::width, tree.primitives - begin);
  const bool has_shape = lane < in_leaf;
  const std::int32_t primitive = bvh.order[tree.first_primitive + begin + (has_shape ? lane : 0)];
  const Primitive shape = from_center(primitives.shape[primitive], tree);
  const LeafTeam team;
  DoubleBox box;
  box.include(shape);
  double origin[3];
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = team.smallest(box.lower[axis]);
    box.upper[axis] = team.largest(box.upper[axis]);
    origin[axis] = static_cast<double>(rounded_middle(box, axis));
  }
  if (has_shape) leaves[number].primitive[lane] = planar_primitive(shape, origin);
  const BoundingDisk disk = team_disk(team, shape, has_shape, in_leaf, origin);
  if (lane > 0) return;
  leaves[number].disk = disk;
  store_box(tree, nodes, 0, j, box);
}

/// Fits the boxes around the nodes of one level of all bodies.
/// @param first,count  index of the first node and number of nodes
__global__ void fit_nodes(DeviceBvhSet bvh, BvhNode* nodes, int level, std::int32_t first, std::int32_t count) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  const auto number = first + static_cast<std::int32_t>(i);
  const BodyBvh& tree = bvh.trees[body_of_node(bvh, level, number)];
  const std::int32_t j = number - tree.first[level];
  if (level == tree.levels) return;
  const BvhNode node = nodes[number];
  const int boxes = ::min(BvhNode::width, tree.count[level - 1] - j * BvhNode::width);
  DoubleBox box;
  for (int c = 0; c < boxes; ++c)
    for (int axis = 0; axis < 3; ++axis) {
      const auto& group = node.number[c / BvhNode::group];
      const auto middle = static_cast<double>(group[axis][c % BvhNode::group]);
      const auto half = static_cast<double>(group[3 + axis][c % BvhNode::group]);
      box.include(axis, middle - half);
      box.include(axis, middle + half);
    }
  store_box(tree, nodes, level, j, box);
}

std::int32_t parts(std::int32_t n, int width) { return (n - 1) / width + 1; }

}  // namespace

BvhSetOnDevice::BvhSetOnDevice(const Queue& queue, const PlanWalls& walls)
    : queue_(queue),
      scratch_(queue),
      trees_(queue, 0),
      bounds_(queue, 0),
      order_(queue, 0),
      nodes_(queue, 0),
      leaves_(queue, 0) {
  constexpr std::int64_t most = std::int64_t{1} << 30;  // WarpStack numbers leaves with 28 bits
  require(walls.count() < most, "wall_distance: the walls have ", walls.count(), " triangles, expected fewer than ",
          most, ". Split them into several meshes.");
  std::vector<BodyBvh> trees(walls.pose().size());
  for (std::size_t body = 0; body < trees.size(); ++body)
    trees[body].primitives = static_cast<std::int32_t>(walls.primitives_of_body()[body]);
  std::int32_t before = 0;
  int levels = 1;
  for (BodyBvh& tree : trees) {
    tree.first_primitive = before;
    before += tree.primitives;
    largest_ = std::max(largest_, tree.primitives);
    tree.count[0] = parts(tree.primitives, BvhLeaf::width);
    do {
      ++tree.levels;
      tree.count[tree.levels] = parts(tree.count[tree.levels - 1], BvhNode::width);
    } while (tree.count[tree.levels] > 1);
    levels = std::max(levels, tree.levels);
  }
  std::int32_t leaves = 0, nodes = 0;
  for (BodyBvh& tree : trees) {
    tree.first[0] = leaves;
    leaves += tree.count[0];
  }
  level_first_.push_back(0);
  for (int level = 1; level <= levels; ++level) {
    level_first_.push_back(nodes);
    for (BodyBvh& tree : trees) {
      tree.first[level] = nodes;
      nodes += tree.count[level];
    }
  }
  level_first_.push_back(nodes);
  trees_ = to_device(queue, trees);
  bounds_.resize(6 * trees_.count());
  order_.resize(walls.count());
  nodes_.resize(nodes);
  leaves_.resize(leaves);
}

void BvhSetOnDevice::fit_centers(const DevicePrimitives& primitives) {
  const auto bodies = static_cast<std::int32_t>(trees_.count());
  launch(queue_, bounds_.count(), clear_bounds, bounds_.data(), bodies);
  constexpr std::int64_t most_threads = 1 << 16;
  launch(queue_, std::min<std::int64_t>(primitives.count, most_threads), bound_bodies, primitives, bounds_.data());
  launch(queue_, bodies, write_centers, trees_.data(), bodies, bounds_.data());
}

void BvhSetOnDevice::build(const DevicePrimitives& primitives) {
  fit_centers(primitives);
  order_primitives(scratch_, primitives, trees_, largest_, order_);
  fit_boxes(primitives);
}

void BvhSetOnDevice::fit(const DevicePrimitives& primitives) {
  fit_centers(primitives);
  fit_boxes(primitives);
}

void BvhSetOnDevice::fit_boxes(const DevicePrimitives& primitives) {
  launch(queue_, leaves_.count() * BvhLeaf::width, fit_leaves, primitives, view(), leaves_.data(), nodes_.data(),
         static_cast<std::int32_t>(leaves_.count()));
  for (std::size_t level = 1; level + 2 < level_first_.size(); ++level) {
    const std::int32_t first = level_first_[level], count = level_first_[level + 1] - first;
    launch(queue_, count, fit_nodes, view(), nodes_.data(), static_cast<int>(level), first, count);
  }
}

std::int64_t BvhSetOnDevice::bytes() const {
  return scratch_.bytes() + trees_.bytes() + bounds_.bytes() + order_.bytes() + nodes_.bytes() + leaves_.bytes();
}

}  // namespace shoal::wall_distance
