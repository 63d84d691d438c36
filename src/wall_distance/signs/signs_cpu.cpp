// SPDX-License-Identifier: Apache-2.0
#include "core/cpu_variants.hpp"
#include "wall_distance/signs/closed_surface.hpp"

namespace shoal {

namespace {

SHOAL_CPU_VARIANTS void find_range(const SideFinder& finder, const WallQueries& queries, Range range) {
  for (std::int64_t i = range.begin; i < range.end; ++i) finder.find(queries, i);
}

class CpuSigns : public WallSigns {
 public:
  CpuSigns(const Queue& queue, const WallPieces& pieces, WallSides sides)
      : queue_(queue), pieces_(pieces), sides_(std::move(sides)) {}

  void find(const WallQueries& queries) override {
    const SideFinder finder{pieces_.shape.data(), pieces_.body.data(), pieces_.pose.data(),
                            sides_.first.data(),  sides_.piece.data(), sides_.corner.data()};
    constexpr std::int64_t chunk = 512;
    const std::int64_t n = queries.count();
#pragma omp parallel for num_threads(queue_.threads()) schedule(dynamic)
    for (std::int64_t begin = 0; begin < n; begin += chunk)
      find_range(finder, queries, {begin, std::min(n, begin + chunk)});
  }

  std::int64_t bytes() const override {
    return static_cast<std::int64_t>(sides_.first.capacity() * sizeof(std::int32_t) +
                                     sides_.piece.capacity() * sizeof(PieceSides) +
                                     sides_.corner.capacity() * sizeof(OutwardNormal));
  }

 private:
  Queue queue_;
  const WallPieces& pieces_;
  WallSides sides_;
};

}  // namespace

std::unique_ptr<WallSigns> wall_signs_cpu(const Queue& queue, const WallPieces& pieces, WallSides sides) {
  return std::make_unique<CpuSigns>(queue, pieces, std::move(sides));
}

}  // namespace shoal
