// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/signs_cuda/surface_vertices.cuh"

#include <bit>

#include "core/cuda/warp.cuh"
#include "core/primitives/primitives.hpp"
#include "wall_distance/signs/corner_table_item.hpp"

namespace shoal::wall_distance {

namespace {

__global__ void insert_corners(CornerTable table, std::int64_t count, std::uint32_t* slot, SurfaceReport* report) {
  const std::int64_t c = thread_index();
  double largest = 0;
  if (c < count) {
    const auto number = static_cast<std::uint32_t>(c);
    const CornerPosition corner = table.position(number);
    slot[c] = table.insert(number);
    largest = fmax(fabs(corner.x), fmax(fabs(corner.y), fabs(corner.z)));
  }
  largest = warp_largest(largest);
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(largest));
  if (threadIdx.x % 32 == 0 && bits > report->largest) atomicMax(&report->largest, bits);
}

/// Replaces slots by the first corners of their vertices, and marks those.
__global__ void mark_first_corners(const std::uint32_t* slots, std::int64_t count, std::uint32_t* slot,
                                   std::int32_t* is_first) {
  const std::int64_t c = thread_index();
  if (c >= count) return;
  const std::uint32_t first = slots[slot[c]];
  slot[c] = first;
  is_first[c] = first == c;
}

/// @param number  [corners + 1] number of first corners before each corner
__global__ void write_vertices(const std::uint32_t* first, const std::int64_t* number, std::int64_t count,
                               std::uint32_t* vertex, std::int32_t* corners, SurfaceReport* report) {
  const std::int64_t c = thread_index();
  if (c >= count) return;
  vertex[c] = static_cast<std::uint32_t>(number[first[c]]);
  corners[c] = static_cast<std::int32_t>(c);
  if (c == 0) report->vertices = number[count];
}

/// @param sorted  [count] vertices, ascending
__global__ void write_starts(const std::uint32_t* sorted, std::int64_t count, std::int32_t* start) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  if (i == 0 || sorted[i - 1] != sorted[i]) start[sorted[i]] = static_cast<std::int32_t>(i);
  if (i == count - 1) start[sorted[i] + 1] = static_cast<std::int32_t>(count);
}

}  // namespace

SurfaceVertices find_vertices(Scratch& scratch, const SurfaceMemory& memory, const PrimitiveArrays& primitives) {
  const Queue& queue = scratch.queue();
  const std::int64_t count = 3 * primitives.shape.count();
  const auto view = [&](auto* array, std::int64_t elements) { return View(array, elements, queue.device()); };
  const std::uint64_t slots = CornerTable::size_for(static_cast<std::uint64_t>(count));
  fill_bytes(queue, memory.slots, 0xff, slots * sizeof(std::uint32_t));
  fill_bytes(queue, memory.report, 0, sizeof(SurfaceReport));
  const CornerTable table{primitives.shape.data(), primitives.body.data(), memory.slots,
                          static_cast<std::uint32_t>(slots - 1)};
  launch(queue, count, insert_corners, table, count, memory.slot, memory.report);
  launch(queue, count, mark_first_corners, memory.slots, count, memory.slot, memory.is_first);
  exclusive_scan<std::int32_t>(scratch, view(memory.is_first, count), view(memory.number, count + 1));
  launch(queue, count, write_vertices, memory.slot, memory.number, count, memory.vertex, memory.in_order,
         memory.report);
  SurfaceReport findings{};
  copy<SurfaceReport>(queue, view(memory.report, 1), View<SurfaceReport>(&findings, 1));
  const int bits = std::bit_width(static_cast<std::uint64_t>(findings.vertices - 1));
  sort_pairs<std::uint32_t, std::int32_t>(scratch, {view(memory.vertex, count), view(memory.in_order, count)},
                                          {view(memory.sorted, count), view(memory.corners, count)}, bits);
  launch(queue, count, write_starts, memory.sorted, count, memory.start);
  return {static_cast<std::int32_t>(findings.vertices), std::bit_cast<double>(findings.largest)};
}

}  // namespace shoal::wall_distance
