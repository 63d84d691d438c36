// SPDX-License-Identifier: Apache-2.0
// Kernel and search of the variations of the paper's advancing boundary.
#pragma once
#include "core/cuda/kernel_resources.cuh"
#include "wall_distance/auxiliary_grid/cell_list.hpp"
#include "wall_distance/auxiliary_grid/cell_queries.cuh"
#include "wall_distance/bounding_spheres/sphere_layouts.cuh"

namespace shoal::wall_distance {

/// The bounding spheres of cells, a layout like SphereArrays.
template <class Faces>
struct SpheresInCells {
  using Real = double;
  const Cell<Faces>* cells;

  SHOAL_HD BoundingSphere<double> sphere(std::int32_t k) const { return cells[k].sphere; }
};

/// Radius that contains all faces of some cell, m: the smallest one.
template <class CellSpheres, class Query>
__device__ double smallest_whole_cell(const CellSpheres& spheres, const Query& query) {
  double whole_cell = infinite_distance<double>;
  spheres.visit(query, SphereStride{0, 1}, [&](std::int32_t, double squared, double cell_radius) {
    whole_cell = min(fast_sqrt(squared) + cell_radius, whole_cell);
  });
  return whole_cell;
}

/// Visits the cells twice within a radius that contains all of a cell: for the nearest face center, and for the faces
/// that may be nearer.
/// @param nearest_squared  m², for the smallest squared distance to a face center
/// @tparam Minimum  double, or a reference to global memory
template <class Minimum, class Faces, class CellSpheres, class Query>
__device__ void visit_cells(const WallQueries& queries, const DevicePrimitives& primitives,
                            const CellsOnDevice<Faces>& cells, const CellSpheres& spheres, std::int64_t i,
                            bool has_point, const SphereQuery<double>& bounds, const Query& query, double whole_cell,
                            Minimum nearest_squared) {
  constexpr SphereStride every{0, 1};
  double search_radius = bounds.search_radius(whole_cell * whole_cell);
  nearest_squared = infinite_distance<double>;
  spheres.visit(query, every, [&](std::int32_t c, double squared, double cell_radius) {
    if (!has_point || !may_be_nearest(squared, cell_radius, search_radius)) return;
    const Cell<Faces>& cell = cells.cells[c];
    cell.faces.visit(cell.count, cells.all_faces, [&](const BoundingSphere<double>& sphere, std::int32_t) {
      const double face_squared = query.squared(sphere);
      if (face_squared < nearest_squared) nearest_squared = face_squared;
    });
  });
  search_radius = min(bounds.search_radius(nearest_squared), search_radius);
  NearestPrimitive nearest;
  const DoubleDoubleVector point = has_point ? queries.point(i) : DoubleDoubleVector{};
  spheres.visit(query, every, [&](std::int32_t c, double squared, double cell_radius) {
    if (!has_point || !may_be_nearest(squared, cell_radius, search_radius)) return;
    const Cell<Faces>& cell = cells.cells[c];
    cell.faces.visit(cell.count, cells.all_faces, [&](const BoundingSphere<double>& sphere, std::int32_t primitive) {
      if (may_be_nearest(query.squared(sphere), sphere.radius, search_radius))
        primitives.test(queries, point, primitive, nearest);
    });
  });
  if (has_point) primitives.write(queries, i, point, nearest);
}

/// One thread for each point.
/// @param global_box  for BoxPointsIn::global and shared
/// @param minimum     [points] m², for MinimumIn::global
template <class Faces, class CellSpheres, PointIn point_in, MinimumIn minimum_in, BoxPointsIn box_points_in>
__global__ void __launch_bounds__(advancing_boundary_threads, advancing_boundary_blocks)
    advance(WallQueries queries, DevicePrimitives primitives, CellsOnDevice<Faces> cells, CellSpheres spheres,
            BoxPoints global_box, double* minimum) {
  static_assert(
      !CellSpheres::whole_blocks || (minimum_in == MinimumIn::registers && box_points_in == BoxPointsIn::nowhere),
      "threads without a point have no minimum, and the growing radius stops at different cells");
  const std::int64_t i = thread_index();
  BoxPoints box = global_box;
  if constexpr (box_points_in == BoxPointsIn::shared) box = shared_box_points(global_box);
  const bool has_point = i < queries.count() && queries.accept(i, queries.point(i));
  if (!CellSpheres::whole_blocks && !has_point) return;
  const SphereQuery<double> bounds(has_point ? queries.point(i) : DoubleDoubleVector{}, primitives.origin,
                                   primitives.rotation_error);
  const auto search = [&](const auto& query) {
    double whole_cell;
    if constexpr (box_points_in == BoxPointsIn::nowhere)
      whole_cell = smallest_whole_cell(spheres, query);
    else
      whole_cell = growing_whole_cell(spheres.layout, spheres.count, query, box);
    if constexpr (minimum_in == MinimumIn::global)
      visit_cells<volatile double&>(queries, primitives, cells, spheres, i, has_point, bounds, query, whole_cell,
                                    minimum[i]);
    else
      visit_cells<double>(queries, primitives, cells, spheres, i, has_point, bounds, query, whole_cell, 0.0);
  };
  if constexpr (point_in == PointIn::global)
    search(GlobalQuery{queries, i, primitives});
  else if constexpr (point_in == PointIn::shared)
    search(SharedQuery(bounds));
  else
    search(bounds);
}

/// Memory from which a thread reads the spheres of cells.
template <class Faces, CentersIn centers>
struct CellSpheresOf;
template <class Faces>
struct CellSpheresOf<Faces, CentersIn::cells> : std::type_identity<GlobalSpheres<SpheresInCells<Faces>>> {};
template <class Faces>
struct CellSpheresOf<Faces, CentersIn::array> : std::type_identity<GlobalSpheres<InterleavedSpheres<double>>> {};
template <class Faces>
struct CellSpheresOf<Faces, CentersIn::shared_copies>
    : std::type_identity<SharedSpheres<SpheresInCells<Faces>, InterleavedSpheres<double>>> {};

template <FaceStorage storage, PointIn point, MinimumIn minimum, BoxPointsIn box_points, CentersIn centers>
class AdvancingBoundarySearch : public WallDistanceSearch {
  using Faces = typename FacesOf<storage>::type;
  using CellSpheres = typename CellSpheresOf<Faces, centers>::type;
  static constexpr auto kernel = advance<Faces, CellSpheres, point, minimum, box_points>;

