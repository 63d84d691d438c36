// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/signs/signs.hpp"
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
  CudaSigns(const Queue& queue, PlanWalls& walls, const ClosedSurface& surface)
      : primitives_(queue, walls, BoundingSpheres::unused),
        first_(to_device(queue, surface.first)),
        normals_(to_device(queue, surface.normals)),
        vertex_normal_(to_device(queue, surface.vertex_normal)) {}

  void apply(const WallQueries& queries) override {
    const DevicePrimitives primitives = primitives_.view();
    const SignFinder finder{primitives.shape, primitives.body, primitives.pose,
                            first_.data(),    normals_.data(), vertex_normal_.data()};
    launch(primitives_.queue(), queries.count(), find_signs, finder, queries);
  }

  std::int64_t bytes() const override {
    return primitives_.bytes() + first_.bytes() + normals_.bytes() + vertex_normal_.bytes();
  }

 private:
  PrimitivesOnDevice primitives_;
  Array<std::int32_t> first_;
  Array<PrimitiveNormals> normals_;
  Array<OutwardNormal> vertex_normal_;
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

std::unique_ptr<WallSigns> open_cuda(const Queue& queue, PlanWalls& walls, ClosedSurface surface) {
  return std::make_unique<CudaSigns>(queue, walls, surface);
}

std::unique_ptr<WallSigns> open_winding_cuda(const Queue& queue, PlanWalls& walls, WindingTree tree) {
  return std::make_unique<CudaWindingSigns>(queue, walls, tree);
}

}  // namespace

const SignsBackend SignsBackend::cuda{.open = open_cuda, .open_winding = open_winding_cuda};

}  // namespace shoal::wall_distance
