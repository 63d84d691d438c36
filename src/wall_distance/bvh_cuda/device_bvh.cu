// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/bvh_cuda/device_bvh.cuh"

#include "core/cuda/warp_peers.cuh"
#include "wall_distance/bvh_cuda/primitive_order.cuh"
#include "wall_distance/bvh_cuda/sortable.cuh"

namespace shoal {

namespace {

/// In double, from anywhere.
struct WideBox {
  double lower[3], upper[3];

  __device__ WideBox() {
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = no_distance<double>;
      upper[axis] = -lower[axis];
    }
  }
  __device__ void include(int axis, double a) {
    lower[axis] = min(lower[axis], a);
    upper[axis] = max(upper[axis], a);
  }
  __device__ void include(const FacePiece& piece) {
    for (int i = 0; i < 3; ++i) {
      include(0, piece.x[i]);
      include(1, piece.y[i]);
      include(2, piece.z[i]);
    }
  }
  __device__ double middle(int axis) const { return lower[axis] / 2 + upper[axis] / 2; }
};

/// At least a, whatever rounding did to it.
__device__ float rounded_up(double a) { return static_cast<float>(a) * (1 + 0x1p-21f); }

__global__ void clear_bounds(unsigned long long* bounds, std::int32_t bodies) {
  const std::int64_t i = thread_index();
  if (i < 6 * bodies) bounds[i] = i % 6 < 3 ? ~0ull : 0;
}

/// The box around each body: [bodies][lower x, y, z, upper x, y, z], sortable.
__global__ void bound_bodies(DevicePieces pieces, unsigned long long* bounds) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  WideBox box;
  std::int32_t of = -1;
  const auto put = [&] {
    for (int axis = 0; of >= 0 && axis < 3; ++axis) {
      atomicMin(bounds + 6 * of + axis, sortable(box.lower[axis]));
      atomicMax(bounds + 6 * of + 3 + axis, sortable(box.upper[axis]));
    }
  };
  for (std::int64_t k = thread_index(); k < pieces.count; k += step) {
    if (pieces.body[k] != of) {
      put();
      box = WideBox();
      of = pieces.body[k];
    }
    box.include(pieces.shape[k]);
  }
  const std::int32_t first = __shfl_sync(whole_warp, of, 0);
  if (!__any_sync(whole_warp, of != first)) {  // one thread puts it for all
    for (int across = 16; across > 0; across /= 2)
      for (int axis = 0; axis < 3; ++axis) {
        box.include(axis, __shfl_xor_sync(whole_warp, box.lower[axis], across));
        box.include(axis, __shfl_xor_sync(whole_warp, box.upper[axis], across));
      }
    if (threadIdx.x % 32 != 0) of = -1;
  }
  put();
}

__global__ void place_trees(BodyTree* trees, std::int32_t bodies, const unsigned long long* bounds) {
  const std::int64_t b = thread_index();
  if (b >= bodies) return;
  BodyTree& tree = trees[b];
  double size = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double lower = from_sortable(bounds[6 * b + axis]), upper = from_sortable(bounds[6 * b + 3 + axis]);
    tree.center[axis] = lower / 2 + upper / 2;
    size = max(size, max(upper - tree.center[axis], tree.center[axis] - lower));
  }
  tree.size = rounded_up(size);
}

/// The body that has node number `node` of a level.
__device__ std::int32_t body_of_node(const DeviceTrees& trees, int level, std::int32_t node) {
  std::int32_t low = 0, high = trees.bodies - 1;  // the last one whose first node is not behind it
  while (low < high) {
    const std::int32_t half = (low + high + 1) / 2;
    if (trees.trees[half].first[level] <= node)
      low = half;
    else
      high = half - 1;
  }
  return low;
}

__device__ float rounded_middle(const WideBox& box, int axis) { return static_cast<float>(box.middle(axis)); }

/// Writes the box around node j of a level into the node above.
/// @param box  from the center
__device__ void put_box(const BodyTree& tree, BoxNode* nodes, int level, std::int32_t j, const WideBox& box) {
  const int c = j % BoxNode::width;
  auto& above = nodes[tree.first[level + 1] + j / BoxNode::width].number[c / BoxNode::group];
  for (int axis = 0; axis < 3; ++axis) {
    const float middle = rounded_middle(box, axis);
    const double at = static_cast<double>(middle);
    above[axis][c % BoxNode::group] = middle;
    above[3 + axis][c % BoxNode::group] = rounded_up(max(box.upper[axis] - at, at - box.lower[axis]));
  }
}

/// A piece from the center of its tree: differences of double round to a part of themselves.
__device__ FacePiece from_center(FacePiece piece, const BodyTree& tree) {
  for (int i = 0; i < 3; ++i) {
    piece.x[i] -= tree.center[0];
    piece.y[i] -= tree.center[1];
    piece.z[i] -= tree.center[2];
  }
  return piece;
}

