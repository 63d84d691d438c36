// SPDX-License-Identifier: Apache-2.0
// Top-down construction. The range of primitives of a node is split by the surface-area heuristic, the part with the
// largest area first, until there are eight children; parts of at most eight primitives are leaves. Threads build
// subtrees of their own, which are joined in the order of their primitives: the tree depends on no number of threads.
//
// Source: Wald (2007), "On fast construction of SAH-based bounding volume hierarchies", for splits between bins.
#include <array>

#include "core/first_exception.hpp"
#include "core/range.hpp"
#include "wall_distance/bvh_cpu/bvh_parts.hpp"

namespace shoal::wall_distance {

namespace {

constexpr int most_bins = 16;
constexpr std::int64_t primitives_per_bin = 2;  ///< few bins for few primitives: their areas take most of the time
constexpr int deepest_sah_split = 30;  ///< deeper ranges are halved, which bounds the depth and the traversal stack
constexpr std::int64_t smallest_of_thread = 4096;  ///< primitives of a node whose children threads share

/// A primitive during the construction.
struct Item {
  NodeBox box;
  std::int32_t primitive;
};

/// A range of items and the box around them.
struct Part {
  Range range;
  NodeBox box;
};

/// Nodes and leaves of a part of the tree, counted from 0.
struct Subtree {
  std::vector<Bvh::Node> nodes;
  std::vector<Range> leaves;  ///< ranges of items

  /// Number that the child of a node has when its tree is appended.
  std::int32_t number_after(std::int32_t child) const {
    if (child == Bvh::no_child) return child;
    return child + static_cast<std::int32_t>(child < 0 ? -std::ssize(leaves) : std::ssize(nodes));
  }
  void append(Subtree& tree) {
    for (Bvh::Node& node : tree.nodes)
      for (std::int32_t& child : node.child) child = number_after(child);
    nodes.insert(nodes.end(), tree.nodes.begin(), tree.nodes.end());
    leaves.insert(leaves.end(), tree.leaves.begin(), tree.leaves.end());
  }
};

/// Bins along one axis between the first and the last middle of the items.
class Bins {
 public:
  /// @param middles  box of the middles, times two
  Bins(const NodeBox& middles, int axis, int count)
      : axis_(axis), last_(static_cast<float>(count - 1)), start_(-middles.end[axis]) {
    const float width = middles.edge(axis);
    per_length_ = width > 0 ? static_cast<float>(count) / width : 0;
    if (!(per_length_ < NodeBox::infinity)) per_length_ = 0;
  }

  /// Returns false if all items are in one bin.
  bool divide() const { return per_length_ > 0; }
  int operator()(const NodeBox& box) const {
    return static_cast<int>(std::min((box.twice_middle(axis_) - start_) * per_length_, last_));
  }

 private:
  int axis_;
  float last_, start_, per_length_;
};

/// A way to divide a part.
struct Split {
  int axis = 0, bin = 0;  ///< items of the bins before are in the first part
  float cost = NodeBox::infinity;
  NodeBox first, second;
};

/// Finds the best split along an axis that is better than `best` and leaves neither side empty.
void find_split(const std::array<NodeBox, most_bins>& box, const std::array<std::int32_t, most_bins>& count, int bins,
                int axis, Split& best) {
  std::array<NodeBox, most_bins> second;  // boxes of the bins from each one on
  std::array<float, most_bins> second_cost{};
  NodeBox joined;
  std::int32_t number = 0;
  for (auto bin = static_cast<std::size_t>(bins - 1); bin > 0; --bin) {
    second[bin] = joined += box[bin];
    number += count[bin];
    second_cost[bin] = number == 0 ? NodeBox::infinity : joined.area() * static_cast<float>(number);
  }
  joined = NodeBox();
  number = 0;
  for (std::size_t bin = 1; bin < static_cast<std::size_t>(bins); ++bin) {
    joined += box[bin - 1];
    number += count[bin - 1];
    if (number == 0) continue;
    const float cost = joined.area() * static_cast<float>(number) + second_cost[bin];
    if (cost < best.cost) best = {axis, static_cast<int>(bin), cost, joined, second[bin]};
  }
}

class Builder {
 public:
  Builder(const Bvh& tree, const WallPrimitives& primitives, const std::vector<std::int32_t>& number, int threads)
      : primitives_(primitives), scale_(tree.scale), items_(number.size()) {
#pragma omp parallel for num_threads(threads)
    for (std::size_t k = 0; k < number.size(); ++k)
      items_[k] = {NodeBox(tree, box_of(primitives.shape[static_cast<std::size_t>(number[k])])), number[k]};
  }

