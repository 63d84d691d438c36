// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/signs/winding/winding_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/range.hpp"
#include "core/text.hpp"
#include "wall_distance/signs/first_primitives.hpp"

namespace shoal::wall_distance {

namespace {

constexpr std::int64_t leaf_size = 8;  ///< largest number of primitives in a leaf

WindingVector operator+(const WindingVector& a, const WindingVector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
WindingVector operator-(const WindingVector& a, const WindingVector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
WindingVector operator*(double s, const WindingVector& a) { return {s * a.x, s * a.y, s * a.z}; }
double component(const WindingVector& a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

/// Area (2-D: length) of a primitive with its center and normal.
struct Element {
  WindingVector corner[3], center;
  WindingVector normal;  ///< area times unit normal, outwards
  double area = 0;
};

class TreeBuilder {
 public:
  TreeBuilder(const MeshSummary& mesh, const WallPrimitives& primitives) : mesh_(mesh), primitives_(primitives) {
    double largest = 0;
    for (const Primitive& primitive : primitives.shape)
      for (const auto* along : {&primitive.x, &primitive.y, &primitive.z})
        for (const double coordinate : *along) largest = std::max(largest, std::abs(coordinate));
    if (largest > 0) tree_.scale = std::ldexp(1, -std::max(std::ilogb(largest), -1000));
  }

  WindingTree build() {
    tree_.first = first_primitives(mesh_.faces, primitives_.face);
    for (std::size_t k = 0; k < primitives_.shape.size(); ++k) elements_.push_back(element(k));
    tree_.order.resize(elements_.size());
    std::iota(tree_.order.begin(), tree_.order.end(), 0);
    std::stable_sort(tree_.order.begin(), tree_.order.end(), [&](std::int32_t a, std::int32_t b) {
      return primitives_.body[static_cast<std::size_t>(a)] < primitives_.body[static_cast<std::size_t>(b)];
    });
    for (std::int64_t begin = 0, end = 0; begin < primitives_.count(); begin = end) {
      while (end < primitives_.count() && body_at(end) == body_at(begin)) ++end;
      tree_.root.push_back(static_cast<std::int32_t>(tree_.nodes.size()));
      orient_outwards({begin, end});
      add_node({begin, end});
    }
    tree_.root.push_back(static_cast<std::int32_t>(tree_.nodes.size()));
    for (const std::int32_t k : tree_.order)
      tree_.orientation.push_back(is_reversed_[static_cast<std::size_t>(primitives_.body[static_cast<std::size_t>(k)])]
                                      ? static_cast<std::int8_t>(-primitives_.orientation[static_cast<std::size_t>(k)])
                                      : primitives_.orientation[static_cast<std::size_t>(k)]);
    return std::move(tree_);
  }

 private:
  std::int32_t body_at(std::int64_t place) const {
    return primitives_.body[static_cast<std::size_t>(tree_.order[static_cast<std::size_t>(place)])];
  }
  Element& element_at(std::int64_t place) {
    return elements_[static_cast<std::size_t>(tree_.order[static_cast<std::size_t>(place)])];
  }

  Element element(std::size_t k) const {
    const Primitive& primitive = primitives_.shape[k];
    Element result;
    for (int i = 0; i < 3; ++i)
      result.corner[i] = tree_.scale * WindingVector{primitive.x[i], primitive.y[i], primitive.z[i]};
    const WindingVector u = result.corner[1] - result.corner[0], v = result.corner[2] - result.corner[0];
    const bool is_2d = mesh_.dimensions == 2;
    result.center = is_2d ? 0.5 * (result.corner[0] + result.corner[2])
                          : 1.0 / 3 * (result.corner[0] + result.corner[1] + result.corner[2]);
    result.normal =
        static_cast<double>(primitives_.orientation[k]) * (is_2d ? WindingVector{v.y, -v.x, 0} : 0.5 * cross(u, v));
    result.area = length(result.normal);
    return result;
  }

  /// Center of areas; the first corner if there is no area.
  WindingVector center_of(Range places) {
    double area = 0;
    WindingVector sum{};
    const WindingVector origin = element_at(places.begin).corner[0];
    for (std::int64_t i = places.begin; i < places.end; ++i) {
      const Element& part = element_at(i);
      area += part.area;
      sum = sum + part.area * (part.center - origin);
    }
    return area > 0 ? origin + 1 / area * sum : origin;
  }

  /// Reverses the normals of a body that encloses a negative volume.
  void orient_outwards(Range places) {
    const WindingVector center = center_of(places);
    double volume = 0, area = 0;
    for (std::int64_t i = places.begin; i < places.end; ++i) {
      volume += dot(element_at(i).center - center, element_at(i).normal);
      area += element_at(i).area;
    }
    if (!(area > 0)) {
      const auto k = static_cast<std::size_t>(tree_.order[static_cast<std::size_t>(places.begin)]);
      throw Error(text("wall_distance: the faces of wall \"",
                       mesh_.wall_names[static_cast<std::size_t>(primitives_.wall[k])],
                       "\" and of its body have no area, so they have no inside. Remove them, or set signs = false."));
    }
    is_reversed_.push_back(volume < 0);
    if (volume < 0)
      for (std::int64_t i = places.begin; i < places.end; ++i) element_at(i).normal = -1 * element_at(i).normal;
  }

  void add_node(Range places) {
    const std::size_t number = tree_.nodes.size();
    tree_.nodes.push_back(node_of(places));
    if (places.count() <= leaf_size) {
      tree_.nodes[number].first = static_cast<std::int32_t>(places.begin);
      tree_.nodes[number].count = static_cast<std::int32_t>(places.count());
    } else {
      const std::int64_t middle = split(places);
      add_node({places.begin, middle});
      add_node({middle, places.end});
    }
    tree_.nodes[number].next = static_cast<std::int32_t>(tree_.nodes.size());
  }

  WindingNode node_of(Range places) {
    WindingNode node{};
    node.center = center_of(places);
    for (std::int64_t i = places.begin; i < places.end; ++i) {
      const Element& part = element_at(i);
      const WindingVector from_center = part.center - node.center;
      node.area += part.area;
      node.dipole = node.dipole + part.normal;
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
          node.moment[3 * row + column] += component(from_center, row) * component(part.normal, column);
      for (const WindingVector& corner : part.corner) node.radius = std::max(node.radius, length(corner - node.center));
    }
    node.radius *= 1 + 1e-12;  // rounding
    return node;
  }

  /// Sorts primitives to both sides of their median along the longest axis of their centers.
  std::int64_t split(Range places) {
    WindingVector lower = element_at(places.begin).center, upper = lower;
    for (std::int64_t i = places.begin; i < places.end; ++i) {
      const WindingVector& center = element_at(i).center;
      lower = {std::min(lower.x, center.x), std::min(lower.y, center.y), std::min(lower.z, center.z)};
      upper = {std::max(upper.x, center.x), std::max(upper.y, center.y), std::max(upper.z, center.z)};
    }
    const WindingVector extent = upper - lower;
    const int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
    const std::int64_t middle = places.begin + places.count() / 2;
    const auto place = [&](std::int64_t i) { return tree_.order.begin() + i; };
    std::nth_element(place(places.begin), place(middle), place(places.end), [&](std::int32_t a, std::int32_t b) {
      const double left = component(elements_[static_cast<std::size_t>(a)].center, axis),
                   right = component(elements_[static_cast<std::size_t>(b)].center, axis);
      return left < right || (left == right && a < b);
    });
    std::sort(place(places.begin), place(middle));
    std::sort(place(middle), place(places.end));
    return middle;
  }

  const MeshSummary& mesh_;
  const WallPrimitives& primitives_;
  std::vector<Element> elements_;  ///< [primitives]
  std::vector<bool> is_reversed_;  ///< [bodies]
  WindingTree tree_;
};

}  // namespace

WindingTree winding_tree(const MeshSummary& mesh, const WallPrimitives& primitives) {
  return TreeBuilder(mesh, primitives).build();
}

}  // namespace shoal::wall_distance
