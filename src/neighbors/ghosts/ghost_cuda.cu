// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/launch.cuh"
#include "neighbors/ghosts/ghost_backend.hpp"

namespace shoal::neighbors {

namespace {

template <class Real>
__global__ void flag_each(cells::PointReader<Real> points, GhostRegion region, View<std::uint8_t> flags) {
  const std::int64_t i = thread_index();
  if (i >= flags.count) return;
  flags.data[i] =
      region.contains(points.at_x(i), points.at_y(i, region.dimensions), points.at_z(i, region.dimensions)) ? 1 : 0;
}

__global__ void number_each(const std::int32_t* index, std::int64_t first, View<std::int64_t> numbers) {
  const std::int64_t i = thread_index();
  if (i < numbers.count) numbers.data[i] = first + (index != nullptr ? index[i] : i);
}

template <class Real>
void flag_near_cuda(const Queue& queue, const cells::PointReader<Real>& points, const GhostRegion& region,
                    View<std::uint8_t> flags) {
  launch(queue, flags.count, flag_each<Real>, points, region, flags);
}

void fill_numbers_cuda(const Queue& queue, const std::int32_t* index, std::int64_t first, View<std::int64_t> numbers) {
  launch(queue, numbers.count, number_each, index, first, numbers);
}

}  // namespace

template <class Real>
const GhostBackend<Real> GhostBackend<Real>::cuda = {.flag_near = flag_near_cuda<Real>,
                                                     .fill_numbers = fill_numbers_cuda};
template const GhostBackend<float> GhostBackend<float>::cuda;
template const GhostBackend<double> GhostBackend<double>::cuda;

}  // namespace shoal::neighbors
