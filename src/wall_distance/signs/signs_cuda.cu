// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/walls/device_primitives.cuh"
#include "wall_distance/signs/closed_surface.hpp"

namespace shoal {

namespace {

__global__ void __launch_bounds__(256, 2) find_signs(SideFinder finder, WallQueries queries) {
  const std::int64_t i = thread_index();
  if (i < queries.count()) finder.find(queries, i);
}

class CudaSigns : public WallSigns {
 public:
  CudaSigns(const Queue& queue, const WallPieces& pieces, const WallSides& sides)
      : pieces_(queue, pieces),
        first_(to_device(queue, sides.first)),
        sides_(to_device(queue, sides.piece)),
        corner_(to_device(queue, sides.corner)) {}

  void find(const WallQueries& queries) override {
    const DevicePieces pieces = pieces_.now();
    const SideFinder finder{pieces.shape, pieces.body, pieces.pose, first_.data(), sides_.data(), corner_.data()};
    launch(pieces_.queue(), queries.count(), find_signs, finder, queries);
  }

  std::int64_t bytes() const override { return pieces_.bytes() + first_.bytes() + sides_.bytes() + corner_.bytes(); }

 private:
  PiecesOnDevice pieces_;
  Array<std::int32_t> first_;
  Array<PieceSides> sides_;
  Array<OutwardNormal> corner_;
};

}  // namespace

std::unique_ptr<WallSigns> wall_signs_cuda(const Queue& queue, const WallPieces& pieces, const WallSides& sides) {
  return std::make_unique<CudaSigns>(queue, pieces, sides);
}

}  // namespace shoal
