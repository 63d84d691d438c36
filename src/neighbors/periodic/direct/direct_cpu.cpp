// SPDX-License-Identifier: Apache-2.0
// A thread compares the points of a part with all points of its system, in their order.
#include "core/cpu_variants.hpp"
#include "core/inlined.hpp"
#include "neighbors/periodic/direct/direct_backend.hpp"

namespace shoal::neighbors {

namespace {

std::int64_t block_points(const Queue& queue, std::int64_t points) {
  constexpr std::int64_t most = 256;
  return std::clamp<std::int64_t>(points / (8 * queue.threads()), 1, most);
}

/// Makes cell and margins of a system. Returns false if the system is not for this search.
template <class Real>
bool prepare_system(const DirectSystems<Real>& systems, std::int64_t s) {
  if (!systems.make_cell(s)) return false;
  const Range points = systems.system(s);
  PeriodExtent extent;
  for (std::int64_t i = points.begin; i < points.end; ++i) systems.add_to_extent(systems.cells[s], i, extent);
  return points.count() == 0 ||
         shift_margins<Real>(systems.cells[s], extent, points.count(), systems.radius, systems.margins[s]);
}

template <class Real>
void prepare(const Queue& queue, const DirectSystems<Real>& systems) {
  bool all_suit = true;
#pragma omp parallel for num_threads(queue.threads()) schedule(dynamic, 16) reduction(&& : all_suit)
  for (std::int64_t s = 0; s < systems.system_count(); ++s) all_suit = prepare_system(systems, s) && all_suit;
  if (!all_suit) *systems.needs_general = 1;
}

/// Points of a system and their places in its cell.
template <class Real>
struct SystemPoints {
  std::vector<Position<Real>> positions;
  std::vector<FixedPeriods> periods;

  void assign(const DirectSystems<Real>& systems, std::int64_t s) {
    const Range range = systems.system(s);
    positions.clear();
    periods.clear();
    for (std::int64_t i = range.begin; i < range.end; ++i) {
      positions.push_back(systems.position(i));
      periods.push_back(systems.periods(systems.cells[s], positions.back()));
    }
  }
};

/// Calls use(pair) for each pair of point i, in order.
template <class Real, class Use>
SHOAL_HD void visit_pairs(const DirectSystems<Real>& systems, const SystemPoints<Real>& points, std::int64_t s,
                          const ImageTest<Real>& test, std::int64_t i, Use&& use) {
  const std::int64_t begin = systems.system(s).begin;
  const auto place = static_cast<std::size_t>(i - begin);
  for (std::size_t k = systems.rule.half ? place : 0; k < points.positions.size(); ++k) {
    const ShiftRange range(points.periods[place], points.periods[k], systems.margins[s]);
    if (range.total() == 0) continue;
    ImagePair<Real> pair{};
    pair.j = begin + static_cast<std::int64_t>(k);
    for (int a = 0; a < range.count[0]; ++a)
      for (int b = 0; b < range.count[1]; ++b)
        for (int c = 0; c < range.count[2]; ++c) {
          pair.shift[0] = range.first[0] + a;
          pair.shift[1] = range.first[1] + b;
          pair.shift[2] = range.first[2] + c;
          if (systems.make_pair(test, i, points.positions[place], points.positions[k], pair)) use(pair);
        }
  }
}

template <class Real>
SHOAL_CPU_VARIANTS void count_block(const DirectSystems<Real>& systems, const SystemPoints<Real>& points,
                                    const SystemBlock& block) {
  const ImageTest<Real> test(systems.cells[block.system]);
  for (std::int64_t i = block.points.begin; i < block.points.end; ++i) {
    std::int64_t count = 0;
    visit_pairs(systems, points, block.system, test, i, [&](const ImagePair<Real>&) SHOAL_INLINED { ++count; });
    systems.offsets[i] = count;
  }
}

template <class Real>
SHOAL_CPU_VARIANTS void write_block(const DirectSystems<Real>& systems, const SystemPoints<Real>& points,
                                    const SystemBlock& block) {
  const ImageTest<Real> test(systems.cells[block.system]);
  for (std::int64_t i = block.points.begin; i < block.points.end; ++i) {
    std::int64_t next = systems.offsets[i];
    visit_pairs(systems, points, block.system, test, i,
                [&](const ImagePair<Real>& pair) SHOAL_INLINED { systems.outputs.write(next++, i, pair); });
  }
}

/// Calls visit(points of the system, block) for each block of points.
template <class Real, class Visit>
void visit_blocks(const Queue& queue, const DirectSystems<Real>& systems, Visit&& visit) {
#pragma omp parallel num_threads(queue.threads())
  {
    SystemPoints<Real> points;
    std::int64_t system = -1;
#pragma omp for schedule(dynamic)
    for (std::int64_t b = 0; b < systems.blocks.count; ++b) {
      const SystemBlock& block = systems.blocks.data[b];
      if (block.system != system) points.assign(systems, block.system);
      system = block.system;
      visit(points, block);
    }
  }
}

template <class Real>
void count(const Queue& queue, const DirectSystems<Real>& systems) {
  if (*systems.needs_general != 0) return;
  visit_blocks(queue, systems, [&](const SystemPoints<Real>& points, const SystemBlock& block) {
    count_block(systems, points, block);
  });
}

template <class Real>
void write(const Queue& queue, const DirectSystems<Real>& systems) {
  visit_blocks(queue, systems, [&](const SystemPoints<Real>& points, const SystemBlock& block) {
    write_block(systems, points, block);
  });
}

}  // namespace

template <class Real>
const DirectBackend<Real> DirectBackend<Real>::cpu = {.most_partners = 64,
                                                      .block_points = neighbors::block_points,
                                                      .prepare = neighbors::prepare<Real>,
                                                      .count = neighbors::count<Real>,
                                                      .write = neighbors::write<Real>};
template const DirectBackend<float> DirectBackend<float>::cpu;
template const DirectBackend<double> DirectBackend<double>::cpu;

}  // namespace shoal::neighbors
