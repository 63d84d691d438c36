// SPDX-License-Identifier: Apache-2.0
// Top-down construction. The range of primitives of a node is split by the surface-area heuristic, the largest part
// first, until there are eight children; parts of at most eight primitives are leaves.
//
// Source: Wald (2007), "On fast construction of SAH-based bounding volume hierarchies", for splits between 16 bins.
#include "wall_distance/bvh_cpu/bvh.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/range.hpp"
#include "core/text.hpp"
#include "wall_distance/geometry/planar_groups.hpp"

namespace shoal::wall_distance {

namespace {

constexpr int bins = 16;
constexpr int deepest_sah_split = 30;  ///< deeper ranges are halved, which bounds the depth and the traversal stack

struct Box {
  std::array<double, 3> lower{infinity, infinity, infinity}, upper{-infinity, -infinity, -infinity};

  static constexpr double infinity = std::numeric_limits<double>::infinity();

  void include(const Box& box) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      lower[axis] = std::min(lower[axis], box.lower[axis]);
      upper[axis] = std::max(upper[axis], box.upper[axis]);
    }
  }
  double middle(std::size_t axis) const { return lower[axis] / 2 + upper[axis] / 2; }
  double edge(std::size_t axis) const { return upper[axis] - lower[axis]; }
  double longest_edge() const { return std::max({edge(0), edge(1), edge(2)}); }
  /// Half the surface area; 0 if the box is empty.
  double area() const {
    if (!(lower[0] <= upper[0])) return 0;
    return edge(0) * edge(1) + edge(1) * edge(2) + edge(2) * edge(0);
  }
};

Box box_of(const Primitive& primitive) {
  Box box;
  for (int i = 0; i < 3; ++i) {
    const std::array<double, 3> corner{primitive.x[i], primitive.y[i], primitive.z[i]};
    box.include({corner, corner});
  }
  return box;
}

/// A candidate split plane.
struct Split {
  std::size_t axis = 0;
  double position = 0;  ///< primitives whose box center is below go to the left
  double cost = Box::infinity;
};

/// A float below a difference computed in double, whatever the rounding of the difference.
float below(double a) {
  constexpr float low = -std::numeric_limits<float>::infinity();
  return std::nextafter(std::nextafter(static_cast<float>(a), low), low);
}

void store_box(const Bvh& tree, Bvh::Node& node, std::size_t i, const Box& box) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    node.lower[axis][i] = below((box.lower[axis] - tree.center[axis]) * tree.scale);
    node.upper[axis][i] = -below((tree.center[axis] - box.upper[axis]) * tree.scale);
  }
}

Primitive scaled(Primitive primitive, double scale) {
  for (auto* coordinates : {&primitive.x, &primitive.y, &primitive.z})
    for (double& coordinate : *coordinates) coordinate *= scale;
  return primitive;
}

/// Fits a leaf to its primitives. Returns their box.
Box fit_leaf(Bvh::Leaf& leaf, const WallPrimitives& primitives, double scale) {
  const auto shape = [&](int i) -> const Primitive& {
    return primitives.shape[static_cast<std::size_t>(leaf.primitive[i])];
  };
  Box box;
  for (int i = 0; i < leaf.count; ++i) box.include(box_of(shape(i)));
  for (std::size_t axis = 0; axis < 3; ++axis) leaf.origin[axis] = box.middle(axis);
  leaf.size = static_cast<float>(box.longest_edge() * scale);
  const double origin[3] = {leaf.origin[0] * scale, leaf.origin[1] * scale, leaf.origin[2] * scale};
  for (int i = 0; i < Bvh::width; ++i) leaf.planar.put(i, planar_primitive(scaled(shape(i), scale), origin));
  return box;
}

class Builder {
 public:
  Builder(Bvh& tree, const WallPrimitives& primitives, std::int32_t body) : tree_(tree), primitives_(primitives) {
    for (std::size_t k = 0; k < primitives.shape.size(); ++k) {
      boxes_.push_back(box_of(primitives.shape[k]));
      if (primitives.body[k] == body) order_.push_back(static_cast<std::int32_t>(k));
    }
  }