  void build(Bvh& tree, int threads) {
    Subtree built;
    const Range whole{0, std::ssize(items_)};
#pragma omp parallel num_threads(threads)
#pragma omp single
    failure_.guard([&] { build_node({whole, box_of_range(whole)}, 0, built); });
    failure_.rethrow();
    tree.nodes = std::move(built.nodes);
    tree.leaves.resize(built.leaves.size());
#pragma omp parallel for num_threads(threads)
    for (std::size_t leaf = 0; leaf < built.leaves.size(); ++leaf) fill(tree.leaves[leaf], built.leaves[leaf]);
  }

 private:
  using Parts = std::vector<Part>;

  NodeBox box_of_range(Range range) const {
    NodeBox box;
    for (std::int64_t k = range.begin; k < range.end; ++k) box += items_[static_cast<std::size_t>(k)].box;
    return box;
  }

  /// Appends the nodes of a part to a tree. Returns the number of the first one.
  std::int32_t build_node(const Part& part, int depth, Subtree& tree) {
    const auto number = static_cast<std::int32_t>(tree.nodes.size());
    tree.nodes.emplace_back();
    const Parts parts = split_into_children(part, depth);
    Bvh::Node node;
    std::fill_n(node.child, Bvh::width, Bvh::no_child);
    for (std::size_t i = 0; i < Bvh::width; ++i) parts[i < parts.size() ? i : 0].box.store(node, i);
    if (part.range.count() >= smallest_of_thread)
      share_children(parts, depth + 3, node, tree);
    else
      for (std::size_t i = 0; i < parts.size(); ++i) node.child[i] = build_child(parts[i], depth + 3, tree);
    tree.nodes[static_cast<std::size_t>(number)] = node;
    return number;
  }

  /// Returns the number of the child, as nodes store it.
  std::int32_t build_child(const Part& part, int depth, Subtree& tree) {
    if (part.range.count() > Bvh::width) return build_node(part, depth, tree);
    tree.leaves.push_back(part.range);
    return -static_cast<std::int32_t>(tree.leaves.size());
  }

  /// Builds each child of a node in a tree of its own, which any thread may do, and joins these trees.
  void share_children(const Parts& parts, int depth, Bvh::Node& node, Subtree& tree) {
    std::array<Subtree, Bvh::width> subtree;
    std::array<std::int32_t, Bvh::width> child{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
#pragma omp task shared(parts, subtree, child) firstprivate(i, depth)
      failure_.guard([&] { child[i] = build_child(parts[i], depth, subtree[i]); });
    }
#pragma omp taskwait
    for (std::size_t i = 0; i < parts.size(); ++i) {
      node.child[i] = tree.number_after(child[i]);
      tree.append(subtree[i]);
    }
  }

  /// Parts of the children of a node, at most eight.
  Parts split_into_children(const Part& part, int depth) {
    Parts parts{part};
    parts.reserve(Bvh::width);
    while (parts.size() < Bvh::width) {
      auto widest = parts.end();
      std::pair<float, std::int64_t> largest{-1, 0};  // of equal areas the one with more items
      for (auto part_of_child = parts.begin(); part_of_child != parts.end(); ++part_of_child) {
        const std::pair size(part_of_child->box.area(), part_of_child->range.count());
        if (size.second <= Bvh::width || size <= largest) continue;
        largest = size;
        widest = part_of_child;
      }
      if (widest == parts.end()) break;
      const Part second = split(*widest, depth);
      parts.insert(widest + 1, second);
    }
    return parts;
  }

