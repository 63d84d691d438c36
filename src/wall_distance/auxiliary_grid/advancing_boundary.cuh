// SPDX-License-Identifier: Apache-2.0
// Kernel and search of the variations of the paper's advancing boundary.
#pragma once
#include "wall_distance/auxiliary_grid/cell_faces.cuh"

namespace shoal::wall_distance {

constexpr int advancing_boundary_threads = 256;  ///< threads of a block
constexpr int advancing_boundary_blocks = 2;     ///< least blocks on a multiprocessor

/// Memory in which a thread keeps its point.
enum class PointIn { global, registers, shared };

/// A query point that is read from global memory at every use.
struct GlobalQuery {
  const WallQueries& queries;
  std::int64_t i;
  const DevicePrimitives& primitives;

  __device__ double squared(const BoundingSphere<double>& sphere) const {
    const auto coordinate = [this](const View<const double>& axis) {
      return axis.data != nullptr ? *static_cast<const volatile double*>(axis.data + i * axis.stride) : 0;
    };
    const DoubleDoubleVector point{
        {coordinate(queries.points.x), 0}, {coordinate(queries.points.y), 0}, {coordinate(queries.points.z), 0}};
    return SphereQuery<double>(point, primitives.origin, primitives.rotation_error).squared(sphere);
  }
};

/// A query point of this thread in shared memory.
struct SharedQuery {
  const double *x, *y, *z;

  __device__ explicit SharedQuery(const SphereQuery<double>& query) {
    __shared__ double coordinates[3 * advancing_boundary_threads];
    double* thread_coordinates = coordinates + threadIdx.x;
    thread_coordinates[0] = query.x;
    thread_coordinates[advancing_boundary_threads] = query.y;
    thread_coordinates[2 * advancing_boundary_threads] = query.z;
    x = thread_coordinates;
    y = thread_coordinates + advancing_boundary_threads;
    z = thread_coordinates + 2 * advancing_boundary_threads;
  }
  __device__ double squared(const BoundingSphere<double>& sphere) const {
    const double along_x = *x - sphere.x, along_y = *y - sphere.y, along_z = *z - sphere.z;
    return fma(along_x, along_x, fma(along_y, along_y, along_z * along_z));
  }
};

/// Visits the list of cells three times for one point: for a radius that contains all of a cell, for the nearest face
/// center within it, and for the faces that may be nearer.
template <class Faces, class CellSpheresIn, class Query>
__device__ void visit_cells(const WallQueries& queries, const DevicePrimitives& primitives,
                            const SphereArrays<double>& all_spheres, const CellSpheresIn& cells, std::int64_t i,
                            bool has_point, const SphereQuery<double>& bounds, const Query& query) {
  constexpr SphereStride every{0, 1};
  const DeviceCell<Faces>* list = cells.layout.cells;
  double whole_cell = infinite_distance<double>;  // m, radius that contains all faces of some cell
  cells.visit(query, every, [&](std::int32_t, double squared, double cell_radius) {
    whole_cell = min(fast_sqrt(squared) + cell_radius, whole_cell);
  });
  double search_radius = bounds.search_radius(whole_cell * whole_cell);
  double least = infinite_distance<double>;
  cells.visit(query, every, [&](std::int32_t c, double squared, double cell_radius) {
    if (!has_point || !may_be_nearest(squared, cell_radius, search_radius)) return;
    list[c].faces.visit(list[c].count, all_spheres, [&](const BoundingSphere<double>& sphere, std::int32_t) {
      least = min(query.squared(sphere), least);
    });
  });
  search_radius = min(bounds.search_radius(least), search_radius);
  NearestPrimitive nearest;
  const DoubleDoubleVector point = has_point ? queries.point(i) : DoubleDoubleVector{};
  cells.visit(query, every, [&](std::int32_t c, double squared, double cell_radius) {
    if (!has_point || !may_be_nearest(squared, cell_radius, search_radius)) return;
    list[c].faces.visit(list[c].count, all_spheres, [&](const BoundingSphere<double>& sphere, std::int32_t primitive) {
      if (may_be_nearest(query.squared(sphere), sphere.radius, search_radius))
        primitives.test(queries, point, primitive, nearest);
    });
  });
  if (has_point) primitives.write(queries, i, point, nearest);
}

/// One thread for each point.
template <class Faces, class CellSpheresIn, PointIn point_in>
__global__ void __launch_bounds__(advancing_boundary_threads, advancing_boundary_blocks)
    advance(WallQueries queries, DevicePrimitives primitives, SphereArrays<double> all_spheres, CellSpheresIn cells) {
  const std::int64_t i = thread_index();
  const bool has_point = i < queries.count() && queries.accept(i, queries.point(i));
  if (!CellSpheresIn::whole_blocks && !has_point) return;
  const SphereQuery<double> query(has_point ? queries.point(i) : DoubleDoubleVector{}, primitives.origin,
                                  primitives.rotation_error);
  if constexpr (point_in == PointIn::global)
    visit_cells<Faces>(queries, primitives, all_spheres, cells, i, has_point, query,
                       GlobalQuery{queries, i, primitives});
  else if constexpr (point_in == PointIn::shared)
    visit_cells<Faces>(queries, primitives, all_spheres, cells, i, has_point, query, SharedQuery(query));
  else
    visit_cells<Faces>(queries, primitives, all_spheres, cells, i, has_point, query, query);
}

template <class Faces, template <class...> class CellsIn, PointIn point_in>
class AdvancingBoundarySearch : public WallDistanceSearch {
  using Spheres = CellsIn<CellSpheres<Faces>>;