  void build() {
    const Range range{0, static_cast<std::int64_t>(order_.size())};
    const Box box = box_of_range(range);
    for (std::size_t axis = 0; axis < 3; ++axis) tree_.center[axis] = box.middle(axis);
    build_node(range, 0);
  }

 private:
  std::size_t primitive(std::int64_t k) const { return static_cast<std::size_t>(order_[static_cast<std::size_t>(k)]); }

  Box box_of_range(Range range) const {
    Box box;
    for (std::int64_t k = range.begin; k < range.end; ++k) box.include(boxes_[primitive(k)]);
    return box;
  }

  /// Returns the number of the new node.
  std::int32_t build_node(Range range, int depth) {
    const auto number = static_cast<std::int32_t>(tree_.nodes.size());
    tree_.nodes.emplace_back();
    const std::vector<Range> children = split_into_children(range, depth);
    Bvh::Node node;
    std::fill_n(node.child, Bvh::width, Bvh::no_child);
    for (std::size_t i = 0; i < Bvh::width; ++i)
      store_box(tree_, node, i, box_of_range(i < children.size() ? children[i] : children[0]));
    for (std::size_t i = 0; i < children.size(); ++i)
      node.child[i] =
          children[i].count() <= Bvh::width ? -1 - build_leaf(children[i]) : build_node(children[i], depth + 3);
    tree_.nodes[static_cast<std::size_t>(number)] = node;
    return number;
  }

  /// Ranges of the children of a node, at most eight.
  std::vector<Range> split_into_children(Range range, int depth) {
    std::vector<Range> parts{range};
    while (parts.size() < Bvh::width) {
      auto widest = parts.end();
      double largest = -1;
      for (auto part = parts.begin(); part != parts.end(); ++part) {
        if (part->count() <= Bvh::width) continue;
        const double area = box_of_range(*part).area();
        if (area > largest) {
          largest = area;
          widest = part;
        }
      }
      if (widest == parts.end()) break;
      const std::int64_t middle = split(*widest, depth);
      const Range right{middle, widest->end};
      widest->end = middle;
      parts.insert(widest + 1, right);
    }
    return parts;
  }

  /// Partitions a range into two parts, neither empty. Returns the beginning of the second part.
  std::int64_t split(Range range, int depth) {
    Box middles;
    for (std::int64_t k = range.begin; k < range.end; ++k) {
      const Box& box = boxes_[primitive(k)];
      const std::array<double, 3> middle{box.middle(0), box.middle(1), box.middle(2)};
      middles.include({middle, middle});
    }
    Split best;
    for (std::size_t axis = 0; axis < 3; ++axis) find_split(range, middles, axis, best);
    const auto begin = order_.begin() + range.begin, end = order_.begin() + range.end;
    if (depth < deepest_sah_split && best.cost < Box::infinity) {
      const auto second = std::partition(begin, end, [&](std::int32_t i) { return is_left(best, i); });
      return second - order_.begin();
    }
    std::size_t longest = 0;
    for (std::size_t axis = 1; axis < 3; ++axis)
      if (middles.edge(axis) > middles.edge(longest)) longest = axis;
    const auto half = begin + range.count() / 2;
    std::nth_element(begin, half, end, [&](std::int32_t i, std::int32_t j) {
      return std::pair(middle(i, longest), i) < std::pair(middle(j, longest), j);
    });
    return half - order_.begin();
  }

  double middle(std::int32_t i, std::size_t axis) const { return boxes_[static_cast<std::size_t>(i)].middle(axis); }
  bool is_left(const Split& split, std::int32_t i) const { return middle(i, split.axis) < split.position; }

