// SPDX-License-Identifier: Apache-2.0
#include <shoal/wall_distance.hpp>

#include "c/c_status.hpp"

struct shoal_wall_distance {
  shoal::Queue queue;
  int dimensions;
  shoal::WallDistance walls;
};

namespace shoal::c {

namespace {

WallMesh mesh_of(int dimensions, std::int64_t points, const double* position, std::int64_t faces,
                 const std::int64_t* face_start, const std::int64_t* corners) {
  require(dimensions == 2 || dimensions == 3, "c: dimensions is ", dimensions, ", expected 2 or 3.");
  require_array(position, points, "position");
  require_array(face_start, faces < 0 ? faces : faces + 1, "face_start");
  WallMesh mesh{.dimensions = dimensions};
  for (std::int64_t i = 0; i < points; ++i) {
    const double* const point = position + i * dimensions;
    mesh.add_point(point[0], point[1], dimensions == 3 ? point[2] : 0);
  }
  const std::int32_t wall = mesh.add_wall("wall");
  for (std::int64_t face = 0; face < faces; ++face)
    require(face_start[face] >= 0 && face_start[face] <= face_start[face + 1], "c: face ", face, " begins at corner ",
            face_start[face], " and ends at ", face_start[face + 1], ", expected offsets that do not decrease.");
  require_array(corners, faces > 0 ? face_start[faces] : 0, "corners");
  for (std::int64_t face = 0; face < faces; ++face)
    mesh.add_face({corners + face_start[face], corners + face_start[face + 1]}, wall);
  return mesh;
}

WallDistanceOptions options_of(int inside) {
  switch (inside) {
    case SHOAL_UNSIGNED:
      return {};
    case SHOAL_INSIDE_CLOSED:
      return {.signs = true, .inside = WallInside::closed};
    case SHOAL_INSIDE_WINDING_NUMBER:
      return {.signs = true, .inside = WallInside::winding_number};
    default:
      throw Error(text("c: inside is ", inside,
                       ", expected 0 (SHOAL_UNSIGNED), 1 (SHOAL_INSIDE_CLOSED) or 2 (SHOAL_INSIDE_WINDING_NUMBER)."));
  }
}

}  // namespace

}  // namespace shoal::c

using namespace shoal::c;

int shoal_wall_distance_create(int dimensions, int64_t points, const double* position, int64_t faces,
                               const int64_t* face_start, const int64_t* corners, int inside, int threads,
                               shoal_wall_distance** plan) {
  return status_of([&] {
    require_array(plan, 1, "plan");
    *plan = nullptr;
    const shoal::Queue queue = shoal::Queue::cpu(threads);
    const shoal::WallMesh mesh = mesh_of(dimensions, points, position, faces, face_start, corners);
    *plan = new shoal_wall_distance{queue, dimensions, shoal::WallDistance(queue, mesh, options_of(inside))};
  });
}

int shoal_wall_distance_find(shoal_wall_distance* plan, int64_t count, const double* position, double* distance,
                             int64_t* face, double* nearest) {
  return status_of([&] {
    require_plan(plan);
    require_array(position, count, "position");
    require_array(distance, count, "distance");
    const int dimensions = plan->dimensions;
    const auto axis = [&](int k) { return along(position, count, k, dimensions); };
    shoal::WallDistanceOutputs out{.distance = {distance, count}};
    if (face) out.face = {face, count};
    out.x = along(nearest, count, 0, dimensions);
    out.y = along(nearest, count, 1, dimensions);
    out.z = along(nearest, count, 2, dimensions);
    if (dimensions == 3)
      plan->walls.find(axis(0), axis(1), axis(2), out);
    else
      plan->walls.find(axis(0), axis(1), out);
    plan->queue.wait();
  });
}

int shoal_wall_distance_refit(shoal_wall_distance* plan, int64_t points, const double* position) {
  return status_of([&] {
    require_plan(plan);
    require_array(position, points, "position");
    const auto axis = [&](int k) { return along(position, points, k, plan->dimensions); };
    if (plan->dimensions == 3)
      plan->walls.refit(axis(0), axis(1), axis(2));
    else
      plan->walls.refit(axis(0), axis(1));
    plan->queue.wait();
  });
}

void shoal_wall_distance_destroy(shoal_wall_distance* plan) { delete plan; }
