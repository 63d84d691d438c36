// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/closed_surface.hpp>
#include <shoal/io/mesh_file.hpp>
#include <shoal/io/points_file.hpp>
#include <shoal/wall_distance.hpp>

#include <algorithm>

#include "core/text.hpp"
#include "io/case/motions/motion_file.hpp"
#include "io/case/shapes/case_shape.hpp"
#include "wall_distance/signs/unclosed_walls.hpp"

namespace shoal::io {

namespace {

using sph::Vector;

/// Closed surface mesh. The sign of the wall distance decides if a point is inside.
class MeshSurface final : public sph::ClosedSurface {
 public:
  explicit MeshSurface(WallMesh mesh) : mesh_(std::move(mesh)) {}

  int dimensions() const override { return mesh_.dimensions; }

  sph::Box bounds() const override {
    sph::Box box;
    const std::vector<double>* axes[] = {&mesh_.x, &mesh_.y, &mesh_.z};
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(mesh_.dimensions); ++axis) {
      const auto [least, most] = std::minmax_element(axes[axis]->begin(), axes[axis]->end());
      box.from[axis] = *least;
      box.to[axis] = *most;
    }
    return box;
  }

  std::vector<std::uint8_t> inside(const Queue& queue, const std::vector<Vector>& points) const override {
    WallDistance walls(queue, mesh_, {.signs = true});
    Array<double> coordinate[3], distance(queue, static_cast<std::int64_t>(points.size()));
    std::vector<double> values(points.size());
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(mesh_.dimensions); ++axis) {
      std::transform(points.begin(), points.end(), values.begin(), [axis](const Vector& p) { return p[axis]; });
      coordinate[axis] = to_device(queue, values);
    }
    if (mesh_.dimensions == 2)
      walls.find(coordinate[0], coordinate[1], {.distance = distance});
    else
      walls.find(coordinate[0], coordinate[1], coordinate[2], {.distance = distance});
    queue.wait();
    values = to_host(queue, distance);
    std::vector<std::uint8_t> flags(points.size());
    std::transform(values.begin(), values.end(), flags.begin(), [](double d) { return d <= 0; });
    return flags;
  }

 private:
  WallMesh mesh_;
};

/// Requires that a surface mesh is closed.
/// @throws Error  the surface has open edges
void require_closed(const WallMesh& mesh, const std::string& file) {
  try {
    WallDistance(Queue::cpu(), mesh, {.signs = true});
  } catch (const OutOfMemory&) {
    throw;
  } catch (const wall_distance::UnclosedWalls& error) {
    throw Error(text(file, ": this surface encloses nothing: ", error.surface_message()));
  } catch (const Error& error) {
    throw Error(text(file, ": ", error.what()));
  }
}

std::string absolute(const std::filesystem::path& folder, const std::string& file) {
  return std::filesystem::absolute(folder / file).lexically_normal().string();
}

sph::ParticleList read_particles(const sph::ParticleFile& from, int dimensions) {
  const auto axes = static_cast<std::size_t>(dimensions);
  require(from.velocity.empty() || from.velocity.size() == axes, from.file, ": particles.velocity names ",
          from.velocity.size(), " columns, expected ", dimensions, ", one an axis.");
  const PointsFile points = read_points(from.file, {.coordinates = from.coordinates, .values = from.velocity});
  require(points.dimensions >= dimensions, from.file, ": its points have ", points.dimensions,
          " dimensions, and the case ", dimensions, ".");
  sph::ParticleList particles;
  particles.position.resize(points.x.size());
  particles.velocity.resize(from.velocity.empty() ? 0 : points.x.size());
  const std::vector<double>* coordinates[] = {&points.x, &points.y, &points.z};
  for (std::size_t axis = 0; axis < axes; ++axis)
    for (std::size_t i = 0; i < particles.position.size(); ++i) {
      particles.position[i][axis] = (*coordinates[axis])[i];
      if (!from.velocity.empty()) particles.velocity[i][axis] = points.values.at(from.velocity[axis])[i];
    }
  return particles;
}

}  // namespace

std::shared_ptr<const sph::ClosedSurface> closed_surface(const std::filesystem::path& file, double scale,
                                                         const Vector& move) {
  const MeshFile surface = read_mesh(file);
  std::vector<std::string> markers;
  for (const MeshMarker& marker : surface.markers) markers.push_back(marker.name);
  WallMesh mesh = surface.walls(markers);
  std::vector<double>* axes[] = {&mesh.x, &mesh.y, &mesh.z};
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (double& value : *axes[axis]) value = scale * value + move[axis];
  require_closed(mesh, file.string());
  return std::make_shared<MeshSurface>(std::move(mesh));
}

void read_geometry(sph::Case& simulation, const std::filesystem::path& folder) {
  const auto read_surface = [&](sph::Shape& shape) {
    if (shape.surface) return;
    shape.file = absolute(folder, shape.file);
    shape.surface = closed_surface(shape.file, shape.scale, shape.move);
  };
  for (sph::Body& body : simulation.bodies) {
    if (body.shape) for_each_surface(*body.shape, read_surface);
    if (body.particle_file.file.empty() || body.particles) continue;
    body.particle_file.file = absolute(folder, body.particle_file.file);
    body.particles =
        std::make_shared<const sph::ParticleList>(read_particles(body.particle_file, simulation.dimensions));
  }
  for (sph::Wall& wall : simulation.walls) {
    if (wall.shape) for_each_surface(*wall.shape, read_surface);
    read_motion(wall.motion, folder);
  }
  for (sph::WallMotion& added : simulation.motions) read_motion(added.motion, folder);
}

}  // namespace shoal::io