  /// Finds the best split along one axis that is better than `best` and leaves neither side empty.
  void find_split(Range range, const Box& middles, std::size_t axis, Split& best) const {
    const double start = middles.lower[axis], width = middles.edge(axis) / bins;
    if (!(width > 0)) return;
    const auto bin_start = [&](int bin) { return start + bin * width; };
    std::array<Box, bins> box;
    std::array<std::int64_t, bins> count{};
    for (std::int64_t k = range.begin; k < range.end; ++k) {
      const double position = boxes_[primitive(k)].middle(axis);
      int bin = std::clamp(static_cast<int>((position - start) / width), 0, bins - 1);
      while (bin > 0 && position < bin_start(bin)) --bin;  // consistent with is_left(), whatever the rounding
      while (bin + 1 < bins && position >= bin_start(bin + 1)) ++bin;
      box[static_cast<std::size_t>(bin)].include(boxes_[primitive(k)]);
      ++count[static_cast<std::size_t>(bin)];
    }
    std::array<double, bins> right_cost{};
    Box right;
    std::int64_t right_count = 0;
    for (std::size_t bin = bins - 1; bin > 0; --bin) {
      right.include(box[bin]);
      right_count += count[bin];
      right_cost[bin] = right_count == 0 ? Box::infinity : right.area() * static_cast<double>(right_count);
    }
    Box left;
    std::int64_t left_count = 0;
    for (std::size_t bin = 1; bin < bins; ++bin) {
      left.include(box[bin - 1]);
      left_count += count[bin - 1];
      if (left_count == 0) continue;
      const double cost = left.area() * static_cast<double>(left_count) + right_cost[bin];
      if (cost < best.cost) best = {axis, bin_start(static_cast<int>(bin)), cost};
    }
  }

  std::int32_t build_leaf(Range range) {
    Bvh::Leaf leaf;
    const auto begin = order_.begin() + range.begin;
    std::sort(begin, order_.begin() + range.end);
    leaf.count = static_cast<std::int32_t>(range.count());
    for (std::int64_t i = 0; i < Bvh::width; ++i)
      leaf.primitive[i] = begin[std::min<std::int64_t>(i, range.count() - 1)];
    fit_leaf(leaf, primitives_, tree_.scale);
    tree_.leaves.push_back(leaf);
    return static_cast<std::int32_t>(tree_.leaves.size()) - 1;
  }

  Bvh& tree_;
  const WallPrimitives& primitives_;
  std::vector<std::int32_t> order_;  ///< primitives of the body, in the order of the leaves
  std::vector<Box> boxes_;           ///< [primitives]
};

}  // namespace

Bvh::Bvh(const WallPrimitives& primitives, std::int32_t body, double bvh_scale) : scale(bvh_scale) {
  require(primitives.count() < no_child, "wall_distance: the walls have ", primitives.count(),
          " triangles, expected fewer than ", no_child, ". Split them into several meshes.");
  Builder(*this, primitives, body).build();
}

void Bvh::refit(const WallPrimitives& primitives, double bvh_scale) {
  scale = bvh_scale;
  std::vector<Box> leaf_box, node_box(nodes.size());
  for (Leaf& leaf : leaves) leaf_box.push_back(fit_leaf(leaf, primitives, scale));
  for (std::size_t number = nodes.size(); number-- > 0;) {  // children come after their parents
    Node& node = nodes[number];
    for (std::size_t i = 0; i < width && node.child[i] != no_child; ++i) {
      const std::int32_t child = node.child[i];
      const Box& box =
          child < 0 ? leaf_box[static_cast<std::size_t>(-1 - child)] : node_box[static_cast<std::size_t>(child)];
      store_box(*this, node, i, box);
      node_box[number].include(box);
    }
  }
}

double bvh_scale(const WallPrimitives& primitives) {
  Box box;
  for (const Primitive& primitive : primitives.shape) box.include(box_of(primitive));
  constexpr int most = 1000;  // larger powers of two are not representable
  return box.longest_edge() > 0 ? std::ldexp(1.0, std::min(most, -std::ilogb(box.longest_edge()) - 1)) : 1;
}

}  // namespace shoal::wall_distance