 public:
  AdvancingBoundarySearch(const Queue& queue, PlanWalls& walls, std::int64_t cells_each_axis)
      : primitives_(queue, walls, BoundingSpheres::used),
        cells_(queue, cells_each_axis),
        centers_(queue, 0),
        box_points_(queue, 0),
        minimum_(queue, 0) {}

  void find(const WallQueries& queries) override {
    const DevicePrimitives primitives = primitives_.view();
    cells_.prepare(primitives_.walls().on_host(), primitives.origin, queries.body,
                   [this](const AuxiliaryGrid& grid) { copy_grid(grid); });
    if constexpr (minimum == MinimumIn::global) minimum_.resize(queries.count());
    launch<advancing_boundary_threads>(primitives_.queue(), queries.count(), kernel, queries, primitives,
                                       CellsOnDevice<Faces>{cells_.cells(), cells_.all_faces()}, spheres(),
                                       BoxPoints(box_points_.data(), box_points_.count() / 3, cell_diagonal_),
                                       minimum_.data());
  }

  void refit() override {
    primitives_.reshape();
    cells_.clear();
  }
  std::int64_t bytes() const override {
    return primitives_.bytes() + cells_.bytes() + centers_.bytes() + box_points_.bytes() + minimum_.bytes();
  }

  static KernelResources kernel_resources(std::string_view method) {
    return resources_of(std::string(method).c_str(), kernel);
  }

 private:
  CellSpheres spheres() {
    if constexpr (centers == CentersIn::array)
      return {{centers_.data(), cells_.count()}, cells_.count()};
    else
      return {{cells_.cells()}, cells_.count()};
  }

  void copy_grid(const AuxiliaryGrid& grid) {
    const Queue& queue = primitives_.queue();
    cell_diagonal_ = grid.cell_diagonal;
    if constexpr (box_points != BoxPointsIn::nowhere) {
      box_points_.resize(static_cast<std::int64_t>(grid.box_points.size()));
      copy<double>(queue, grid.box_points, box_points_.view());
    }
    if constexpr (centers == CentersIn::array) {
      std::vector<double> numbers(4 * grid.cells.size());
      const InterleavedSpheres<double> layout(numbers.data(), 0);
      for (std::size_t c = 0; c < grid.cells.size(); ++c)
        layout.put(static_cast<std::int32_t>(c), grid.cells[c].sphere);
      centers_.resize(static_cast<std::int64_t>(numbers.size()));
      copy<double>(queue, numbers, centers_.view());
    }
  }

  PrimitivesOnDevice primitives_;
  CellList<Faces> cells_;
  Array<double> centers_;     ///< [4 cells] m, for CentersIn::array
  Array<double> box_points_;  ///< [3 points] m, all x, then all y and all z; for BoxPointsIn::global and shared
  double cell_diagonal_ = 0;  ///< m
  Array<double> minimum_;     ///< [points] m², for MinimumIn::global
};

}  // namespace shoal::wall_distance
