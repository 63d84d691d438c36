// SPDX-License-Identifier: Apache-2.0
#include "neighbors/ghosts/ghost_backend.hpp"

namespace shoal::neighbors {

namespace {

template <class Real>
void flag_near_cpu(const Queue& queue, const cells::PointReader<Real>& points, const GhostRegion& region,
                   View<std::uint8_t> flags) {
  const int dimensions = region.dimensions;
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 0; i < flags.count; ++i)
    flags.data[i] = region.contains(points.at_x(i), points.at_y(i, dimensions), points.at_z(i, dimensions)) ? 1 : 0;
}

void fill_numbers_cpu(const Queue& queue, const std::int32_t* index, std::int64_t first, View<std::int64_t> numbers) {
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 0; i < numbers.count; ++i) numbers.data[i] = first + (index != nullptr ? index[i] : i);
}

}  // namespace

template <class Real>
const GhostBackend<Real> GhostBackend<Real>::cpu = {.flag_near = flag_near_cpu<Real>, .fill_numbers = fill_numbers_cpu};
template const GhostBackend<float> GhostBackend<float>::cpu;
template const GhostBackend<double> GhostBackend<double>::cpu;

}  // namespace shoal::neighbors
