// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/signs/signs.hpp"

#include "wall_distance/signs/closed_surface.hpp"
#include "wall_distance/signs/winding/winding_tree.hpp"
#include "wall_distance/signs_cuda/device_surface.hpp"
#include "wall_distance/walls_cuda/device_primitives.cuh"

namespace shoal::wall_distance {

namespace {

__global__ void __launch_bounds__(256, 2) find_signs(SignFinder finder, WallQueries queries) {
  const std::int64_t i = thread_index();
  if (i < queries.count()) finder.find(queries, i);
}

__global__ void __launch_bounds__(256, 2) find_winding_signs(WindingFinder finder, WallQueries queries) {
  const std::int64_t i = thread_index();
  if (i < queries.count()) finder.find(queries, i);
}

class CudaSigns : public WallSigns {
 public:
  CudaSigns(const Queue& queue, PlanWalls& walls, SurfaceOnDevice surface)
      : primitives_(queue, walls, BoundingSpheres::unused), surface_(std::move(surface)) {}

  void apply(const WallQueries& queries) override {
    const DevicePrimitives primitives = primitives_.view();
    const SignFinder finder{primitives.shape,      primitives.body,         primitives.pose,
                            surface_.first.data(), surface_.normals.data(), surface_.vertex_normal.data()};
    launch(primitives_.queue(), queries.count(), find_signs, finder, queries);
  }

  std::int64_t bytes() const override {
    return primitives_.bytes() + surface_.first.bytes() + surface_.normals.bytes() + surface_.vertex_normal.bytes();
  }

 private:
  PrimitivesOnDevice primitives_;
  SurfaceOnDevice surface_;
};

class CudaWindingSigns : public WallSigns {
 public:
  CudaWindingSigns(const Queue& queue, PlanWalls& walls, const WindingTree& tree)
      : primitives_(queue, walls, BoundingSpheres::unused),
        dimensions_(walls.mesh().dimensions),
        first_(to_device(queue, tree.first)),
        nodes_(to_device(queue, tree.nodes)),
        root_(to_device(queue, tree.root)),
        order_(to_device(queue, tree.order)),
        orientation_(to_device(queue, tree.orientation)),
        scale_(tree.scale) {}

  void apply(const WallQueries& queries) override {
    const DevicePrimitives primitives = primitives_.view();
    const WindingFinder finder{primitives.shape, primitives.body, primitives.pose,     first_.data(), nodes_.data(),
                               root_.data(),     order_.data(),   orientation_.data(), scale_,        dimensions_};
    launch(primitives_.queue(), queries.count(), find_winding_signs, finder, queries);
  }

  std::int64_t bytes() const override {
    return primitives_.bytes() + first_.bytes() + nodes_.bytes() + root_.bytes() + order_.bytes() +
           orientation_.bytes();
  }

 private:
  PrimitivesOnDevice primitives_;
  int dimensions_;
  Array<std::int32_t> first_;
  Array<WindingNode> nodes_;
  Array<std::int32_t> root_, order_;
  Array<std::int8_t> orientation_;
  double scale_;
};

std::unique_ptr<WallSigns> open_cuda(const Queue& queue, PlanWalls& walls) {
  if (std::optional<SurfaceOnDevice> surface = closed_surface_on_device(queue, walls))
    return std::make_unique<CudaSigns>(queue, walls, std::move(*surface));
  const ClosedSurface surface = closed_surface(walls.mesh(), walls.on_host());
  return std::make_unique<CudaSigns>(queue, walls,
                                     SurfaceOnDevice{to_device(queue, surface.first), to_device(queue, surface.normals),
                                                     to_device(queue, surface.vertex_normal)});
}

std::unique_ptr<WallSigns> open_winding_cuda(const Queue& queue, PlanWalls& walls) {
  return std::make_unique<CudaWindingSigns>(queue, walls, winding_tree(walls.mesh(), walls.on_host()));
}

}  // namespace

const SignsBackend SignsBackend::cuda{.open = open_cuda, .open_winding = open_winding_cuda};

}  // namespace shoal::wall_distance
