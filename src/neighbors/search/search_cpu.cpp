// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "core/primitives/primitives.hpp"
#include "core/range.hpp"
#include "neighbors/search/search_backend.hpp"

namespace shoal::neighbors {

namespace {

template <class Real>
void survey(Scratch& scratch, const Survey<Real>& survey) {
  const int parts = threads_for(survey.set.count, scratch.queue().threads());
  std::vector<SurveyResult<Real>> results(static_cast<std::size_t>(parts));
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    SurveyResult<Real> result;
    const Range range = part_range(survey.set.count, part, parts);
    for (std::int64_t i = range.begin; i < range.end; ++i)
      survey_point(survey.space, survey.rule, survey.set, i, result);
    results[static_cast<std::size_t>(part)] = result;
  }
  SurveyResult<Real> total;
  for (const SurveyResult<Real>& result : results) total.add(result);
  survey.finish(total);
}

/// Returns `values` in sorted order in `memory`, followed by zeros. An axis that the space does not have is all zeros.
template <class Real>
const Real* in_order(const Queue& queue, View<const Real> values, View<const std::int32_t> order, bool has_axis,
                     Array<Real>& memory) {
  memory.resize(order.count + SortedPoints<Real>::read_past_end);
  if (has_axis) gather(queue, values, order, View<Real>(memory.data(), order.count));
  std::fill(memory.data() + (has_axis ? order.count : 0), memory.data() + memory.count(), Real(0));
  return memory.data();
}

template <class Real>
SortedPoints<Real> sort_points(Scratch& scratch, const PointSort<Real>& sort, SortedMemory<Real>& memory) {
  const Queue& queue = scratch.queue();
  const Points<Real>& points = sort.points;
  memory.cell_of_point.resize(points.count());
  assign_cells(queue, sort.grid->cells, points, memory.cell_of_point.view(), nullptr);
  memory.sorter.sort(memory.cell_of_point, sort.grid->cells.cell_count());
  const View<const std::int32_t> order = memory.sorter.order();
  const int dimensions = sort.grid->cells.dimensions;
  SortedPoints<Real> sorted;
  sorted.x = in_order(queue, points.x, order, true, memory.x);
  sorted.y = in_order(queue, points.y, order, dimensions > 1, memory.y);
  sorted.z = in_order(queue, points.z, order, dimensions > 2, memory.z);
  memory.order.resize(order.count + SortedPoints<Real>::read_past_end);
  std::copy_n(order.data, order.count, memory.order.data());
  sorted.order = memory.order.data();
  if (!sort.limits.empty()) sorted.limits = in_order(queue, sort.limits, order, true, memory.limits);
  sorted.cell_start = memory.sorter.cell_start().data;
  sorted.count = order.count;
  return sorted;
}

}  // namespace

template <class Real>
const SearchBackend<Real> SearchBackend<Real>::cpu = {.survey = neighbors::survey<Real>,
                                                      .sort_points = neighbors::sort_points<Real>};
template const SearchBackend<float> SearchBackend<float>::cpu;
template const SearchBackend<double> SearchBackend<double>::cpu;

}  // namespace shoal::neighbors
