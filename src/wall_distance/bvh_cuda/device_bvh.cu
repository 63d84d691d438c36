// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/bvh_cuda/device_bvh.cuh"

#include "core/cuda/warp.cuh"
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

__device__ void clear_bounds(unsigned long long* bounds) {
  for (int i = 0; i < 6; ++i) bounds[i] = i < 3 ? ~0ull : 0;
}

/// Enlarges bounds, [lower x, y, z, upper x, y, z], sortable.
__device__ void enlarge(unsigned long long* bounds, const DoubleBox& box) {
  for (int axis = 0; axis < 3; ++axis) {
    atomicMin(bounds + axis, sortable(box.lower[axis]));
    atomicMax(bounds + 3 + axis, sortable(box.upper[axis]));
  }
}

__global__ void begin_bounds(unsigned long long* bounds, std::int32_t bodies, unsigned* finished) {
  const std::int64_t body = thread_index();
  if (body < bodies) clear_bounds(bounds + 6 * body);
  if (body == 0) *finished = 0;
}

/// Bounding box of the primitives of a block that belong to the body of its first thread; of the others, at once.
/// @param body  of the box of this thread; −1: none
__device__ void enlarge_by_block(unsigned long long* bounds, std::int32_t body, DoubleBox& box) {
  __shared__ unsigned long long block_bounds[6];
  __shared__ std::int32_t block_body;
  if (threadIdx.x == 0) {
    clear_bounds(block_bounds);
    block_body = body;
  }
  __syncthreads();
  const std::int32_t first = __shfl_sync(whole_warp, body, 0);
  if (!__any_sync(whole_warp, body != first)) {  // one thread writes the box of the warp
    for (int across = 16; across > 0; across /= 2)
      for (int axis = 0; axis < 3; ++axis) {
        box.include(axis, __shfl_xor_sync(whole_warp, box.lower[axis], across));
        box.include(axis, __shfl_xor_sync(whole_warp, box.upper[axis], across));
      }
    if (threadIdx.x % 32 != 0) body = -1;
  }
  if (body >= 0) enlarge(body == block_body ? block_bounds : bounds + 6 * body, box);
  __syncthreads();
  const auto i = static_cast<int>(threadIdx.x);
  if (block_body < 0 || i >= 6) return;
  unsigned long long* const whole = bounds + 6 * block_body + i;
  i < 3 ? atomicMin(whole, block_bounds[i]) : atomicMax(whole, block_bounds[i]);
}

/// Returns true in all threads of the last block that calls it, which then has the results of all others.
/// @param finished  number of blocks, 0 before and after the kernel
__device__ bool is_last_block(unsigned* finished) {
  __shared__ bool is_last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicAdd(finished, 1) == gridDim.x - 1;
    if (is_last) *finished = 0;
    __threadfence();
  }
  __syncthreads();
  return is_last;
}

__device__ void write_center(BodyBvh& tree, const unsigned long long* bounds) {
  double size = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double lower = from_sortable(__ldcg(bounds + axis)), upper = from_sortable(__ldcg(bounds + 3 + axis));
    tree.center[axis] = lower / 2 + upper / 2;
    size = max(size, max(upper - tree.center[axis], tree.center[axis] - lower));
  }
  tree.size = rounded_up(size);
}

/// Writes centers and sizes of the trees, from the bounding boxes of the bodies.
/// @param bounds  [bodies][6], empty boxes before and after the kernel
__global__ void fit_centers(DevicePrimitives primitives, BodyBvh* trees, std::int32_t bodies,
                            unsigned long long* bounds, unsigned* finished) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  DoubleBox box;
  std::int32_t body = -1;
  for (std::int64_t k = thread_index(); k < primitives.count; k += step) {
    if (primitives.body[k] != body) {
      if (body >= 0) enlarge(bounds + 6 * body, box);
      box = DoubleBox();
      body = primitives.body[k];
    }
    box.include(primitives.shape[k]);
  }
  enlarge_by_block(bounds, body, box);
  if (!is_last_block(finished)) return;
  for (auto b = static_cast<std::int32_t>(threadIdx.x); b < bodies; b += static_cast<std::int32_t>(blockDim.x)) {
    write_center(trees[b], bounds + 6 * b);
    clear_bounds(bounds + 6 * b);
  }
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

/// Writes the box around a node into its parent.
/// @param number  index of the node, which is on this level
__device__ void fit_node(const DeviceBvhSet& bvh, BvhNode* nodes, int level, std::int32_t number) {
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

/// Fits the boxes around the nodes of one level of all bodies.
/// @param first,count  index of the first node and number of nodes
__global__ void fit_nodes(DeviceBvhSet bvh, BvhNode* nodes, int level, std::int32_t first, std::int32_t count) {
  const std::int64_t i = thread_index();
  if (i < count) fit_node(bvh, nodes, level, first + static_cast<std::int32_t>(i));
}

/// Indices of the first nodes of all levels in kernel arguments.
struct LevelStarts {
  std::int32_t first[BodyBvh::most_levels + 2];
};

constexpr int upper_threads = 512;  ///< threads of the block that fits the upper levels

/// Fits the boxes around the nodes of successive levels by one block, with a thread for each node of a level.
__global__ void __launch_bounds__(upper_threads)
    fit_upper_nodes(DeviceBvhSet bvh, BvhNode* nodes, int lowest, int end, LevelStarts starts) {
  for (int level = lowest; level < end; ++level) {
    const std::int32_t number = starts.first[level] + static_cast<std::int32_t>(threadIdx.x);
    if (number < starts.first[level + 1]) fit_node(bvh, nodes, level, number);
    __syncthreads();
  }
}

std::int32_t parts(std::int32_t n, int width) { return (n - 1) / width + 1; }

}  // namespace

BvhSetOnDevice::BvhSetOnDevice(const Queue& queue, const PlanWalls& walls)
    : queue_(queue),
      scratch_(queue),
      trees_(queue, 0),
      bounds_(queue, 0),
      finished_(queue, 0),
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
  finished_.resize(1);
  launch(queue, trees_.count(), begin_bounds, bounds_.data(), static_cast<std::int32_t>(trees_.count()),
         finished_.data());
  order_.resize(walls.count());
  nodes_.resize(nodes);
  leaves_.resize(leaves);
}

void BvhSetOnDevice::fit_centers(const DevicePrimitives& primitives) {
  constexpr std::int64_t most_threads = 1 << 17;
  launch(queue_, std::min<std::int64_t>(primitives.count, most_threads), wall_distance::fit_centers, primitives,
         trees_.data(), static_cast<std::int32_t>(trees_.count()), bounds_.data(), finished_.data());
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
  LevelStarts starts{};
  std::copy(level_first_.begin(), level_first_.end(), starts.first);
  const int end = static_cast<int>(level_first_.size()) - 2;  // the highest level has no parents
  for (int level = 1; level < end; ++level) {
    const std::int32_t first = starts.first[level], count = starts.first[level + 1] - first;
    if (count <= upper_threads)
      return launch<upper_threads>(queue_, upper_threads, fit_upper_nodes, view(), nodes_.data(), level, end, starts);
    launch(queue_, count, fit_nodes, view(), nodes_.data(), level, first, count);
  }
}

std::int64_t BvhSetOnDevice::bytes() const {
  return scratch_.bytes() + trees_.bytes() + bounds_.bytes() + finished_.bytes() + order_.bytes() + nodes_.bytes() +
         leaves_.bytes();
}

}  // namespace shoal::wall_distance
