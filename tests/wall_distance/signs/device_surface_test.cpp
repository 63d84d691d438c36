// SPDX-License-Identifier: Apache-2.0
// Pseudonormals of closed walls that a GPU computes.
#include "wall_distance/signs_cuda/device_surface.hpp"

#include "wall_distance/signs/closed_surface.hpp"
#include "wall_distance/signs/surface_meshes.hpp"

namespace shoal::wall_distance {
namespace {

using namespace testing_support;

class DeviceSurface : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(Cuda, DeviceSurface, testing::Values(DeviceKind::cuda), device_test_name);

std::unique_ptr<PlanWalls> walls_of(const Queue& queue, const NamedSurface& surface) {
  return WallsBackend::cuda.open(queue, surface.mesh, surface.options);
}

std::array<std::uint64_t, 3> bits(const OutwardNormal& normal) {
  return {std::bit_cast<std::uint64_t>(normal.x), std::bit_cast<std::uint64_t>(normal.y),
          std::bit_cast<std::uint64_t>(normal.z)};
}

TEST_P(DeviceSurface, HasTheBitsOfTheHost) {
  const Queue on = queue();
  for (const NamedSurface& surface : closed_surfaces()) {
    SCOPED_TRACE(surface.name);
    const std::unique_ptr<PlanWalls> walls = walls_of(on, surface);
    const std::optional<SurfaceOnDevice> result = closed_surface_on_device(on, *walls);
    ASSERT_TRUE(result) << "left to the host";
    const ClosedSurface expected = closed_surface(walls->mesh(), walls->on_host());
    EXPECT_EQ(to_host(on, result->first), expected.first);
    const std::vector<PrimitiveNormals> normals = to_host(on, result->normals);
    ASSERT_EQ(normals.size(), expected.normals.size());
    for (std::size_t k = 0; k < normals.size(); ++k) {
      ASSERT_EQ(bits(normals[k].normal), bits(expected.normals[k].normal)) << k;
      for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(normals[k].neighbor[i], expected.normals[k].neighbor[i]) << k;
        ASSERT_EQ(normals[k].corner[i], expected.normals[k].corner[i]) << k;
      }
    }
    const std::vector<OutwardNormal> vertex_normal = to_host(on, result->vertex_normal);
    ASSERT_EQ(vertex_normal.size(), expected.vertex_normal.size());
    for (std::size_t v = 0; v < vertex_normal.size(); ++v)
      ASSERT_EQ(bits(vertex_normal[v]), bits(expected.vertex_normal[v])) << v;
  }
}

TEST_P(DeviceSurface, LeavesWallsThatAreRefusedToTheHost) {
  const Queue on = queue();
  for (const NamedSurface& surface : refused_surfaces())
    EXPECT_FALSE(closed_surface_on_device(on, *walls_of(on, surface))) << surface.name;
}

/// The shells have opposite volumes, so that the sign of their sum would be that of its rounding errors.
TEST_P(DeviceSurface, LeavesVolumesCloseToZeroToTheHost) {
  WallMesh mesh = box(0, 1);
  add_box(mesh, "other", {3, 3, 3}, {4, 4, 4});
  reverse_faces(mesh, 6);
  const Queue on = queue();
  EXPECT_FALSE(closed_surface_on_device(on, *walls_of(on, {"opposite boxes", mesh})));
}

}  // namespace
}  // namespace shoal::wall_distance