__global__ void fit_leaves(DevicePieces pieces, DeviceTrees trees, TreeLeaf* leaves, BoxNode* nodes,
                           std::int32_t count) {
  const std::int64_t number = thread_index();
  if (number >= count) return;
  const BodyTree& tree = trees.trees[body_of_node(trees, 0, static_cast<std::int32_t>(number))];
  const std::int32_t j = static_cast<std::int32_t>(number) - tree.first[0];
  const std::int32_t begin = j * TreeLeaf::width;
  const std::int32_t end = ::min(begin + TreeLeaf::width, tree.pieces);
  const auto shape = [&](std::int32_t k) { return from_center(pieces.shape[trees.order[tree.first_piece + k]], tree); };
  WideBox box;
  for (std::int32_t k = begin; k < end; ++k) box.include(shape(k));
  double origin[3];
  for (int axis = 0; axis < 3; ++axis) origin[axis] = static_cast<double>(rounded_middle(box, axis));
  for (std::int32_t k = begin; k < end; ++k) leaves[number].piece[k - begin] = flat_piece(shape(k), origin);
  leaves[number].disk = leaf_disk([&](int k) { return shape(begin + k); }, end - begin, origin);
  put_box(tree, nodes, 0, j, box);
}

/// @param first,count  nodes of this level, of all bodies
__global__ void fit_nodes(DeviceTrees trees, BoxNode* nodes, int level, std::int32_t first, std::int32_t count) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  const auto number = first + static_cast<std::int32_t>(i);
  const BodyTree& tree = trees.trees[body_of_node(trees, level, number)];
  const std::int32_t j = number - tree.first[level];
  if (level == tree.levels) return;
  const BoxNode node = nodes[number];
  const int boxes = ::min(BoxNode::width, tree.count[level - 1] - j * BoxNode::width);
  WideBox box;
  for (int c = 0; c < boxes; ++c)
    for (int axis = 0; axis < 3; ++axis) {
      const auto& group = node.number[c / BoxNode::group];
      const auto middle = static_cast<double>(group[axis][c % BoxNode::group]);
      const auto half = static_cast<double>(group[3 + axis][c % BoxNode::group]);
      box.include(axis, middle - half);
      box.include(axis, middle + half);
    }
  put_box(tree, nodes, level, j, box);
}

std::int32_t parts(std::int32_t n, int width) { return (n - 1) / width + 1; }

}  // namespace

TreesOnDevice::TreesOnDevice(const Queue& queue, const WallPieces& pieces)
    : queue_(queue),
      scratch_(queue),
      trees_(queue, 0),
      bounds_(queue, 0),
      order_(queue, 0),
      nodes_(queue, 0),
      leaves_(queue, 0) {
  constexpr std::int64_t most = std::int64_t{1} << 30;  // leaves in 28 bits
  require(pieces.count() < most, "wall_distance: the walls have ", pieces.count(), " triangles, expected fewer than ",
          most, ". Split them into several meshes.");
  std::vector<BodyTree> trees(pieces.pose.size());
  for (const std::int32_t body : pieces.body) ++trees[static_cast<std::size_t>(body)].pieces;
  std::int32_t before = 0;
  int levels = 1;
  for (BodyTree& tree : trees) {
    tree.first_piece = before;
    before += tree.pieces;
    largest_ = std::max(largest_, tree.pieces);
    tree.count[0] = parts(tree.pieces, TreeLeaf::width);
    do {
      ++tree.levels;
      tree.count[tree.levels] = parts(tree.count[tree.levels - 1], BoxNode::width);
    } while (tree.count[tree.levels] > 1);
    levels = std::max(levels, tree.levels);
  }
  std::int32_t leaves = 0, nodes = 0;
  for (BodyTree& tree : trees) {
    tree.first[0] = leaves;
    leaves += tree.count[0];
  }
  level_first_.push_back(0);
  for (int level = 1; level <= levels; ++level) {
    level_first_.push_back(nodes);
    for (BodyTree& tree : trees) {
      tree.first[level] = nodes;
      nodes += tree.count[level];
    }
  }
  level_first_.push_back(nodes);
  trees_ = to_device(queue, trees);
  bounds_.resize(6 * trees_.count());
  order_.resize(pieces.count());
  nodes_.resize(nodes);
  leaves_.resize(leaves);
}

void TreesOnDevice::measure(const DevicePieces& pieces) {
  const auto bodies = static_cast<std::int32_t>(trees_.count());
  launch(queue_, bounds_.count(), clear_bounds, bounds_.data(), bodies);
  constexpr std::int64_t most_threads = 1 << 16;
  launch(queue_, std::min<std::int64_t>(pieces.count, most_threads), bound_bodies, pieces, bounds_.data());
  launch(queue_, bodies, place_trees, trees_.data(), bodies, bounds_.data());
}

void TreesOnDevice::build(const DevicePieces& pieces) {
  measure(pieces);
  order_pieces(scratch_, pieces, trees_, largest_, order_);
  fit_boxes(pieces);
}

void TreesOnDevice::fit(const DevicePieces& pieces) {
  measure(pieces);
  fit_boxes(pieces);
}

void TreesOnDevice::fit_boxes(const DevicePieces& pieces) {
  launch(queue_, leaves_.count(), fit_leaves, pieces, view(), leaves_.data(), nodes_.data(),
         static_cast<std::int32_t>(leaves_.count()));
  for (std::size_t level = 1; level + 2 < level_first_.size(); ++level) {
    const std::int32_t first = level_first_[level], count = level_first_[level + 1] - first;
    launch(queue_, count, fit_nodes, view(), nodes_.data(), static_cast<int>(level), first, count);
  }
}

std::int64_t TreesOnDevice::bytes() const {
  return scratch_.bytes() + trees_.bytes() + bounds_.bytes() + order_.bytes() + nodes_.bytes() + leaves_.bytes();
}

}  // namespace shoal
