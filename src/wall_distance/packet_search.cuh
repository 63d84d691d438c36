// SPDX-License-Identifier: Apache-2.0
// How a warp looks for the nearest pieces of 32 points that are close to each other: it goes through a tree once, to
// wherever any of them must look.
#pragma once
#include "core/warp_peers.cuh"
#include "wall_distance/device_trees.cuh"

namespace shoal {

/// A squared distance in float, and what rounding may do to its root.
struct FlatDistance {
  float squared;  ///< m²
  float error;    ///< m

  static constexpr float largest = 0x1p127f;

  /// Not a number if the distance is none; what is too large for float says no more than that.
  __device__ float low() const { return fast_sqrt(smaller(largest, squared)) * (1 - 0x1p-20f) - error; }
  __device__ float high() const { return fast_sqrt(squared) * (1 + 0x1p-20f) + error; }

  /// What is squared beyond this has a low() of more than `reach`, for certain.
  __device__ static float limit(float reach, float error) {
    const float limit = (reach + error) * (1 + 0x1p-18f);
    return limit * limit;
  }
};

/// What is still to be looked at by the warps of a block: a word for each level.
template <int threads>
struct PacketStacks {
  std::uint32_t entries[threads / 32][BodyTree::most_levels];
};

/// A piece that a point was seen from before its search.
struct KnownPiece {
  float reach, low;  ///< m, no nearer and no farther than the piece
  std::int32_t piece;
};

/// Keeps the compiler from computing a number again, which takes slow conversions, wherever it is used.
__device__ inline float computed_once(float a) {
#ifdef __CUDA_ARCH__
  asm volatile("" : "+f"(a));
#endif
  return a;
}

/// Goes through one tree after the other for the points of a warp, one of each thread.
class PacketSearch {
 public:
  __device__ PacketSearch(const DeviceTrees& trees, std::uint32_t* stack) : trees_(trees), stack_(stack) {}

  /// Goes to the tree of a body.
  /// @param point  as the body sees it
  __device__ void enter(std::int32_t body, const TwofoldVector& point) {
    tree_ = trees_.trees + body;
    const Twofold along[3] = {point.x, point.y, point.z};
    float farthest = tree_->size;
    for (int axis = 0; axis < 3; ++axis) {
      const double from_centre = (along[axis].high - tree_->centre[axis]) + along[axis].low;
      high_[axis] = computed_once(static_cast<float>(from_centre));
      low_[axis] = computed_once(static_cast<float>(from_centre - static_cast<double>(high_[axis])));
      farthest = larger(farthest, std::abs(high_[axis]));
    }
    box_error_ = 0x1p-21f * farthest + least;
    place_error_ = 0x1p-42f * farthest + least;
  }

  /// A piece that is not far: of a leaf that is close to the middle point of the warp.
  __device__ KnownPiece known_piece() const {
    float middle[3];
    for (int axis = 0; axis < 3; ++axis) middle[axis] = __shfl_sync(whole_warp, high_[axis], 16);
    const std::uint32_t c = threadIdx.x % BoxNode::width;
    std::uint32_t j = 0;
    for (int level = tree_->levels; level > 0; --level) {
      const bool is_box = static_cast<std::int32_t>(j * BoxNode::width + c) < tree_->count[level - 1];
      const float squared = is_box ? ViewedBox(node(level, j), c, middle).squared : 0;
      const std::uint32_t nearest =  // with the number of the box in the last bits
          __reduce_min_sync(whole_warp, is_box ? (__float_as_uint(squared) & ~7u) | c : ~0u);
      j = j * BoxNode::width + nearest % BoxNode::width;
    }
    KnownPiece known{no_distance<float>, 0, 0};
    std::int32_t at = 0;
    for_each_piece(ViewedBox(node(1, j / BoxNode::width), j % BoxNode::width, high_), j,
                   [&](std::int32_t place, const FlatDistance& found) {
                     if (!(found.high() < known.reach)) return;
                     known.reach = found.high();
                     known.low = found.low();
                     at = place;
                   });
    known.piece = trees_.order[at];
    return known;
  }

