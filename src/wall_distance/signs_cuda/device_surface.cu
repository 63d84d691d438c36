// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/signs_cuda/device_surface.hpp"

#include <algorithm>
#include <limits>

#include "wall_distance/signs/surface_item.hpp"
#include "wall_distance/signs_cuda/surface_shells.cuh"
#include "wall_distance/signs_cuda/surface_vertices.cuh"

namespace shoal::wall_distance {

namespace {

/// One side of an edge, as in surface_edges(): the edge from vertex a to b (in 2-D: a = b), and how a primitive passes it.
struct Side {
  std::int32_t a, b, primitive;
  int direction;
};

/// Side of another primitive with area at the same edge.
struct OppositeSide {
  std::int32_t primitive = -1;
  int direction = 0, count = 0;  ///< count: number of such sides; 2: two or more
};

/// A surface in kernel arguments.
struct SurfaceKernel {
  SurfaceShapes shapes;
  std::int32_t count;          ///< number of primitives
  const std::int32_t* vertex;  ///< see SurfaceVertices
  const std::int32_t* corners;
  const std::int32_t* start;
  PrimitiveNormals* normals;
  ConnectedParts parts;  ///< without area: −1, or −2 − the number of a primitive whose edge contains this one

  __device__ bool is_2d() const { return shapes.dimensions == 2; }
  __device__ bool has_area(std::int32_t k) const { return wall_distance::has_area(shapes.dimensions, vertex + 3 * k); }
  __device__ std::int32_t degree(std::int32_t v) const { return start[v + 1] - start[v]; }

  /// Side at the edge number `slot` of PrimitiveNormals::neighbor.
  __device__ Side side(std::int32_t k, int slot) const {
    const std::int32_t* const corner = vertex + 3 * k;
    const int orientation = shapes.orientation[k];
    if (is_2d()) return {corner[slot], corner[slot], k, slot == 0 ? orientation : -orientation};
    return {corner[slot == 2 ? 1 : 0], corner[slot == 0 ? 1 : 2], k, slot == 1 ? -orientation : orientation};
  }

  /// Searches the corners of the vertex with fewer of them.
  __device__ OppositeSide opposite_side(const Side& edge) const {
    OppositeSide opposite;
    const std::int32_t end = degree(edge.b) < degree(edge.a) ? edge.b : edge.a;
    for (std::int32_t i = start[end]; i < start[end + 1] && opposite.count < 2; ++i) {
      const std::int32_t k = corners[i] / 3;
      const int corner = corners[i] % 3;
      if (k == edge.primitive || !has_area(k)) continue;
      if (is_2d()) {
        if (corner != 1) opposite = {k, side(k, corner).direction, opposite.count + 1};  // corners 1 and 2 are the same
        continue;
      }
      for (int slot = 0; slot < 3; ++slot) {
        const Side candidate = side(k, slot);
        if (candidate.a == edge.a && candidate.b == edge.b) opposite = {k, candidate.direction, opposite.count + 1};
      }
    }
    return opposite;
  }

