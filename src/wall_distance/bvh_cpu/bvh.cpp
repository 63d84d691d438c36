// SPDX-License-Identifier: Apache-2.0
// Top down: the ranges of a node's children are cut where the surface-area heuristic says, the largest one first, until
// there are eight; ranges of up to eight pieces are leaves.
//
// Source: Wald (2007), "On fast construction of SAH-based bounding volume hierarchies", for cuts between 16 bins.
#include "wall_distance/bvh_cpu/bvh.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/range.hpp"
#include "core/text.hpp"
#include "wall_distance/geometry/planar_groups.hpp"

namespace shoal {

namespace {

constexpr int bins = 16;
constexpr int deepest_cut_by_area = 30;  ///< below, ranges are halved, so that no tree is too deep for a search's stack

struct Box {
  std::array<double, 3> lower{infinity, infinity, infinity}, upper{-infinity, -infinity, -infinity};

  static constexpr double infinity = std::numeric_limits<double>::infinity();

  void include(const Box& other) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      lower[axis] = std::min(lower[axis], other.lower[axis]);
      upper[axis] = std::max(upper[axis], other.upper[axis]);
    }
  }
  double middle(std::size_t axis) const { return lower[axis] / 2 + upper[axis] / 2; }
  double edge(std::size_t axis) const { return upper[axis] - lower[axis]; }
  double longest_edge() const { return std::max({edge(0), edge(1), edge(2)}); }
  /// Half the surface; 0 if nothing is in it.
  double area() const {
    if (!(lower[0] <= upper[0])) return 0;
    return edge(0) * edge(1) + edge(1) * edge(2) + edge(2) * edge(0);
  }
};

Box box_of(const FacePiece& piece) {
  Box box;
  for (int i = 0; i < 3; ++i) {
    const std::array<double, 3> corner{piece.x[i], piece.y[i], piece.z[i]};
    box.include({corner, corner});
  }
  return box;
}

struct Cut {
  std::size_t axis = 0;
  double place = 0;  ///< pieces whose middle is below go to the left
  double cost = Box::infinity;
};

/// A float that is less than a difference in double, whatever that was rounded to.
float below(double a) {
  constexpr float low = -std::numeric_limits<float>::infinity();
  return std::nextafter(std::nextafter(static_cast<float>(a), low), low);
}

void put_box(const WallTree& tree, WallTree::Node& node, std::size_t i, const Box& box) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    node.lower[axis][i] = below((box.lower[axis] - tree.center[axis]) * tree.scale);
    node.upper[axis][i] = -below((tree.center[axis] - box.upper[axis]) * tree.scale);
  }
}

FacePiece scaled(FacePiece piece, double scale) {
  for (auto* coordinates : {&piece.x, &piece.y, &piece.z})
    for (double& coordinate : *coordinates) coordinate *= scale;
  return piece;
}

/// All of a leaf but which pieces it has. Returns their box.
Box fit_leaf(WallTree::Leaf& leaf, const WallPieces& pieces, double scale) {
  const auto shape = [&](int i) -> const FacePiece& { return pieces.shape[static_cast<std::size_t>(leaf.piece[i])]; };
  Box box;
  for (int i = 0; i < leaf.count; ++i) box.include(box_of(shape(i)));
  for (std::size_t axis = 0; axis < 3; ++axis) leaf.origin[axis] = box.middle(axis);
  leaf.size = static_cast<float>(box.longest_edge() * scale);
  const double origin[3] = {leaf.origin[0] * scale, leaf.origin[1] * scale, leaf.origin[2] * scale};
  for (int i = 0; i < WallTree::width; ++i) leaf.flat.put(i, flat_piece(scaled(shape(i), scale), origin));
  return box;
}

class Builder {
 public:
  Builder(WallTree& tree, const WallPieces& pieces, std::int32_t body) : tree_(tree), pieces_(pieces) {
    for (std::size_t k = 0; k < pieces.shape.size(); ++k) {
      boxes_.push_back(box_of(pieces.shape[k]));
      if (pieces.body[k] == body) order_.push_back(static_cast<std::int32_t>(k));
    }
  }

  void build() {
    const Range all{0, static_cast<std::int64_t>(order_.size())};
    const Box box = box_of_range(all);
    for (std::size_t axis = 0; axis < 3; ++axis) tree_.center[axis] = box.middle(axis);
    build_node(all, 0);
  }

 private:
  std::size_t piece(std::int64_t k) const { return static_cast<std::size_t>(order_[static_cast<std::size_t>(k)]); }

  Box box_of_range(Range range) const {
    Box box;
    for (std::int64_t k = range.begin; k < range.end; ++k) box.include(boxes_[piece(k)]);
    return box;
  }

  /// @return  number of the new node
  std::int32_t build_node(Range range, int depth) {
    const auto number = static_cast<std::int32_t>(tree_.nodes.size());
    tree_.nodes.emplace_back();
    const std::vector<Range> parts = parts_of(range, depth);
    WallTree::Node node;
    std::fill_n(node.child, WallTree::width, WallTree::no_child);
    for (std::size_t i = 0; i < WallTree::width; ++i)
      put_box(tree_, node, i, box_of_range(i < parts.size() ? parts[i] : parts[0]));
    for (std::size_t i = 0; i < parts.size(); ++i)
      node.child[i] = parts[i].count() <= WallTree::width ? -1 - build_leaf(parts[i]) : build_node(parts[i], depth + 3);
    tree_.nodes[static_cast<std::size_t>(number)] = node;
    return number;
  }

