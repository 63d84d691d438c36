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

__global__ void begin_parts(ConnectedParts parts, std::int64_t count) {
  const std::int64_t k = thread_index();
  if (k < count) parts.link[k] = static_cast<std::int32_t>(k);
}

/// Finds the neighbors of a primitive with area, and its normal. Returns false if the walls are not closed.
__device__ bool join_with_area(const SurfaceKernel& surface, std::int32_t k, PrimitiveNormals& normals) {
  bool is_closed = true;
  for (int slot = 0; slot < 3; ++slot) {
    if (surface.is_2d() && slot == 1) continue;
    const Side side = surface.side(k, slot);
    const OppositeSide opposite = surface.opposite_side(side);
    if (opposite.count != 1 || opposite.direction == side.direction) {
      is_closed = false;
      continue;
    }
    if (!surface.is_2d()) normals.neighbor[slot] = opposite.primitive;
    if (opposite.primitive < k) surface.parts.join(k, opposite.primitive);
  }
  normals.normal = surface.shapes.unit_normal(k);
  return is_closed && is_unit(normals.normal);
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

/// Joins each primitive with those beyond its edges.
/// @param faults  becomes 1 if the walls are not closed
__global__ void join_primitives(SurfaceKernel surface, std::int32_t* faults) {
  const std::int64_t i = thread_index();
  if (i >= surface.count) return;
  const auto k = static_cast<std::int32_t>(i);
  PrimitiveNormals normals;
  for (int slot = 0; slot < 3; ++slot) {
    normals.neighbor[slot] = k;
    normals.corner[slot] = surface.vertex[3 * k + slot];
  }
  bool is_closed;
  if (surface.has_area(k)) {
    is_closed = join_with_area(surface, k, normals);
  } else {
    std::int32_t link;
    is_closed = find_edge(surface, k, link);
    surface.parts.link[k] = link;
  }
  if (!is_closed) *faults = 1;
  surface.normals[k] = normals;
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

/// Sums of the weighted normals in the order of the corners.
__global__ void sum_normals(const OutwardNormal* weighted, const std::int32_t* start, std::int64_t vertices,
                            OutwardNormal* sums) {
  const std::int64_t v = thread_index();
  if (v >= vertices) return;
  OutwardNormal sum;
  const std::int32_t end = start[v + 1];
#pragma unroll 4
  for (std::int32_t i = start[v]; i < end; ++i) {
    sum.x += weighted[i].x;
    sum.y += weighted[i].y;
    sum.z += weighted[i].z;
  }
  sums[v] = sum;
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
void complete_normals(Scratch& scratch, const SurfaceKernel& surface, SurfaceOnDevice& result) {
  const Queue& queue = scratch.queue();
  ScratchFrame frame(scratch);
  const std::int64_t corners = 3 * static_cast<std::int64_t>(surface.count), vertices = result.vertex_normal.count();
  const auto weighted = frame.array<OutwardNormal>(corners);
  launch(queue, corners, weight_normals, surface, weighted.data);
  launch(queue, vertices, sum_normals, weighted.data, surface.start, vertices, result.vertex_normal.data());
  launch(queue, surface.count, add_edge_normals, surface);
}

}  // namespace

std::optional<SurfaceOnDevice> closed_surface_on_device(const Queue& queue, const PlanWalls& walls) {
  constexpr std::int64_t most_corners = std::numeric_limits<std::int32_t>::max();
  const PrimitiveArrays& primitives = walls.on_device();
  const std::int64_t count = walls.count(), faces = walls.mesh().faces;
  if (3 * count > most_corners) return {};
  Scratch scratch(queue);
  ScratchFrame frame(scratch);
  const SurfaceVertices vertices = find_vertices(scratch, frame, primitives);
  SurfaceOnDevice result{Array<std::int32_t>(queue, faces + 1), Array<PrimitiveNormals>(queue, count),
                         Array<OutwardNormal>(queue, vertices.count)};
  const SurfaceKernel surface{.shapes = {primitives.shape.data(), primitives.orientation.data(),
                                         surface_scale(vertices.largest_coordinate), walls.mesh().dimensions},
                              .count = static_cast<std::int32_t>(count),
                              .vertex = reinterpret_cast<const std::int32_t*>(vertices.vertex.data),
                              .corners = vertices.corners.data,
                              .start = vertices.start.data,
                              .normals = result.normals.data(),
                              .parts = {frame.array<std::int32_t>(count).data}};
  const auto faults = frame.array<std::int32_t>(1);
  fill_bytes(queue, faults.data, 0, sizeof(std::int32_t));
  launch(queue, count, begin_parts, surface.parts, count);
  launch(queue, count, join_primitives, surface, faults.data);
  launch(queue, faces + 1, find_first_primitives, primitives.face.data(), surface.count, faces, result.first.data());
  const auto shells = find_shells(scratch, walls, surface.shapes, surface.parts, faults.data);
  if (!shells) return {};
  const std::vector<std::uint8_t> is_reversed = reversed_bodies(*shells, walls.pose().size());
  if (misplaced_shell(*shells, is_reversed) != nullptr) return {};
  if (std::find(is_reversed.begin(), is_reversed.end(), 1) != is_reversed.end())
    launch(queue, count, reverse_normals, surface.normals, count, primitives.body.data(),
           to_device(queue, is_reversed).data());
  complete_normals(scratch, surface, result);
  return result;
}

}  // namespace shoal::wall_distance
