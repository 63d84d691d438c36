// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/launch.cuh"
#include "neighbors/search/valid_points.hpp"

namespace shoal::neighbors {

namespace {

template <class Real>
__global__ void find_first_invalid(SearchSpace<Real> space, PointReader<Real> points, std::int64_t n,
                                   unsigned long long* first) {
  const std::int64_t i = thread_index();
  if (i >= n) return;
  const Position<Real> position{points.at_x(i), points.at_y(i, space.dimensions), points.at_z(i, space.dimensions)};
  if (first_invalid_axis(space, position) < space.dimensions) atomicMin(first, static_cast<unsigned long long>(i));
}

template <class Real>
std::int64_t first_invalid(Scratch& scratch, const SearchSpace<Real>& space, const Points<Real>& points) {
  const Queue& queue = scratch.queue();
  const std::int64_t n = points.count();
  ScratchFrame frame(scratch);
  const View<unsigned long long> first = frame.array<unsigned long long>(1);
  fill_bytes(queue, first.data, 0xff, sizeof(unsigned long long));
  launch(queue, n, find_first_invalid<Real>, space, PointReader<Real>(points), n, first.data);
  unsigned long long number = 0;
  copy_bytes(queue, &number, {}, first.data, first.device, sizeof number);
  queue.wait();
  return std::min(number, static_cast<unsigned long long>(n));
}

}  // namespace

template <class Real>
const ValidPointsBackend<Real> ValidPointsBackend<Real>::cuda = {.first_invalid = neighbors::first_invalid<Real>};
template const ValidPointsBackend<float> ValidPointsBackend<float>::cuda;
template const ValidPointsBackend<double> ValidPointsBackend<double>::cuda;

}  // namespace shoal::neighbors
