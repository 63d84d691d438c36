// SPDX-License-Identifier: Apache-2.0
#include "neighbors/search/valid_points.hpp"

#include "core/range.hpp"

namespace shoal::neighbors {

namespace {

template <class Real>
std::int64_t first_invalid(Scratch& scratch, const SearchSpace<Real>& space, const Points<Real>& points) {
  const PointReader<Real> reader(points);
  const std::int64_t n = points.count();
  const int dimensions = space.dimensions;
  std::int64_t first = n;
#pragma omp parallel for num_threads(threads_for(n, scratch.queue().threads())) reduction(min : first)
  for (std::int64_t i = 0; i < n; ++i) {
    const Position<Real> position{reader.at_x(i), reader.at_y(i, dimensions), reader.at_z(i, dimensions)};
    if (i < first && first_invalid_axis(space, position) < dimensions) first = i;
  }
  return first;
}

/// Returns element i of an array on the queue's device. Waits for the queue.
template <class Real>
Real element(const Queue& queue, const View<const Real>& array, std::int64_t i) {
  Real value = 0;
  copy_bytes(queue, &value, {}, array.data + i * array.stride, array.device, sizeof value);
  queue.wait();
  return value;
}

}  // namespace

template <class Real>
void require_valid_points(Scratch& scratch, const Box& box, const std::string& role, const Points<Real>& points) {
  const Queue& queue = scratch.queue();
  const SearchSpace<Real> space = search_space<Real>(box);
  const std::int64_t first = backend<ValidPointsBackend<Real>>(queue).first_invalid(scratch, space, points);
  if (first == points.count()) return;
  const Position<Real> position{element(queue, points.x, first),
                                box.dimensions > 1 ? element(queue, points.y, first) : Real(0),
                                box.dimensions > 2 ? element(queue, points.z, first) : Real(0)};
  const double values[] = {static_cast<double>(position.x), static_cast<double>(position.y),
                           static_cast<double>(position.z)};
  throw Error(explain_point<Real>(box, role, "")(first_invalid_axis(space, position), first, values));
}

template <class Real>
const ValidPointsBackend<Real> ValidPointsBackend<Real>::cpu = {.first_invalid = neighbors::first_invalid<Real>};
template const ValidPointsBackend<float> ValidPointsBackend<float>::cpu;
template const ValidPointsBackend<double> ValidPointsBackend<double>::cpu;

template void require_valid_points<float>(Scratch&, const Box&, const std::string&, const Points<float>&);
template void require_valid_points<double>(Scratch&, const Box&, const std::string&, const Points<double>&);

}  // namespace shoal::neighbors
