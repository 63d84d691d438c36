// SPDX-License-Identifier: Apache-2.0
// Signs of every device are those of the CPU, and so are its errors.
#include "wall_distance/signs/surface_meshes.hpp"

namespace shoal::wall_distance {
namespace {

using namespace testing_support;

class SignBits : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(AllDevices, SignBits, every_device, device_test_name);

/// Distances and gradients at the points of a mesh, where normals of vertices are the gradients, and around it.
std::vector<std::vector<double>> signed_results(const Queue& queue, const NamedSurface& surface) {
  WallDistanceOptions options = surface.options;
  options.signs = true;
  WallDistance walls(queue, surface.mesh, options);
  WallCase about = with_points_within(surface.mesh, 500, 1.5);
  for (const auto& [points, coordinates] : {std::pair(&about.x, &surface.mesh.x), std::pair(&about.y, &surface.mesh.y),
                                            std::pair(&about.z, &surface.mesh.z)})
    points->insert(points->end(), coordinates->begin(), coordinates->end());
  const std::int64_t n = about.point_count();
  const bool is_3d = surface.mesh.dimensions == 3;
  const Array<double> x = to_device(queue, about.x), y = to_device(queue, about.y), z = to_device(queue, about.z);
  Array<double> distance(queue, n), along_x(queue, n), along_y(queue, n), along_z(queue, is_3d ? n : 0);
  WallDistanceOutputs out{.distance = distance, .gradient_x = along_x, .gradient_y = along_y};
  if (is_3d) out.gradient_z = along_z;
  is_3d ? walls.find(x, y, z, out) : walls.find(x, y, out);
  return {to_host(queue, distance), to_host(queue, along_x), to_host(queue, along_y), to_host(queue, along_z)};
}

TEST_P(SignBits, AreThoseOfTheCpu) {
  for (const NamedSurface& surface : closed_surfaces())
    EXPECT_TRUE(signed_results(queue(), surface) == signed_results(Queue::cpu(1), surface)) << surface.name;
}

TEST_P(SignBits, RefusalsAreThoseOfTheCpu) {
  for (NamedSurface& surface : refused_surfaces()) {
    surface.options.signs = true;
    const auto refusal = [&](const Queue& on) {
      return message_of([&] { WallDistance(on, surface.mesh, surface.options); });
    };
    EXPECT_EQ(refusal(queue()), refusal(Queue::cpu(1))) << surface.name;
    EXPECT_NE(refusal(queue()), "no error") << surface.name;
  }
}

TEST_P(SignBits, ARefitThatCannotBeTakenLeavesThePlanAsItWas) {
  const WallMesh mesh = box(0, 4);
  const Queue on = queue();
  WallDistance walls(on, mesh, {.signs = true});
  const std::vector<double> flat(mesh.x.size(), 1.0);
  EXPECT_EQ(message_of([&] { walls.refit(mesh.x, mesh.y, flat); }),
            message_of([&] { WallDistance(Queue::cpu(1), mesh, {.signs = true}).refit(mesh.x, mesh.y, flat); }));
  EXPECT_EQ(answers(on, walls, {mesh, {1, 5}, {2, 2}, {2, 2}}).distance, (std::vector<double>{-1, 1}));
  std::vector<double> wider = mesh.x;
  for (double& along : wider) along *= 2;
  walls.refit(wider, mesh.y, mesh.z);
  EXPECT_EQ(answers(on, walls, {mesh, {1, 5}, {2, 2}, {2, 2}}).distance, (std::vector<double>{-1, -2}));
}

}  // namespace
}  // namespace shoal::wall_distance
