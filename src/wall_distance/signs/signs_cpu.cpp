// SPDX-License-Identifier: Apache-2.0
#include "core/cpu_variants.hpp"
#include "wall_distance/signs/signs.hpp"

namespace shoal::wall_distance {

namespace {

SHOAL_CPU_VARIANTS void find_range(const SignFinder& finder, const WallQueries& queries, Range range) {
  for (std::int64_t i = range.begin; i < range.end; ++i) finder.find(queries, i);
}

class CpuSigns : public WallSigns {
 public:
  CpuSigns(const Queue& queue, PlanWalls& walls, ClosedSurface surface)
      : queue_(queue), primitives_(walls.on_host()), surface_(std::move(surface)) {}

  void apply(const WallQueries& queries) override {
    const SignFinder finder{primitives_.shape.data(), primitives_.body.data(), primitives_.pose.data(),
                            surface_.first.data(),    surface_.normals.data(), surface_.vertex_normal.data()};
    constexpr std::int64_t chunk = 512;
    const std::int64_t n = queries.count();
#pragma omp parallel for num_threads(queue_.threads()) schedule(dynamic)
    for (std::int64_t begin = 0; begin < n; begin += chunk)
      find_range(finder, queries, {begin, std::min(n, begin + chunk)});
  }

  std::int64_t bytes() const override {
    return static_cast<std::int64_t>(surface_.first.capacity() * sizeof(std::int32_t) +
                                     surface_.normals.capacity() * sizeof(PrimitiveNormals) +
                                     surface_.vertex_normal.capacity() * sizeof(OutwardNormal));
  }

 private:
  Queue queue_;
  const WallPrimitives& primitives_;
  ClosedSurface surface_;
};

std::unique_ptr<WallSigns> open_cpu(const Queue& queue, PlanWalls& walls, ClosedSurface surface) {
  return std::make_unique<CpuSigns>(queue, walls, std::move(surface));
}

}  // namespace

const SignsBackend SignsBackend::cpu{.open = open_cpu};

}  // namespace shoal::wall_distance