  /// Up to eight ranges that the children of a node take.
  std::vector<Range> parts_of(Range range, int depth) {
    std::vector<Range> parts{range};
    while (parts.size() < WallTree::width) {
      auto widest = parts.end();
      double largest = -1;
      for (auto part = parts.begin(); part != parts.end(); ++part) {
        if (part->count() <= WallTree::width) continue;
        const double area = box_of_range(*part).area();
        if (area > largest) {
          largest = area;
          widest = part;
        }
      }
      if (widest == parts.end()) break;
      const std::int64_t middle = cut(*widest, depth);
      const Range right{middle, widest->end};
      widest->end = middle;
      parts.insert(widest + 1, right);
    }
    return parts;
  }

  /// Brings a range into two parts, neither empty. Returns where the second one begins.
  std::int64_t cut(Range range, int depth) {
    Box middles;
    for (std::int64_t k = range.begin; k < range.end; ++k) {
      const Box& box = boxes_[piece(k)];
      const std::array<double, 3> middle{box.middle(0), box.middle(1), box.middle(2)};
      middles.include({middle, middle});
    }
    Cut best;
    for (std::size_t axis = 0; axis < 3; ++axis) find_cut(range, middles, axis, best);
    const auto begin = order_.begin() + range.begin, end = order_.begin() + range.end;
    if (depth < deepest_cut_by_area && best.cost < Box::infinity) {
      const auto at = std::partition(begin, end, [&](std::int32_t i) { return is_left(best, i); });
      return at - order_.begin();
    }
    std::size_t axis = 0;
    for (std::size_t other = 1; other < 3; ++other)
      if (middles.edge(other) > middles.edge(axis)) axis = other;
    const auto half = begin + range.count() / 2;
    std::nth_element(begin, half, end, [&](std::int32_t i, std::int32_t j) {
      return std::pair(middle(i, axis), i) < std::pair(middle(j, axis), j);
    });
    return half - order_.begin();
  }

  double middle(std::int32_t i, std::size_t axis) const { return boxes_[static_cast<std::size_t>(i)].middle(axis); }
  bool is_left(const Cut& cut, std::int32_t i) const { return middle(i, cut.axis) < cut.place; }

  /// The best place along one axis, if there is a better one than `best` and neither side is empty.
  void find_cut(Range range, const Box& middles, std::size_t axis, Cut& best) const {
    const double start = middles.lower[axis], width = middles.edge(axis) / bins;
    if (!(width > 0)) return;
    const auto place_of = [&](int bin) { return start + bin * width; };
    std::array<Box, bins> box;
    std::array<std::int64_t, bins> count{};
    for (std::int64_t k = range.begin; k < range.end; ++k) {
      const double at = boxes_[piece(k)].middle(axis);
      int bin = std::clamp(static_cast<int>((at - start) / width), 0, bins - 1);
      while (bin > 0 && at < place_of(bin)) --bin;  // as is_left() says, whatever the rounding
      while (bin + 1 < bins && at >= place_of(bin + 1)) ++bin;
      box[static_cast<std::size_t>(bin)].include(boxes_[piece(k)]);
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
      if (cost < best.cost) best = {axis, place_of(static_cast<int>(bin)), cost};
    }
  }

  std::int32_t build_leaf(Range range) {
    WallTree::Leaf leaf;
    const auto begin = order_.begin() + range.begin;
    std::sort(begin, order_.begin() + range.end);
    leaf.count = static_cast<std::int32_t>(range.count());
    for (std::int64_t i = 0; i < WallTree::width; ++i)
      leaf.piece[i] = begin[std::min<std::int64_t>(i, range.count() - 1)];
    fit_leaf(leaf, pieces_, tree_.scale);
    tree_.leaves.push_back(leaf);
    return static_cast<std::int32_t>(tree_.leaves.size()) - 1;
  }

  WallTree& tree_;
  const WallPieces& pieces_;
  std::vector<std::int32_t> order_;
  std::vector<Box> boxes_;
};

}  // namespace

WallTree::WallTree(const WallPieces& pieces, std::int32_t body, double its_scale) : scale(its_scale) {
  require(pieces.count() < no_child, "wall_distance: the walls have ", pieces.count(),
          " triangles, expected fewer than ", no_child, ". Split them into several meshes.");
  Builder(*this, pieces, body).build();
}

void WallTree::refit(const WallPieces& pieces, double its_scale) {
  scale = its_scale;
  std::vector<Box> leaf_box, node_box(nodes.size());
  for (Leaf& leaf : leaves) leaf_box.push_back(fit_leaf(leaf, pieces, scale));
  for (std::size_t number = nodes.size(); number-- > 0;) {  // children come after their parents
    Node& node = nodes[number];
    for (std::size_t i = 0; i < width && node.child[i] != no_child; ++i) {
      const std::int32_t child = node.child[i];
      const Box& box =
          child < 0 ? leaf_box[static_cast<std::size_t>(-1 - child)] : node_box[static_cast<std::size_t>(child)];
      put_box(*this, node, i, box);
      node_box[number].include(box);
    }
  }
}

double tree_scale(const WallPieces& pieces) {
  Box box;
  for (const FacePiece& piece : pieces.shape) box.include(box_of(piece));
  constexpr int most = 1000;  // powers of two beyond are no doubles
  return box.longest_edge() > 0 ? std::ldexp(1.0, std::min(most, -std::ilogb(box.longest_edge()) - 1)) : 1;
}

}  // namespace shoal