  __device__ bool has_primitive_with_area(std::int32_t v) const {
    for (std::int32_t i = start[v]; i < start[v + 1]; ++i)
      if (has_area(corners[i] / 3)) return true;
    return false;
  }
};

/// Writes what a primitive needs to be joined to others: its normal, and a part of its own.
__global__ void begin_primitives(SurfaceKernel surface, SurfaceReport* report) {
  const std::int64_t i = thread_index();
  if (i >= surface.count) return;
  const auto k = static_cast<std::int32_t>(i);
  OutwardNormal normal;
  if (surface.has_area(k)) {
    normal = surface.shapes.unit_normal(k);
    if (!is_unit(normal)) report->faults = 1;
  }
  surface.normals[k].normal = normal;
  surface.parts.link[k] = k;
}

/// Link of a primitive without area, which stands for an edge of primitives with area if its corners differ. Returns false
/// if there are none.
__device__ bool find_edge(const SurfaceKernel& surface, std::int32_t k, std::int32_t& link) {
  const std::int32_t a = surface.vertex[3 * k], b = surface.vertex[3 * k + 2];
  link = -1;
  if (a == b) return surface.has_primitive_with_area(a);
  const OppositeSide owner = surface.opposite_side({a, b, k, 0});
  link = -2 - owner.primitive;
  return owner.count > 0;
}

/// Joins a primitive with area to the one beyond an edge. Returns the latter, or −1 if the walls are not closed.
__device__ std::int32_t join_at_edge(const SurfaceKernel& surface, std::int32_t k, int slot) {
  if (surface.is_2d() && slot == 1) return k;  // no end
  const Side side = surface.side(k, slot);
  const OppositeSide opposite = surface.opposite_side(side);
  if (opposite.count != 1 || opposite.direction == side.direction) return -1;
  if (opposite.primitive < k) surface.parts.join(k, opposite.primitive);
  return surface.is_2d() ? k : opposite.primitive;
}

/// Joins all primitives, with a thread for each corner and for the edge of the same number.
__global__ void join_primitives(SurfaceKernel surface, SurfaceReport* report) {
  const std::int64_t i = thread_index();
  if (i >= 3 * static_cast<std::int64_t>(surface.count)) return;
  const auto k = static_cast<std::int32_t>(i / 3);
  const auto slot = static_cast<int>(i % 3);
  surface.normals[k].corner[slot] = surface.vertex[i];
  std::int32_t neighbor = k;
  if (surface.has_area(k)) {
    neighbor = join_at_edge(surface, k, slot);
    if (neighbor < 0) report->faults = 1;
  } else if (slot == 0) {
    if (!find_edge(surface, k, surface.parts.link[k])) report->faults = 1;
  }
  surface.normals[k].neighbor[slot] = neighbor;
}

__global__ void reverse_normals(PrimitiveNormals* normals, std::int64_t count, const std::int32_t* body,
                                const std::uint8_t* is_reversed) {
  const std::int64_t k = thread_index();
  if (k < count && is_reversed[body[k]] != 0) reverse(normals[k].normal);
}

/// Weighted normals of the corners, vertex after vertex.
__global__ void weight_normals(SurfaceKernel surface, OutwardNormal* weighted) {
  const std::int64_t i = thread_index();
  if (i >= 3 * static_cast<std::int64_t>(surface.count)) return;
  const std::int32_t k = surface.corners[i] / 3;
  const int corner = surface.corners[i] % 3;
  OutwardNormal normal;
  const bool is_stored_twice = surface.is_2d() && corner == 1;
  if (surface.has_area(k) && !is_stored_twice) add(normal, surface.shapes.weight(k, corner), surface.normals[k].normal);
  weighted[i] = normal;
}

/// Sums of the weighted normals in the order of the corners. Lists vertices with many corners instead.
__global__ void sum_normals(const OutwardNormal* weighted, const std::int32_t* start, std::int64_t vertices,
                            OutwardNormal* sums, std::int32_t* crowded, SurfaceReport* report) {
  const std::int64_t v = thread_index();
  if (v >= vertices) return;
  const std::int32_t begin = start[v], end = start[v + 1];
  if (end - begin > SurfaceMemory::crowded_corners) {
    crowded[atomicAdd(&report->crowded, 1)] = static_cast<std::int32_t>(v);
    return;
  }
  OutwardNormal sum;
  for (std::int32_t i = begin; i < end; ++i) {
    sum.x += weighted[i].x;
    sum.y += weighted[i].y;
    sum.z += weighted[i].z;
  }
  sums[v] = sum;
}

constexpr int crowded_threads = 128;  ///< threads of a block that sums normals of vertices with many corners

/// The same sums of vertices with many corners. A block reads the normals, and three threads add their components.
__global__ void __launch_bounds__(crowded_threads)
    sum_crowded_normals(const OutwardNormal* weighted, const std::int32_t* start, OutwardNormal* sums,
                        const std::int32_t* crowded, const SurfaceReport* report) {
  __shared__ double component[3][crowded_threads];
  const auto thread = static_cast<std::int32_t>(threadIdx.x);
  for (auto vertex = static_cast<std::int32_t>(blockIdx.x); vertex < report->crowded;
       vertex += static_cast<std::int32_t>(gridDim.x)) {
    const std::int32_t v = crowded[vertex], end = start[v + 1];
    double sum = 0;
    for (std::int32_t begin = start[v]; begin < end; begin += crowded_threads) {
      const std::int32_t count = ::min(crowded_threads, end - begin);
      __syncthreads();
      if (thread < count) {
        const OutwardNormal normal = weighted[begin + thread];
        component[0][thread] = normal.x;
        component[1][thread] = normal.y;
        component[2][thread] = normal.z;
      }
      __syncthreads();
      for (std::int32_t i = 0; thread < 3 && i < count; ++i) sum += component[thread][i];
    }
    if (thread == 0) sums[v].x = sum;
    if (thread == 1) sums[v].y = sum;
    if (thread == 2) sums[v].z = sum;
  }
}

/// Normals of primitives without area between different vertices: the sums of those at their edges.
__global__ void add_edge_normals(SurfaceKernel surface) {
  const std::int64_t i = thread_index();
  if (i >= surface.count || surface.parts.link[i] > -2) return;
  const auto k = static_cast<std::int32_t>(i);
  const std::int32_t owner = -2 - surface.parts.link[k];
  for (int slot = 0; slot < 3; ++slot) {
    const Side side = surface.side(owner, slot);
    if (side.a != surface.vertex[3 * k] || side.b != surface.vertex[3 * k + 2]) continue;
    OutwardNormal sum = surface.normals[owner].normal;
    add(sum, 1, surface.normals[surface.normals[owner].neighbor[slot]].normal);
    surface.normals[k].normal = sum;
  }
}

/// First primitive of each face, and the number of primitives: see first_primitives().
__global__ void find_first_primitives(const std::int64_t* face, std::int32_t primitives, std::int64_t faces,
                                      std::int32_t* first) {
  const std::int64_t number = thread_index();
  if (number > faces) return;
  std::int32_t low = 0, high = primitives;
  while (low < high) {
    const std::int32_t middle = low + (high - low) / 2;
    if (face[middle] < number)
      low = middle + 1;
    else
      high = middle;
  }
  first[number] = low;
}

/// The normals of vertices and of primitives without area, from those of primitives with area.
void complete_normals(const Queue& queue, const SurfaceMemory& memory, const SurfaceKernel& surface,
                      SurfaceOnDevice& result) {
  const std::int64_t corners = 3 * static_cast<std::int64_t>(surface.count), vertices = result.vertex_normal.count();
  OutwardNormal* const sums = result.vertex_normal.data();
  launch(queue, corners, weight_normals, surface, memory.weighted);
  launch(queue, vertices, sum_normals, memory.weighted, surface.start, vertices, sums, memory.crowded, memory.report);
  const std::int64_t most_crowded = std::min<std::int64_t>(corners / SurfaceMemory::crowded_corners, 1024);
  launch<crowded_threads>(queue, most_crowded * crowded_threads, sum_crowded_normals, memory.weighted, surface.start,
                          sums, memory.crowded, memory.report);
  launch(queue, surface.count, add_edge_normals, surface);
}

}  // namespace

std::optional<SurfaceOnDevice> closed_surface_on_device(const Queue& queue, const PlanWalls& walls) {
  constexpr std::int64_t most_corners = std::numeric_limits<std::int32_t>::max();
  const PrimitiveArrays& primitives = walls.on_device();
  const std::int64_t count = walls.count(), faces = walls.mesh().faces;
  if (3 * count > most_corners) return {};
  const SurfaceMemory memory(queue, count);
  Scratch scratch(queue);
  const SurfaceVertices vertices = find_vertices(scratch, memory, primitives);
  SurfaceOnDevice result{Array<std::int32_t>(queue, faces + 1), Array<PrimitiveNormals>(queue, count),
                         Array<OutwardNormal>(queue, vertices.count)};
  const SurfaceKernel surface{.shapes = {primitives.shape.data(), primitives.orientation.data(),
                                         surface_scale(vertices.largest_coordinate), walls.mesh().dimensions},
                              .count = static_cast<std::int32_t>(count),
                              .vertex = reinterpret_cast<const std::int32_t*>(memory.vertex),
                              .corners = memory.corners,
                              .start = memory.start,
                              .normals = result.normals.data(),
                              .parts = {memory.link}};
  launch(queue, count, begin_primitives, surface, memory.report);
  launch(queue, 3 * count, join_primitives, surface, memory.report);
  launch(queue, faces + 1, find_first_primitives, primitives.face.data(), surface.count, faces, result.first.data());
  const auto shells = find_shells(queue, memory, walls, surface.shapes);
  if (!shells) return {};
  const std::vector<std::uint8_t> is_reversed = reversed_bodies(*shells, walls.pose().size());
  if (misplaced_shell(*shells, is_reversed) != nullptr) return {};
  if (std::find(is_reversed.begin(), is_reversed.end(), 1) != is_reversed.end())
    launch(queue, count, reverse_normals, surface.normals, count, primitives.body.data(),
           to_device(queue, is_reversed).data());
  complete_normals(queue, memory, surface, result);
  return result;
}

}  // namespace shoal::wall_distance
