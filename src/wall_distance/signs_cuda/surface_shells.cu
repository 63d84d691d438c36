// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/signs_cuda/surface_shells.cuh"

#include <algorithm>

#include "core/cuda/warp.cuh"
#include "wall_distance/bvh_cuda/sortable.cuh"

namespace shoal::wall_distance {

namespace {

/// Sums of some primitives of a shell.
struct ShellSums {
  double volume = 0, size = 0;
  double lower[3] = {Shell::infinity, Shell::infinity, Shell::infinity};
  double upper[3] = {-Shell::infinity, -Shell::infinity, -Shell::infinity};

  __device__ void add(const SurfaceShapes& shapes, const SurfaceVector& apex, std::int64_t k) {
    for (int i = 0; i < 3; ++i) {
      const SurfaceVector corner = shapes.corner(k, i);
      const double along[3] = {corner.x, corner.y, corner.z};
      for (int axis = 0; axis < 3; ++axis) {
        lower[axis] = fmin(lower[axis], along[axis]);
        upper[axis] = fmax(upper[axis], along[axis]);
      }
    }
    const double more = shapes.volume(apex, k);
    volume += more;
    size += fabs(more);
  }

  /// Sums of all threads of the warp.
  __device__ void add_across_warp() {
    volume = warp_sum(volume);
    size = warp_sum(size);
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = warp_least(lower[axis]);
      upper[axis] = warp_largest(upper[axis]);
    }
  }

  __device__ void put(GrowingShell& shell) const {
    atomicAdd(&shell.volume, volume);
    atomicAdd(&shell.size, size);
    for (int axis = 0; axis < 3; ++axis) {
      const unsigned long long low = sortable(lower[axis]), high = sortable(upper[axis]);
      if (low < shell.lower[axis]) atomicMin(&shell.lower[axis], low);
      if (high > shell.upper[axis]) atomicMax(&shell.upper[axis], high);
    }
  }
};

/// Shortens all links, so that number_shells() follows few of them.
__global__ void shorten_links(ConnectedParts parts, std::int64_t count) {
  const std::int64_t k = thread_index();
  if (k < count && parts.link[k] >= 0) parts.shorten(static_cast<std::int32_t>(k));
}

/// Numbers the shells, in any order, and leads all links to the first primitives.
/// @param number  [primitives] number of the shell of each first primitive
__global__ void number_shells(ConnectedParts parts, std::int64_t count, const std::int32_t* body, std::int32_t* number,
                              GrowingShell* shells, SurfaceReport* report) {
  const std::int64_t k = thread_index();
  if (k >= count || report->faults != 0 || parts.link[k] < 0) return;
  const auto primitive = static_cast<std::int32_t>(k);
  const std::int32_t first = parts.first(primitive);
  parts.link[k] = first;
  if (first != primitive) return;
  const std::int32_t shell = atomicAdd(&report->shells, 1);
  number[k] = shell;
  shells[shell] = {body[k], primitive, 0, 0, {~0ull, ~0ull, ~0ull}, {0, 0, 0}};
}

__global__ void sum_shells(ConnectedParts parts, std::int64_t count, SurfaceShapes shapes, const std::int32_t* number,
                           GrowingShell* shells, const SurfaceReport* report) {
  if (report->faults != 0) return;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  std::int32_t first = -1;  // of the shell of the sums
  SurfaceVector apex{};
  ShellSums sums;
  for (std::int64_t k = thread_index(); k < count; k += step) {
    const std::int32_t next = parts.link[k];
    if (next < 0) continue;
    if (next != first) {
      if (first >= 0) sums.put(shells[number[first]]);
      first = next;
      apex = shapes.corner(first, 0);
      sums = ShellSums();
    }
    sums.add(shapes, apex, k);
  }
  if (__all_sync(whole_warp, first == __shfl_sync(whole_warp, first, 0))) {  // one thread writes the sums of the warp
    sums.add_across_warp();
    if (threadIdx.x % 32 != 0) return;
  }
  if (first >= 0) sums.put(shells[number[first]]);
}

__global__ void read_boxes(const GrowingShell* growing, std::int64_t count, Shell* shells) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  const GrowingShell& from = growing[i];
  Shell& shell = shells[i];
  shell.body = from.body;
  shell.first = from.first;
  shell.volume = from.volume;
  shell.size = from.size;
  for (int axis = 0; axis < 3; ++axis) {
    shell.lower[axis] = from_sortable(from.lower[axis]);
    shell.upper[axis] = from_sortable(from.upper[axis]);
  }
}

/// Returns true if all sums of volumes have the same sign in any order, and no shell may be without a volume.
/// @param terms  number of volumes in all sums
bool are_certain(const std::vector<Shell>& shells, std::size_t bodies, std::int64_t terms) {
  const double error = std::max(0x1p-50 * static_cast<double>(terms), 1e-12);  // relative to the sum of absolute values
  std::vector<double> volume(bodies), size(bodies);
  for (const Shell& shell : shells) {
    if (!(std::abs(shell.volume) > error * shell.size)) return false;
    volume[static_cast<std::size_t>(shell.body)] += shell.volume;
    size[static_cast<std::size_t>(shell.body)] += shell.size;
  }
  for (std::size_t body = 0; body < bodies; ++body)
    if (size[body] > 0 && !(std::abs(volume[body]) > error * size[body])) return false;
  return true;
}

}  // namespace

std::optional<std::vector<Shell>> find_shells(const Queue& queue, const SurfaceMemory& memory, const PlanWalls& walls,
                                              const SurfaceShapes& shapes) {
  const std::int64_t count = walls.count();
  const ConnectedParts parts{memory.link};
  launch(queue, count, shorten_links, parts, count);
  launch(queue, count, number_shells, parts, count, walls.on_device().body.data(), memory.shell, memory.growing,
         memory.report);
  constexpr std::int64_t most_threads = 1 << 15;
  launch(queue, std::min(count, most_threads), sum_shells, parts, count, shapes, memory.shell, memory.growing,
         memory.report);
  SurfaceReport findings{};
  copy<SurfaceReport>(queue, {memory.report, 1, queue.device()}, View<SurfaceReport>(&findings, 1));
  if (findings.faults != 0) return {};
  launch(queue, findings.shells, read_boxes, memory.growing, findings.shells, memory.shells);
  std::vector<Shell> shells(static_cast<std::size_t>(findings.shells));
  copy<Shell>(queue, {memory.shells, findings.shells, queue.device()}, View<Shell>(shells));
  std::sort(shells.begin(), shells.end(), [](const Shell& a, const Shell& b) { return a.first < b.first; });
  if (!are_certain(shells, walls.pose().size(), count)) return {};
  return shells;
}

}  // namespace shoal::wall_distance
