// SPDX-License-Identifier: Apache-2.0
#include "core/cpu_variants.hpp"
#include "core/range.hpp"
#include "wall_distance/cases/columns.hpp"

namespace shoal::cpu {

namespace {

SHOAL_CPU_VARIANTS void make_range(const ColumnJob& job, Range range) {
  for (std::int64_t i = range.begin; i < range.end; ++i) {
    const ColumnPoint point = job.grid.point(job.bases.data, job.heights.data, i);
    job.x.data[i] = point.x[0];
    job.y.data[i] = point.x[1];
    if (job.z.data != nullptr) job.z.data[i] = point.x[2];
  }
}

}  // namespace

void make_columns(const Queue& queue, const ColumnJob& job) {
  const int parts = queue.threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) make_range(job, part_range(job.x.count, part, parts));
}

}  // namespace shoal::cpu