  /// Looks wherever pieces may be within reach.
  /// @param faces  what is done with pieces: reach() says within how much they are of interest, m;
  ///               offer(piece, distance) takes one that may be; leave_out(distance) hears of what is farther;
  ///               whenever is_short() after a leaf, for any thread of the warp, all make_room()
  template <class Faces>
  __device__ void run(Faces& faces) {
    level_ = tree_->levels;
    j_ = 0;
    open_ = boxes_within(node(level_, j_), faces);
    while (!walk(faces)) faces.make_room();
  }

 private:
  static constexpr float least = 1e-18f;  ///< m, so that squares do not vanish

  /// One box of a node, as a point sees it.
  struct ViewedBox {
    float from_middle[3], half[3];
    float squared = 0;  ///< m², the distance

    __device__ ViewedBox(const BoxNode& node, std::uint32_t c, const float (&at)[3]) {
      const auto& group = node.number[c / BoxNode::group];
      for (int axis = 0; axis < 3; ++axis) {
        from_middle[axis] = at[axis] - __ldg(&group[axis][c % BoxNode::group]);
        half[axis] = __ldg(&group[3 + axis][c % BoxNode::group]);
        const float outside = larger(std::abs(from_middle[axis]) - half[axis], 0.0f);
        squared += outside * outside;
      }
    }
    /// m, of the distance to pieces in it.
    __device__ float piece_error(float place_error) const {
      const auto largest = [](const float(&a)[3]) {
        return larger(std::abs(a[0]), larger(std::abs(a[1]), std::abs(a[2])));
      };
      return flat_error * (largest(from_middle) + largest(half)) + place_error;
    }
  };

  __device__ const BoxNode& node(int level, std::uint32_t j) const {
    return trees_.nodes[static_cast<std::uint32_t>(tree_->first[level]) + j];
  }

  /// The boxes of a node that must be looked at for any of the points, a bit each, and from bit 8 on the number of the
  /// one that is nearest to the middle point.
  template <class Faces>
  __device__ std::uint32_t boxes_within(const BoxNode& node, Faces& faces) const {
    const float limit = FlatDistance::limit(faces.reach(), box_error_);
    const std::int32_t rest = tree_->count[level_ - 1] - static_cast<std::int32_t>(j_ * BoxNode::width);
    const std::uint32_t here = rest < BoxNode::width ? (1u << rest) - 1 : 0xffu;
    std::uint32_t open = 0, nearest = 0;
    float least = no_distance<float>;
#pragma unroll
    for (int g = 0; g < BoxNode::width / BoxNode::group; ++g) {
      float4 number[6];
#pragma unroll
      for (int k = 0; k < 6; ++k) number[k] = __ldg(reinterpret_cast<const float4*>(node.number[g][k]));
      const auto look = [&](auto of, int c) {
        float squared = 0;
#pragma unroll
        for (int axis = 0; axis < 3; ++axis) {
          const float outside = larger(std::abs(high_[axis] - of(number[axis])) - of(number[3 + axis]), 0.0f);
          squared += outside * outside;
        }
        const std::uint32_t bit = 1u << c;
        if (__any_sync(whole_warp, !(squared > limit)))
          open |= bit;
        else if ((here & bit) != 0)
          faces.leave_out({squared, box_error_});
        if (squared < least) nearest = static_cast<std::uint32_t>(c);
        least = smaller(squared, least);
      };
      look([](const float4& four) { return four.x; }, 4 * g);
      look([](const float4& four) { return four.y; }, 4 * g + 1);
      look([](const float4& four) { return four.z; }, 4 * g + 2);
      look([](const float4& four) { return four.w; }, 4 * g + 3);
    }
    return (open & here) | __shfl_sync(whole_warp, nearest, 16) << 8;
  }

