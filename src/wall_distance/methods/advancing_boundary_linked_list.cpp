// SPDX-License-Identifier: Apache-2.0
// advancing_boundary_linked_list: faces in the cells of an auxiliary grid, with a list of faces in each cell.
//
// idea           empty cells are dropped; each point visits the list of cells three times: for a radius that contains
//                all of a cell, for the nearest face center within that radius, and for the faces that may be nearer
// source         Wukie, Ganapathy and Park (2014), serial "Advancing boundary" (T1), after Roget and Sitaraman (2012)
// memory         40 bytes a cell, 48 a triangle
// atomics        none
// deterministic  yes: one thread
// wins when      there are more than some hundred faces, against `serial`; never against `bvh`
// loses when     bodies move, since the grid is made again; points are far away, since most cells are about equally
//                near
// deviations     those of the methods on CUDA: exact distances, no lost faces, the smallest radius that contains a cell
#include "wall_distance/auxiliary_grid/auxiliary_cells.hpp"
#include "wall_distance/methods/methods.hpp"
#include "wall_distance/walls/sphere_origin.hpp"

namespace shoal::wall_distance {

namespace {

/// An element of the paper's list of faces.
struct FaceNode {
  BoundingSphere<double> sphere;
  std::int32_t primitive;
  const FaceNode* next;
};

struct Cell {
  BoundingSphere<double> sphere;
  const FaceNode* root;
};

class AdvancingBoundary : public WallDistanceSearch {
 public:
  explicit AdvancingBoundary(const WallPrimitives& primitives) : primitives_(primitives), origin_(primitives) {}

  void find(const WallQueries& queries) override {
    if (const AuxiliaryUse use{primitives_.pose, queries.body}; !(use_ == use) || cells_.empty()) {
      make_cells(queries.body);
      use_ = use;
    }
    if (queries.tested != nullptr)
      *queries.tested = find_all<TestCounter>(queries).tested;
    else
      find_all<NoTestCounter>(queries);
  }

  void refit() override {
    origin_ = SphereOrigin(primitives_);
    cells_.clear();
  }

  std::int64_t bytes() const override {
    return static_cast<std::int64_t>(cells_.size() * sizeof(Cell) + nodes_.size() * sizeof(FaceNode));
  }

 private:
  template <class Counter>
  Counter find_all(const WallQueries& queries) const {
    Counter counter;
    const double rotation_error = origin_.rotation_error(primitives_);
    for (std::int64_t i = 0; i < queries.count(); ++i) {
      const DoubleDoubleVector point = queries.point(i);
      if (queries.accept(i, point))
        write_result(queries, i, point, primitives_,
                     nearest_primitive(point, {point, origin_.middle, rotation_error}, counter));
    }
    return counter;
  }

  void make_cells(std::int32_t body) {
    const AuxiliaryGrid grid(primitives_, origin_.middle, body, primitives_.count());
    nodes_.clear();
    nodes_.reserve(primitives_.shape.size());  // keeps pointers to nodes valid
    cells_.clear();
    for (const AuxiliaryCell& cell : grid.cells) {
      const FaceNode* next = nullptr;
      for (auto primitive = cell.primitives.rbegin(); primitive != cell.primitives.rend(); ++primitive) {
        nodes_.push_back({grid.spheres[static_cast<std::size_t>(*primitive)], *primitive, next});
        next = &nodes_.back();
      }
      cells_.push_back({cell.sphere, next});
    }
  }

  /// Calls `visit` for the faces of the cells within the search radius.
  template <class Visit>
  void visit_faces(const SphereQuery<double>& query, double radius, Visit visit) const {
    for (const Cell& cell : cells_) {
      if (!may_be_nearest(query.squared(cell.sphere), cell.sphere.radius, radius)) continue;
      for (const FaceNode* node = cell.root; node != nullptr; node = node->next) visit(*node);
    }
  }

  template <class Counter>
  NearestPrimitive nearest_primitive(const DoubleDoubleVector& point, const SphereQuery<double>& query,
                                     Counter& counter) const {
    double whole_cell = infinite_distance<double>;  // m, radius that contains all faces of some cell
    for (const Cell& cell : cells_)
      whole_cell = min(fast_sqrt(query.squared(cell.sphere)) + cell.sphere.radius, whole_cell);
    double radius = query.search_radius(whole_cell * whole_cell), least = infinite_distance<double>;
    visit_faces(query, radius, [&](const FaceNode& node) {
      counter.add_bounded(1);
      least = min(query.squared(node.sphere), least);
    });
    radius = min(query.search_radius(least), radius);
    NearestPrimitive nearest;
    visit_faces(query, radius, [&](const FaceNode& node) {
      counter.add_bounded(1);
      if (!may_be_nearest(query.squared(node.sphere), node.sphere.radius, radius)) return;
      const auto primitive = static_cast<std::size_t>(node.primitive);
      const BodyPose& pose = primitives_.pose[static_cast<std::size_t>(primitives_.body[primitive])];
      nearest.test(pose.to_body(point), primitives_.shape[primitive], node.primitive);
      counter.add_exact();
    });
    return nearest;
  }

  const WallPrimitives& primitives_;
  SphereOrigin origin_;
  std::vector<FaceNode> nodes_;
  std::vector<Cell> cells_;
  AuxiliaryUse use_;  ///< poses and body for which the cells were made
};

std::unique_ptr<WallDistanceSearch> open(const Queue&, const WallPrimitives& primitives, double) {
  return std::make_unique<AdvancingBoundary>(primitives);
}

}  // namespace

const WallDistanceMethod wall_distance_advancing_boundary_linked_list_cpu{
    {"advancing_boundary_linked_list", DeviceKind::cpu, true, "Wukie, Ganapathy and Park (2014)"}, open};

}  // namespace shoal::wall_distance
