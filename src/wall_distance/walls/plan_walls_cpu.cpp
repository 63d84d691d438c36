// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/walls/mesh_checks.hpp"
#include "wall_distance/walls/plan_walls.hpp"

namespace shoal::wall_distance {

namespace {

class WallsOnHost : public PlanWalls {
 public:
  WallsOnHost(WallMesh mesh, const WallDistanceOptions& options) : options_(options), whole_mesh_(std::move(mesh)) {
    mesh_ = MeshSummary(whole_mesh_);
    host_ = wall_primitives(whole_mesh_, options_);
    count_ = host_.count();
    for (std::size_t k = 0; k < host_.face.size(); ++k)
      if (k == 0 || host_.face[k] != host_.face[k - 1]) ++face_count_;
  }

  const WallPrimitives& on_host() override { return host_; }

  void refit(const Points<double>& points, const Accept& accept) override {
    WallMesh mesh = whole_mesh_;
    mesh.x = coordinates(points.x);
    mesh.y = coordinates(points.y);
    if (mesh.dimensions == 3) mesh.z = coordinates(points.z);
    WallPrimitives primitives = host_;
    reshape(mesh, options_, primitives);
    std::swap(host_, primitives);
    try {
      if (accept) accept();
    } catch (...) {
      std::swap(host_, primitives);
      throw;
    }
    whole_mesh_ = std::move(mesh);
  }

  std::int64_t bytes() const override { return host_bytes(); }

 private:
  WallDistanceOptions options_;
  WallMesh whole_mesh_;
};

std::unique_ptr<PlanWalls> open_mesh(const Queue&, const WallMesh& mesh, const WallDistanceOptions& options) {
  return std::make_unique<WallsOnHost>(mesh, options);
}

template <class Real, class Index>
std::unique_ptr<PlanWalls> open_arrays(const Queue&, const WallArrays<Real, Index>& arrays,
                                       const WallDistanceOptions& options) {
  return std::make_unique<WallsOnHost>(wall_mesh(arrays), options);
}

}  // namespace

const WallsBackend WallsBackend::cpu{open_mesh};

template <class Real, class Index>
const WallArraysBackend<Real, Index> WallArraysBackend<Real, Index>::cpu{open_arrays<Real, Index>};
template const WallArraysBackend<float, std::int32_t> WallArraysBackend<float, std::int32_t>::cpu;
template const WallArraysBackend<float, std::int64_t> WallArraysBackend<float, std::int64_t>::cpu;
template const WallArraysBackend<double, std::int32_t> WallArraysBackend<double, std::int32_t>::cpu;
template const WallArraysBackend<double, std::int64_t> WallArraysBackend<double, std::int64_t>::cpu;

}  // namespace shoal::wall_distance
