// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/wall_motion.hpp>
#include "wall_distance/cases/wall_cases.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace shoal::io::wall_motion {

namespace {

/// Returns the result of `work`. An Error from it gets the location in the case file as a prefix.
template <class Work>
auto at_place(const std::string& place, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(place + ": " + error.what());
  }
}

/// Returns the cells of an O-grid, with its innermost ring of faces as the marker.
MeshFile o_grid(const char* name, const char* wall, const wall_distance::OGridNodes& nodes) {
  MeshFile mesh;
  mesh.name = name;
  mesh.dimensions = 2;
  mesh.nodes.x = nodes.x;
  mesh.nodes.y = nodes.y;
  MeshMarker marker;
  marker.name = wall;
  for (std::int64_t i = 0; i < nodes.around; ++i) {
    marker.corners.insert(marker.corners.end(), {i, (i + 1) % nodes.around});
    marker.face_start.push_back(static_cast<std::int64_t>(marker.corners.size()));
  }
  mesh.markers.push_back(std::move(marker));
  for (std::int64_t j = 0; j + 1 < nodes.out; ++j)
    for (std::int64_t i = 0; i < nodes.around; ++i) {
      const std::int64_t next = (i + 1) % nodes.around, here = j * nodes.around, above = here + nodes.around;
      mesh.cell_shape.push_back(CellShape::quadrilateral);
      mesh.cell_corners.insert(mesh.cell_corners.end(), {here + i, here + next, above + next, above + i});
      mesh.cell_start.push_back(static_cast<std::int64_t>(mesh.cell_corners.size()));
    }
  return mesh;
}

MeshFile read_file(const Mesh& mesh) {
  MeshFileOptions options{.marker_array = mesh.marker_array};
  for (const std::string& wall : mesh.index_walls) options.index_walls.push_back(index_wall(wall));
  std::error_code ignored;
  require(!std::filesystem::is_directory(mesh.file, ignored) && mesh.file.extension() != ".foam", mesh.file.string(),
          ": this is a case of OpenFOAM, and a case takes a mesh in one file, which it stores with its output. Use ",
          "`shoal wall_distance`.");
  return read_mesh(mesh.file, options);
}

MeshFile make_mesh(const Mesh& mesh) {
  if (mesh.source == MeshSource::file) return read_file(mesh);
  if (mesh.around == Around::circle)
    return o_grid("circle", "circle", wall_distance::circle_nodes(mesh.points_around, mesh.points_out));
  return o_grid("naca0012", "airfoil", wall_distance::naca0012_nodes(mesh.points_around, mesh.points_out));
}

void add_round(const Body& body, WallMesh& walls) {
  const auto names = walls.wall_names;
  require(std::find(names.begin(), names.end(), body.name) == names.end(), "body \"", body.name,
          "\" has the name of a wall of the mesh. Choose another.");
  if (walls.dimensions == 2)
    return wall_distance::add_circle(walls, body.name, {body.center[0], body.center[1]}, body.radius, body.faces);
  const auto parallels = std::max<std::int64_t>(2, std::llround(std::sqrt(body.faces / 4.0)));
  wall_distance::add_sphere(walls, body.name, body.center, body.radius, 2 * parallels, parallels);
}

/// Returns an upper bound of the distance of a body's walls from its axis of rotation, m.
double reach_of(const Body& body, const Scene& scene, std::int32_t number) {
  double reach = 0;
  const WallMesh& walls = scene.walls;
  for (std::size_t f = 0; f < walls.wall.size(); ++f) {
    if (scene.body_of_wall[static_cast<std::size_t>(walls.wall[f])] != number) continue;
    for (std::int64_t k = walls.face_start[f]; k < walls.face_start[f + 1]; ++k) {
      const auto corner = static_cast<std::size_t>(walls.corners[static_cast<std::size_t>(k)]);
      const double z = walls.z.empty() ? 0 : walls.z[corner] - body.motion.about[2];
      reach = std::max(reach,
                       std::hypot(walls.x[corner] - body.motion.about[0], walls.y[corner] - body.motion.about[1], z));
    }
  }
  return reach;
}

}  // namespace

Scene make_scene(const Case& simulation) {
  const Mesh& mesh = simulation.mesh;
  Scene scene;
  at_place(mesh.place, [&] {
    scene.mesh = make_mesh(mesh);
    require(scene.mesh.dimensions == simulation.dimensions, scene.mesh.name, " has ", scene.mesh.dimensions,
            " dimensions, and the case ", simulation.dimensions, ". Say dimensions = ", scene.mesh.dimensions, ".");
    scene.walls = scene.mesh.walls(mesh.walls);
    scene.points = mesh.points == MeshPart::nodes ? scene.mesh.nodes : scene.mesh.cell_centers(mesh.center);
  });
  for (const Body& body : simulation.bodies)
    if (body.shape == Shape::round) at_place(body.place, [&] { add_round(body, scene.walls); });
  scene.body_of_wall.assign(scene.walls.wall_names.size(), -1);
  for (const Body& body : simulation.bodies) {
    const auto number = static_cast<std::int32_t>(scene.bodies.size());
    const std::vector<std::string> walls = body.shape == Shape::round ? std::vector{body.name} : body.walls;
    at_place(body.place, [&] {
      for (const std::string& wall : walls) {
        std::int32_t& owner = scene.body_of_wall[static_cast<std::size_t>(scene.walls.wall_number(wall))];
        require(owner < 0, "wall \"", wall, "\" belongs to another body already.");
        owner = number;
      }
    });
    scene.bodies.push_back({body.name, walls});
  }
  return scene;
}

WallDistance open_plan(const Queue& queue, const Case& simulation, const Scene& scene) {
  constexpr double steps = 4;  // number of steps for which a certificate should hold
  double speed = 0;
  for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
    const double reach = reach_of(simulation.bodies[i], scene, static_cast<std::int32_t>(i));
    speed = std::max(speed, simulation.bodies[i].motion.max_speed(reach));
  }
  WallDistanceOptions options;
  options.method = simulation.method;
  options.bodies = scene.bodies;
  options.motion = steps * speed * simulation.step;
  return {queue, scene.walls, options};
}

}  // namespace shoal::io::wall_motion