  /// Divides a part into two, neither empty: it becomes the first one. Returns the second one.
  Part split(Part& part, int depth) {
    const Range range = part.range;
    const auto begin = items_.begin() + range.begin, end = items_.begin() + range.end;
    NodeBox middles;
    for (auto item = begin; item != end; ++item) {
      NodeBox middle;
      for (int axis = 0; axis < 3; ++axis) {
        middle.end[4 + axis] = item->box.twice_middle(axis);
        middle.end[axis] = -middle.end[4 + axis];
      }
      middles += middle;
    }
    const auto bins = static_cast<int>(std::clamp<std::int64_t>(range.count() / primitives_per_bin, 2, most_bins));
    const std::array<Bins, 3> bin{Bins(middles, 0, bins), Bins(middles, 1, bins), Bins(middles, 2, bins)};
    const Split best = depth < deepest_sah_split ? best_split(range, bin, bins) : Split{};
    if (best.cost < NodeBox::infinity) {
      const Bins& along = bin[static_cast<std::size_t>(best.axis)];
      const auto middle = std::partition(begin, end, [&](const Item& item) { return along(item.box) < best.bin; });
      const std::int64_t cut = middle - items_.begin();
      part = {{range.begin, cut}, best.first};
      return {{cut, range.end}, best.second};
    }
    const std::int64_t half = halve(range, middles);
    part = {{range.begin, half}, box_of_range({range.begin, half})};
    return {{half, range.end}, box_of_range({half, range.end})};
  }

  Split best_split(Range range, const std::array<Bins, 3>& bin, int bins) const {
    std::array<std::array<NodeBox, most_bins>, 3> box;
    std::array<std::array<std::int32_t, most_bins>, 3> count{};
    for (std::int64_t k = range.begin; k < range.end; ++k) {
      const NodeBox& of_item = items_[static_cast<std::size_t>(k)].box;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto number = static_cast<std::size_t>(bin[axis](of_item));
        box[axis][number] += of_item;
        ++count[axis][number];
      }
    }
    Split best;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (bin[axis].divide()) find_split(box[axis], count[axis], bins, static_cast<int>(axis), best);
    return best;
  }

  /// Moves the items whose middle is lower along the longest axis to the first half of a range. Returns the end of it.
  std::int64_t halve(Range range, const NodeBox& middles) {
    int longest = 0;
    for (int axis = 1; axis < 3; ++axis)
      if (middles.edge(axis) > middles.edge(longest)) longest = axis;
    const auto begin = items_.begin() + range.begin, half = begin + range.count() / 2;
    std::nth_element(begin, half, items_.begin() + range.end, [longest](const Item& a, const Item& b) {
      return std::pair(a.box.twice_middle(longest), a.primitive) < std::pair(b.box.twice_middle(longest), b.primitive);
    });
    return half - items_.begin();
  }

  void fill(Bvh::Leaf& leaf, Range range) const {
    const auto begin = items_.begin() + range.begin;
    leaf.count = static_cast<std::int32_t>(range.count());
    for (std::int64_t i = 0; i < leaf.count; ++i) leaf.primitive[i] = begin[i].primitive;
    std::sort(leaf.primitive, leaf.primitive + leaf.count);
    std::fill(leaf.primitive + leaf.count, leaf.primitive + Bvh::width, leaf.primitive[leaf.count - 1]);
    fit_leaf(leaf, primitives_, scale_);
  }

  const WallPrimitives& primitives_;
  double scale_;
  std::vector<Item> items_;  ///< primitives of the body, in the order of the leaves
  FirstException failure_;
};

}  // namespace

void build_bvh(Bvh& tree, const WallPrimitives& primitives, const std::vector<std::int32_t>& number, int threads) {
  Builder(tree, primitives, number, threads).build(tree, threads);
}

}  // namespace shoal::wall_distance
