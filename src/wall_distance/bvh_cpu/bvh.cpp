// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/bvh_cpu/bvh.hpp"

#include "core/text.hpp"
#include "wall_distance/bvh_cpu/bvh_parts.hpp"
#include "wall_distance/geometry/planar_groups.hpp"

namespace shoal::wall_distance {

namespace {

Primitive scaled(Primitive primitive, double scale) {
  for (auto* coordinates : {&primitive.x, &primitive.y, &primitive.z})
    for (double& coordinate : *coordinates) coordinate *= scale;
  return primitive;
}

}  // namespace

Box fit_leaf(Bvh::Leaf& leaf, const WallPrimitives& primitives, double scale) {
  const auto shape = [&](int i) -> const Primitive& {
    return primitives.shape[static_cast<std::size_t>(leaf.primitive[i])];
  };
  Box box;
  for (int i = 0; i < leaf.count; ++i) box += box_of(shape(i));
  for (std::size_t axis = 0; axis < 3; ++axis) leaf.origin[axis] = box.middle(axis);
  leaf.size = static_cast<float>(box.longest_edge() * scale);
  const double origin[3] = {leaf.origin[0] * scale, leaf.origin[1] * scale, leaf.origin[2] * scale};
  for (int i = 0; i < Bvh::width; ++i) leaf.planar.put(i, planar_primitive(scaled(shape(i), scale), origin));
  return box;
}

Bvh::Bvh(const WallPrimitives& primitives, std::int32_t body, double bvh_scale, int threads) : scale(bvh_scale) {
  require(primitives.count() < no_child, "wall_distance: the walls have ", primitives.count(),
          " triangles, expected fewer than ", no_child, ". Split them into several meshes.");
  std::vector<std::int32_t> number;
  number.reserve(primitives.body.size());
  for (std::size_t k = 0; k < primitives.body.size(); ++k)
    if (primitives.body[k] == body) number.push_back(static_cast<std::int32_t>(k));
  const Box box = box_around(primitives, number, threads);
  for (std::size_t axis = 0; axis < 3; ++axis) center[axis] = box.middle(axis);
  build_bvh(*this, primitives, number, threads);
}

void Bvh::refit(const WallPrimitives& primitives, double bvh_scale, int threads) {
  scale = bvh_scale;
  std::vector<NodeBox> leaf_box(leaves.size()), node_box(nodes.size());
#pragma omp parallel for num_threads(threads)
  for (std::size_t number = 0; number < leaves.size(); ++number)
    leaf_box[number] = NodeBox(*this, fit_leaf(leaves[number], primitives, scale));
  for (std::size_t number = nodes.size(); number-- > 0;) {  // children come after their parents
    Node& node = nodes[number];
    for (std::size_t i = 0; i < width && node.child[i] != no_child; ++i) {
      const std::int32_t child = node.child[i];
      const NodeBox& box =
          child < 0 ? leaf_box[static_cast<std::size_t>(-1 - child)] : node_box[static_cast<std::size_t>(child)];
      box.store(node, i);
      node_box[number] += box;
    }
  }
}

double bvh_scale(const WallPrimitives& primitives, int threads) {
  const Box box = box_around(primitives, {}, threads);
  constexpr int most = 1000;  // larger powers of two are not representable
  return box.longest_edge() > 0 ? std::ldexp(1.0, std::min(most, -std::ilogb(box.longest_edge()) - 1)) : 1;
}

}  // namespace shoal::wall_distance
