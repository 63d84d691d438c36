// SPDX-License-Identifier: Apache-2.0
// A thread compares the points of a part with all points of their system, in order.
#include "core/cpu_variants.hpp"
#include "core/range.hpp"
#include "neighbors/periodic/direct/direct_row.hpp"

namespace shoal::neighbors {

namespace {

/// Number of threads for the systems of so many points, each of which is compared with tens to hundreds of others.
int threads_for_points(const Queue& queue, std::int64_t points) { return threads_for(8 * points, queue.threads()); }

std::int64_t block_points(const Queue& queue, std::int64_t points) {
  constexpr std::int64_t most = 256;
  return std::clamp<std::int64_t>(points / (8 * threads_for_points(queue, points)), 1, most);
}

template <class Real>
int threads_for_systems(const Queue& queue, const DirectSystems<Real>& systems) {
  return threads_for_points(queue, systems.starts.data[systems.system_count()]);
}

/// Makes cell and margins of a system. Returns false if the system is not for this search.
template <class Real>
bool prepare_system(const DirectSystems<Real>& systems, std::int64_t s) {
  if (!systems.make_cell(s)) return false;
  const Range points = systems.system(s);
  PeriodExtent extent;
  for (std::int64_t i = points.begin; i < points.end; ++i) add_point(systems.cells[s], systems.position(i), extent);
  return points.count() == 0 ||
         shift_margins<Real>(systems.cells[s], extent, points.count(), systems.radius, systems.margins[s]);
}

template <class Real>
void prepare(const Queue& queue, const DirectSystems<Real>& systems) {
  bool all_suit = true;
  const int threads = threads_for_systems(queue, systems);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16) reduction(&& : all_suit)
  for (std::int64_t s = 0; s < systems.system_count(); ++s) all_suit = prepare_system(systems, s) && all_suit;
  if (!all_suit) *systems.needs_general = 1;
}

template <class Real>
SHOAL_CPU_VARIANTS void count_block(const DirectSystems<Real>& systems, DirectRow<Real>& row,
                                    const SystemBlock& block) {
  const ImageTest<Real> test(systems.cells[block.system]);
  for (std::int64_t i = block.points.begin; i < block.points.end; ++i) {
    row.find(systems, test, block.system, i);
    systems.offsets[i] = row.count(systems, test, i);
  }
}

template <class Real>
SHOAL_CPU_VARIANTS void write_block(const DirectSystems<Real>& systems, DirectRow<Real>& row,
                                    const SystemBlock& block) {
  const ImageTest<Real> test(systems.cells[block.system]);
  for (std::int64_t i = block.points.begin; i < block.points.end; ++i) {
    row.find(systems, test, block.system, i);
    std::int64_t next = systems.offsets[i];
    row.visit(systems, test, i,
              [&](const ImagePair<Real>& pair) SHOAL_INLINED { systems.outputs.write(next++, i, pair); });
  }
}

/// Calls visit(row, block) for each block of points.
template <class Real, class Visit>
void visit_blocks(const Queue& queue, const DirectSystems<Real>& systems, Visit&& visit) {
#pragma omp parallel num_threads(threads_for_systems(queue, systems))
  {
    DirectRow<Real> row;
    std::int64_t system = -1;
#pragma omp for schedule(dynamic)
    for (std::int64_t b = 0; b < systems.blocks.count; ++b) {
      const SystemBlock& block = systems.blocks.data[b];
      if (block.system != system) row.assign(systems, block.system);
      system = block.system;
      visit(row, block);
    }
  }
}

template <class Real>
void count(const Queue& queue, const DirectSystems<Real>& systems) {
  if (*systems.needs_general != 0) return;
  visit_blocks(queue, systems,
               [&](DirectRow<Real>& row, const SystemBlock& block) { count_block(systems, row, block); });
}

template <class Real>
void write(const Queue& queue, const DirectSystems<Real>& systems) {
  visit_blocks(queue, systems,
               [&](DirectRow<Real>& row, const SystemBlock& block) { write_block(systems, row, block); });
}

}  // namespace

template <class Real>
const DirectBackend<Real> DirectBackend<Real>::cpu = {.most_partners = 600,
                                                      .block_points = neighbors::block_points,
                                                      .prepare = neighbors::prepare<Real>,
                                                      .count = neighbors::count<Real>,
                                                      .write = neighbors::write<Real>};
template const DirectBackend<float> DirectBackend<float>::cpu;
template const DirectBackend<double> DirectBackend<double>::cpu;

}  // namespace shoal::neighbors
