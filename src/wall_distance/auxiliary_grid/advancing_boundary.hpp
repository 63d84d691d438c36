// SPDX-License-Identifier: Apache-2.0
// Search of the advancing boundary on a CPU, for any storage of faces.
#pragma once
#include "wall_distance/auxiliary_grid/cell_list.hpp"
#include "wall_distance/sum_over_chunks.hpp"
#include "wall_distance/wall_distance_method.hpp"
#include "wall_distance/walls/sphere_origin.hpp"

namespace shoal::wall_distance {

template <class Faces>
class AdvancingBoundary : public WallDistanceSearch {
 public:
  AdvancingBoundary(const Queue& queue, const WallPrimitives& primitives, std::int64_t cells_each_axis)
      : threads_(queue.threads()), primitives_(primitives), origin_(primitives), cells_(queue, cells_each_axis) {}

  void find(const WallQueries& queries) override {
    cells_.prepare(primitives_, origin_.middle, queries.body);
    if (queries.tested != nullptr)
      *queries.tested = find_all<TestCounter>(queries).tested;
    else
      find_all<NoTestCounter>(queries);
  }

  void refit() override {
    origin_ = SphereOrigin(primitives_);
    cells_.clear();
  }

  std::int64_t bytes() const override { return cells_.bytes(); }

 private:
  template <class Counter>
  Counter find_all(const WallQueries& queries) const {
    const double rotation_error = origin_.rotation_error(primitives_.pose);
    return sum_over_chunks(threads_, queries.count(), [&](Range range) {
      Counter counter;
      for (std::int64_t i = range.begin; i < range.end; ++i) {
        const DoubleDoubleVector point = queries.point(i);
        if (queries.accept(i, point))
          write_result(queries, i, point, primitives_,
                       nearest_primitive(point, {point, origin_.middle, rotation_error}, counter));
      }
      return counter;
    });
  }

  /// Calls visit(sphere, primitive) for the faces of the cells within the search radius.
  template <class Visit>
  void visit_faces(const SphereQuery<double>& query, double radius, const Visit& visit) const {
    for (std::int32_t c = 0; c < cells_.count(); ++c) {
      const Cell<Faces>& cell = cells_.cells()[c];
      if (may_be_nearest(query.squared(cell.sphere), cell.sphere.radius, radius))
        cell.faces.visit(cell.count, cells_.all_faces(), visit);
    }
  }

  /// Visits the list of cells three times: for a radius that contains all of a cell, for the nearest face center within
  /// that radius, and for the faces that may be nearer.
  template <class Counter>
  NearestPrimitive nearest_primitive(const DoubleDoubleVector& point, const SphereQuery<double>& query,
                                     Counter& counter) const {
    double whole_cell = infinite_distance<double>;  // m, radius that contains all faces of some cell
    for (std::int32_t c = 0; c < cells_.count(); ++c) {
      const BoundingSphere<double>& sphere = cells_.cells()[c].sphere;
      whole_cell = min(fast_sqrt(query.squared(sphere)) + sphere.radius, whole_cell);
    }
    double radius = query.search_radius(whole_cell * whole_cell), least = infinite_distance<double>;
    visit_faces(query, radius, [&](const BoundingSphere<double>& sphere, std::int32_t) {
      counter.add_bounded(1);
      least = min(query.squared(sphere), least);
    });
    radius = min(query.search_radius(least), radius);
    NearestPrimitive nearest;
    visit_faces(query, radius, [&](const BoundingSphere<double>& sphere, std::int32_t number) {
      counter.add_bounded(1);
      if (!may_be_nearest(query.squared(sphere), sphere.radius, radius)) return;
      const auto primitive = static_cast<std::size_t>(number);
      const BodyPose& pose = primitives_.pose[static_cast<std::size_t>(primitives_.body[primitive])];
      nearest.test(pose.to_body(point), primitives_.shape[primitive], number);
      counter.add_exact();
    });
    return nearest;
  }

  int threads_;
  const WallPrimitives& primitives_;
  SphereOrigin origin_;
  CellList<Faces> cells_;
};

/// Opens a search on one thread, as in the paper's serial code.
template <class Faces>
std::unique_ptr<WallDistanceSearch> open_serial_advancing_boundary(const Queue&, PlanWalls& walls,
                                                                   const WallDistanceOptions& options) {
  return std::make_unique<AdvancingBoundary<Faces>>(Queue::cpu(1), walls.on_host(), options.auxiliary_cells);
}

}  // namespace shoal::wall_distance
