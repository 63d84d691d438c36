// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/range.hpp"
#include "neighbors/periodic/periodic_backend.hpp"

namespace shoal::neighbors {

namespace {

/// Calls visit(number of the block, block) for each block of points.
template <class Real, class Visit>
void visit_blocks(const Queue& queue, const ImageArrays<Real>& systems, Visit&& visit) {
  const int threads = static_cast<int>(std::clamp<std::int64_t>(systems.blocks.count, 1, queue.threads()));
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (std::int64_t b = 0; b < systems.blocks.count; ++b) visit(b, systems.blocks.data[b]);
}

template <class Real>
void wrap(const Queue& queue, const ImageArrays<Real>& systems) {
  visit_blocks(queue, systems, [&](std::int64_t b, const SystemBlock& block) {
    BlockExtent extent;
    for (std::int64_t i = block.points.begin; i < block.points.end; ++i) systems.wrap(block.system, i, extent);
    systems.extents[b] = extent;
  });
}

template <class Real>
void count_images(const Queue& queue, const ImageArrays<Real>& systems) {
  visit_blocks(queue, systems, [&](std::int64_t, const SystemBlock& block) {
    for (std::int64_t i = block.points.begin; i < block.points.end; ++i) systems.count_images(block.system, i);
  });
}

template <class Real>
void write_images(const Queue& queue, const ImageArrays<Real>& systems) {
  visit_blocks(queue, systems, [&](std::int64_t, const SystemBlock& block) {
    for (std::int64_t i = block.points.begin; i < block.points.end; ++i) systems.write_images(block.system, i);
  });
}

/// Calls use(pair) for each pair of point i, in order.
template <class Real, class Use>
void visit_pairs(const ImagePairs<Real>& pairs, const ImageTest<Real>& test, std::int64_t i, Use&& use) {
  const Position<Real> position = pairs.systems.position(i);
  for (std::int64_t c = pairs.first_candidate[i]; c < pairs.first_candidate[i + 1]; ++c) {
    const ImagePair<Real> pair = pairs.pair(test, i, position, c);
    if (pairs.wants(i, pair)) use(pair);
  }
}

template <class Real>
void count_pairs(const Queue& queue, const ImagePairs<Real>& pairs) {
  visit_blocks(queue, pairs.systems, [&](std::int64_t, const SystemBlock& block) {
    const ImageTest<Real> test(pairs.systems.cells[block.system]);
    for (std::int64_t i = block.points.begin; i < block.points.end; ++i) {
      std::int64_t count = 0;
      visit_pairs(pairs, test, i, [&](const ImagePair<Real>&) { ++count; });
      pairs.offsets[i] = count;
    }
  });
}

template <class Real>
void write_pairs(const Queue& queue, const ImagePairs<Real>& pairs) {
  visit_blocks(queue, pairs.systems, [&](std::int64_t, const SystemBlock& block) {
    const ImageTest<Real> test(pairs.systems.cells[block.system]);
    for (std::int64_t i = block.points.begin; i < block.points.end; ++i) {
      std::int64_t next = pairs.offsets[i];
      visit_pairs(pairs, test, i, [&](const ImagePair<Real>& pair) { pairs.outputs.write(next++, i, pair); });
    }
  });
}

void write_sets(const Queue& queue, const PairSetWriter& writer) {
#pragma omp parallel num_threads(threads_for(writer.sets* writer.capacity, queue.threads()))
  {
#pragma omp for schedule(static) nowait
    for (std::int64_t entry = 0; entry < writer.sets * writer.capacity; ++entry) writer.write_entry(entry);
#pragma omp for schedule(static)
    for (std::int64_t offset = 0; offset < writer.sets * (writer.points + 1); ++offset) writer.write_offset(offset);
  }
}

}  // namespace

template <class Real>
const PeriodicBackend<Real> PeriodicBackend<Real>::cpu = {.block_points = 1024,
                                                          .wrap = neighbors::wrap<Real>,
                                                          .count_images = neighbors::count_images<Real>,
                                                          .write_images = neighbors::write_images<Real>,
                                                          .count_pairs = neighbors::count_pairs<Real>,
                                                          .write_pairs = neighbors::write_pairs<Real>,
                                                          .write_sets = neighbors::write_sets};
template const PeriodicBackend<float> PeriodicBackend<float>::cpu;
template const PeriodicBackend<double> PeriodicBackend<double>::cpu;

}  // namespace shoal::neighbors
