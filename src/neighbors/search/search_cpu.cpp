// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "core/primitives/primitives.hpp"
#include "core/range.hpp"
#include "neighbors/search/search_backend.hpp"

namespace shoal::cpu {

namespace {

template <class Real>
const Real* in_order(const Queue& queue, View<const Real> from, View<const std::int32_t> order, bool is_there,
                     Array<Real>& to) {
  to.resize(order.count + SortedPoints<Real>::read_past_end);
  if (is_there) gather(queue, from, order, View<Real>(to.data(), order.count));
  std::fill(to.data() + (is_there ? order.count : 0), to.data() + to.count(), Real(0));
  return to.data();
}

}  // namespace

template <class Real>
void survey(Scratch& scratch, const Survey<Real>& of) {
  const int parts = scratch.queue().threads();
  std::vector<SurveyFinding<Real>> found(static_cast<std::size_t>(parts));
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    SurveyFinding<Real> mine;
    const Range range = part_range(of.set.count, part, parts);
    for (std::int64_t i = range.begin; i < range.end; ++i) survey_point(of.space, of.rule, of.set, i, mine);
    found[static_cast<std::size_t>(part)] = mine;
  }
  SurveyFinding<Real> total;
  for (const SurveyFinding<Real>& part : found) total.add(part);
  of.finish(total);
}

template <class Real>
SortedPoints<Real> sort_points(Scratch& scratch, const SearchGrid<Real>* grid, std::int64_t, const Points<Real>& points,
                               View<const Real> limits, bool, SortedMemory<Real>& memory) {
  const Queue& queue = scratch.queue();
  memory.cell_of_point.resize(points.count());
  assign_cells(queue, grid->cells, points, memory.cell_of_point.view(), nullptr);
  memory.sorter.sort(memory.cell_of_point, grid->cells.cell_count());
  const View<const std::int32_t> order = memory.sorter.order();
  const int dimensions = grid->cells.dimensions;
  SortedPoints<Real> sorted;
  sorted.x = in_order(queue, points.x, order, true, memory.x);
  sorted.y = in_order(queue, points.y, order, dimensions > 1, memory.y);
  sorted.z = in_order(queue, points.z, order, dimensions > 2, memory.z);
  memory.order.resize(order.count + SortedPoints<Real>::read_past_end);
  std::copy_n(order.data, order.count, memory.order.data());
  sorted.order = memory.order.data();
  if (!limits.empty()) sorted.limits = in_order(queue, limits, order, true, memory.limits);
  sorted.cell_start = memory.sorter.cell_start().data;
  sorted.count = order.count;
  return sorted;
}

template void survey(Scratch&, const Survey<float>&);
template void survey(Scratch&, const Survey<double>&);
template SortedPoints<float> sort_points(Scratch&, const SearchGrid<float>*, std::int64_t, const Points<float>&,
                                         View<const float>, bool, SortedMemory<float>&);
template SortedPoints<double> sort_points(Scratch&, const SearchGrid<double>*, std::int64_t, const Points<double>&,
                                          View<const double>, bool, SortedMemory<double>&);

}  // namespace shoal::cpu