 public:
  AdvancingBoundarySearch(const Queue& queue, const WallPrimitives& primitives)
      : primitives_(queue, primitives), cells_(queue, 0), memory_(queue) {}

  void find(const WallQueries& queries) override {
    const DevicePrimitives primitives = primitives_.view();
    const AuxiliaryUse use{primitives_.host().pose, queries.body};
    if (!(use_ == use)) {
      make_cells(primitives.origin, queries.body);
      use_ = use;
    }
    const SphereArrays<double> all_spheres(memory_.numbers.data(), primitives.count);
    const Spheres spheres{{cells_.data()}, static_cast<std::int32_t>(cells_.count())};
    launch<advancing_boundary_threads>(primitives_.queue(), queries.count(), advance<Faces, Spheres, point_in>, queries,
                                       primitives, all_spheres, spheres);
  }

  void refit() override {
    primitives_.reshape();
    use_ = {};
  }
  std::int64_t bytes() const override { return primitives_.bytes() + cells_.bytes() + memory_.bytes(); }

 private:
  void make_cells(const double* origin, std::int32_t body) {
    const WallPrimitives& primitives = primitives_.host();
    const AuxiliaryGrid grid(primitives, origin, body, Faces::most);
    Faces::resize(memory_, primitives.count());
    std::vector<DeviceCell<Faces>> cells(grid.cells.size());
    std::int64_t before = 0;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const AuxiliaryCell& cell = grid.cells[c];
      cells[c].sphere = cell.sphere;
      cells[c].count = static_cast<std::int32_t>(cell.primitives.size());
      cells[c].faces.put({cell.primitives, before, grid.spheres}, memory_);
      before += cells[c].count;
    }
    memory_.upload(primitives_.queue());
    cells_.resize(static_cast<std::int64_t>(cells.size()));
    copy<DeviceCell<Faces>>(primitives_.queue(), cells, cells_.view());
  }

  PrimitivesOnDevice primitives_;
  Array<DeviceCell<Faces>> cells_;
  FaceMemory memory_;
  AuxiliaryUse use_;  ///< poses and body for which the cells were made
};

/// Memory from which a thread reads the spheres of cells.
template <class Spheres>
using CellsInGlobal = GlobalSpheres<Spheres>;
template <class Spheres>
using CellsInShared = SharedSpheres<Spheres, InterleavedSpheres<double>>;

template <class Faces, template <class...> class CellsIn, PointIn point_in>
std::unique_ptr<WallDistanceSearch> open_advancing_boundary(const Queue& queue, const WallPrimitives& primitives,
                                                            double) {
  return std::make_unique<AdvancingBoundarySearch<Faces, CellsIn, point_in>>(queue, primitives);
}

}  // namespace shoal::wall_distance
