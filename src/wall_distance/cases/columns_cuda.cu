// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/launch.cuh"
#include "wall_distance/cases/columns.hpp"

namespace shoal::cuda {

namespace {

__global__ void make_points(ColumnJob job) {
  const std::int64_t i = thread_index();
  if (i >= job.x.count) return;
  const ColumnPoint point = job.grid.point(job.bases.data, job.heights.data, i);
  job.x.data[i] = point.x[0];
  job.y.data[i] = point.x[1];
  if (job.z.data != nullptr) job.z.data[i] = point.x[2];
}

}  // namespace

void make_columns(const Queue& queue, const ColumnJob& job) { launch(queue, job.x.count, make_points, job); }

}  // namespace shoal::cuda