  /// Goes on. Whether that was the end; if not, `faces` are short of room.
  template <class Faces>
  __device__ bool walk(Faces& faces) {
    const BoxNode* here = &node(level_, j_);
    while (true) {
      if ((open_ & 0xff) == 0) {
        if (level_ == tree_->levels) return true;
        open_ = stack_[++level_];
        j_ /= BoxNode::width;
        here = &node(level_, j_);
        continue;
      }
      const std::uint32_t first = open_ >> 8;
      const std::uint32_t c = (open_ >> first & 1) != 0 ? first : static_cast<std::uint32_t>(__ffs(open_)) - 1;
      open_ &= ~(1u << c);
      const ViewedBox box(*here, c, high_);
      if (__all_sync(whole_warp, box.squared > FlatDistance::limit(faces.reach(), box_error_))) {
        faces.leave_out({box.squared, box_error_});
      } else if (level_ == 1) {
        look_at_leaf(box, j_ * BoxNode::width + c, faces);
        if (__any_sync(whole_warp, faces.is_short())) return false;
      } else {
        __syncwarp();
        stack_[level_--] = open_;
        __syncwarp();
        j_ = j_ * BoxNode::width + c;
        here = &node(level_, j_);
        open_ = boxes_within(*here, faces);
      }
    }
  }

  __device__ const TreeLeaf& leaf(std::uint32_t j) const {
    return trees_.leaves[static_cast<std::uint32_t>(tree_->first[0]) + j];
  }

  template <class Faces>
  __device__ void look_at_leaf(const ViewedBox& box, std::uint32_t j, Faces& faces) const {
    const float error = box.piece_error(place_error_), limit = FlatDistance::limit(faces.reach(), error);
    const float at[3] = {box.from_middle[0] + low_[0], box.from_middle[1] + low_[1], box.from_middle[2] + low_[2]};
    const float around = whole<LeafDisk>(&leaf(j).disk).squared_distance(at);
    if (__all_sync(whole_warp, around > limit)) return faces.leave_out({around, error});
    for_each_piece(box, j, [&](std::int32_t place, const FlatDistance& found) {
      if (found.squared > limit)
        faces.leave_out(found);
      else
        faces.offer(trees_.order[place], found);
    });
  }

  /// Calls take(place on the curves, distance) for the pieces of leaf j.
  template <class Take>
  __device__ void for_each_piece(const ViewedBox& box, std::uint32_t j, Take&& take) const {
    const FlatPiece* pieces = leaf(j).piece;
    const float error = box.piece_error(place_error_);
    const float x = box.from_middle[0] + low_[0], y = box.from_middle[1] + low_[1], z = box.from_middle[2] + low_[2];
    const auto begin = static_cast<std::int32_t>(j * TreeLeaf::width);
    const std::int32_t here = smaller(tree_->pieces - begin, TreeLeaf::width);
    for (std::int32_t i = 0; i < here; ++i)
      take(tree_->first_piece + begin + i,
           FlatDistance{flat_distance_squared(whole<FlatPiece>(pieces + i), x, y, z), error});
  }

  /// Brought in loads of 16 bytes.
  template <class Item>
  __device__ static Item whole(const Item* item) {
    constexpr int loads = sizeof(Item) / sizeof(float4);
    static_assert(sizeof(Item) == loads * sizeof(float4));
    union Room {
      float4 four[loads];
      Item item;
      __device__ Room() {}
    } room;
#pragma unroll
    for (int k = 0; k < loads; ++k) room.four[k] = __ldg(reinterpret_cast<const float4*>(item) + k);
    return room.item;
  }

  const DeviceTrees& trees_;
  std::uint32_t* stack_;
  const BodyTree* tree_ = nullptr;
  float high_[3], low_[3];  ///< m, the point from the centre of the tree, as a sum
  float box_error_, place_error_;
  int level_ = 0;           ///< of the node where it is
  std::uint32_t j_ = 0;     ///< number of the node
  std::uint32_t open_ = 0;  ///< see boxes_within()
};

}  // namespace shoal
