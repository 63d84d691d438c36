// SPDX-License-Identifier: Apache-2.0
#include "core/cpu_variants.hpp"
#include "wall_distance/signs/closed_surface.hpp"
#include "wall_distance/signs/signs.hpp"
#include "wall_distance/signs/winding/winding_tree.hpp"

namespace shoal::wall_distance {

namespace {

SHOAL_CPU_VARIANTS void find_range(const SignFinder& finder, const WallQueries& queries, Range range) {
  for (std::int64_t i = range.begin; i < range.end; ++i) finder.find(queries, i);
}
SHOAL_CPU_VARIANTS void find_range(const WindingFinder& finder, const WallQueries& queries, Range range) {
  for (std::int64_t i = range.begin; i < range.end; ++i) finder.find(queries, i);
}

template <class Finder>
void find_all(const Queue& queue, const Finder& finder, const WallQueries& queries) {
  constexpr std::int64_t chunk = 512;
  const std::int64_t n = queries.count();
#pragma omp parallel for num_threads(queue.threads()) schedule(dynamic)
  for (std::int64_t begin = 0; begin < n; begin += chunk)
    find_range(finder, queries, {begin, std::min(n, begin + chunk)});
}

template <class T>
std::int64_t bytes_of(const std::vector<T>& values) {
  return static_cast<std::int64_t>(values.capacity() * sizeof(T));
}

class CpuSigns : public WallSigns {
 public:
  CpuSigns(const Queue& queue, PlanWalls& walls)
      : queue_(queue), primitives_(walls.on_host()), surface_(closed_surface(walls.mesh(), primitives_)) {}

  void apply(const WallQueries& queries) override {
    find_all(queue_,
             SignFinder{primitives_.shape.data(), primitives_.body.data(), primitives_.pose.data(),
                        surface_.first.data(), surface_.normals.data(), surface_.vertex_normal.data()},
             queries);
  }

  std::int64_t bytes() const override {
    return bytes_of(surface_.first) + bytes_of(surface_.normals) + bytes_of(surface_.vertex_normal);
  }

 private:
  Queue queue_;
  const WallPrimitives& primitives_;
  ClosedSurface surface_;
};

class CpuWindingSigns : public WallSigns {
 public:
  CpuWindingSigns(const Queue& queue, PlanWalls& walls)
      : queue_(queue),
        dimensions_(walls.mesh().dimensions),
        primitives_(walls.on_host()),
        tree_(winding_tree(walls.mesh(), primitives_)) {}

  void apply(const WallQueries& queries) override {
    find_all(queue_,
             WindingFinder{primitives_.shape.data(), primitives_.body.data(), primitives_.pose.data(),
                           tree_.first.data(), tree_.nodes.data(), tree_.root.data(), tree_.order.data(),
                           tree_.orientation.data(), tree_.scale, dimensions_},
             queries);
  }

  std::int64_t bytes() const override {
    return bytes_of(tree_.first) + bytes_of(tree_.nodes) + bytes_of(tree_.root) + bytes_of(tree_.order) +
           bytes_of(tree_.orientation);
  }

 private:
  Queue queue_;
  int dimensions_;
  const WallPrimitives& primitives_;
  WindingTree tree_;
};

template <class Signs>
std::unique_ptr<WallSigns> make_signs(const Queue& queue, PlanWalls& walls) {
  return std::make_unique<Signs>(queue, walls);
}

}  // namespace

const SignsBackend SignsBackend::cpu{.open = make_signs<CpuSigns>, .open_winding = make_signs<CpuWindingSigns>};

}  // namespace shoal::wall_distance
