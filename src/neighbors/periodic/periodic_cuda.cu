// SPDX-License-Identifier: Apache-2.0
// One block of threads for each block of points of one system, so that the number of launches does not depend on the
// number of systems.
#include "core/cuda/launch.cuh"
#include "core/cuda/warp.cuh"
#include "neighbors/periodic/periodic_backend.hpp"

namespace shoal::neighbors {

namespace {

constexpr int threads = 128;
constexpr int warps = threads / 32;

__device__ void add_across_warp(double (&lower)[3], double (&upper)[3]) {
  for (int k = 0; k < 3; ++k) {
    lower[k] = warp_least(lower[k]);
    upper[k] = warp_largest(upper[k]);
  }
}

/// Joins the extents of the threads of a warp; lane 0 holds the result.
__device__ void add_across_warp(BlockExtent& extent) {
  add_across_warp(extent.lower, extent.upper);
  add_across_warp(extent.least_fraction, extent.most_fraction);
  add_across_warp(extent.least_periods, extent.most_periods);
  extent.largest = warp_largest(extent.largest);
}

template <class Real>
__global__ void __launch_bounds__(threads) wrap_block(ImageArrays<Real> systems) {
  // Objects in shared memory must not have constructors.
  __shared__ alignas(BlockExtent) unsigned char bytes[warps * sizeof(BlockExtent)];
  auto* const warp_extents = reinterpret_cast<BlockExtent*>(bytes);
  const SystemBlock block = systems.blocks.data[blockIdx.x];
  BlockExtent extent;
  for (std::int64_t i = block.points.begin + threadIdx.x; i < block.points.end; i += threads)
    systems.wrap(block.system, i, extent);
  add_across_warp(extent);
  if (threadIdx.x % 32 == 0) warp_extents[threadIdx.x / 32] = extent;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < warps; ++warp) extent.add(warp_extents[warp]);
  systems.extents[blockIdx.x] = extent;
}

template <class Real>
__global__ void __launch_bounds__(threads) count_images_of_block(ImageArrays<Real> systems) {
  const SystemBlock block = systems.blocks.data[blockIdx.x];
  for (std::int64_t i = block.points.begin + threadIdx.x; i < block.points.end; i += threads)
    systems.count_images(block.system, i);
}

template <class Real>
__global__ void __launch_bounds__(threads) write_images_of_block(ImageArrays<Real> systems) {
  const SystemBlock block = systems.blocks.data[blockIdx.x];
  for (std::int64_t i = block.points.begin + threadIdx.x; i < block.points.end; i += threads)
    systems.write_images(block.system, i);
}

/// Calls use(i, lanes with a pair, pair of this lane) for each 32 candidates of each point i of a warp.
template <class Real, class Use>
__device__ void visit_pairs(const ImagePairs<Real>& pairs, const SystemBlock& block, Use&& use) {
  const ImageTest<Real> test(pairs.systems.cells[block.system]);
  const int lane = static_cast<int>(threadIdx.x % 32);
  for (std::int64_t i = block.points.begin + threadIdx.x / 32; i < block.points.end; i += warps) {
    const Position<Real> position = pairs.systems.position(i);
    const std::int64_t end = pairs.first_candidate[i + 1];
    for (std::int64_t first = pairs.first_candidate[i]; first < end; first += 32) {
      ImagePair<Real> pair{};
      bool is_pair = false;
      if (first + lane < end) {
        pair = pairs.pair(test, i, position, first + lane);
        is_pair = pairs.wants(i, pair);
      }
      use(i, __ballot_sync(whole_warp, is_pair), pair);
    }
  }
}

template <class Real>
__global__ void __launch_bounds__(threads) count_pairs_of_block(ImagePairs<Real> pairs) {
  const SystemBlock block = pairs.systems.blocks.data[blockIdx.x];
  for (std::int64_t i = block.points.begin + threadIdx.x; i < block.points.end; i += threads) pairs.offsets[i] = 0;
  __syncthreads();
  visit_pairs(pairs, block, [&](std::int64_t i, unsigned votes, const ImagePair<Real>&) {
    if (threadIdx.x % 32 == 0) pairs.offsets[i] += __popc(votes);
  });
}

template <class Real>
__global__ void __launch_bounds__(threads) write_pairs_of_block(ImagePairs<Real> pairs) {
  const SystemBlock block = pairs.systems.blocks.data[blockIdx.x];
  std::int64_t current = -1;
  std::int64_t next = 0;  // first pair of the next candidates
  visit_pairs(pairs, block, [&](std::int64_t i, unsigned votes, const ImagePair<Real>& pair) {
    if (i != current) next = pairs.offsets[i];
    current = i;
    if (votes >> threadIdx.x % 32 & 1) pairs.outputs.write(next + votes_before(votes), i, pair);
    next += __popc(votes);
  });
}

/// Runs a kernel with one block of threads for each block of points.
template <class Arguments>
void launch_blocks(const Queue& queue, std::int64_t blocks, void (*kernel)(Arguments), const Arguments& arguments) {
  launch<threads>(queue, blocks * threads, kernel, arguments);
}

template <class Real>
void wrap(const Queue& queue, const ImageArrays<Real>& systems) {
  launch_blocks(queue, systems.blocks.count, wrap_block<Real>, systems);
}

template <class Real>
void count_images(const Queue& queue, const ImageArrays<Real>& systems) {
  launch_blocks(queue, systems.blocks.count, count_images_of_block<Real>, systems);
}

template <class Real>
void write_images(const Queue& queue, const ImageArrays<Real>& systems) {
  launch_blocks(queue, systems.blocks.count, write_images_of_block<Real>, systems);
}

template <class Real>
void count_pairs(const Queue& queue, const ImagePairs<Real>& pairs) {
  launch_blocks(queue, pairs.systems.blocks.count, count_pairs_of_block<Real>, pairs);
}

template <class Real>
void write_pairs(const Queue& queue, const ImagePairs<Real>& pairs) {
  launch_blocks(queue, pairs.systems.blocks.count, write_pairs_of_block<Real>, pairs);
}

__global__ void write_entries(PairSetWriter writer) {
  const std::int64_t entry = thread_index();
  if (entry < writer.sets * writer.capacity) writer.write_entry(entry);
}

__global__ void write_offsets(PairSetWriter writer) {
  const std::int64_t offset = thread_index();
  if (offset < writer.sets * (writer.points + 1)) writer.write_offset(offset);
}

void write_sets(const Queue& queue, const PairSetWriter& writer) {
  launch(queue, writer.sets * writer.capacity, write_entries, writer);
  launch(queue, writer.sets * (writer.points + 1), write_offsets, writer);
}

}  // namespace

template <class Real>
const PeriodicBackend<Real> PeriodicBackend<Real>::cuda = {.block_points = threads,
                                                           .wrap = neighbors::wrap<Real>,
                                                           .count_images = neighbors::count_images<Real>,
                                                           .write_images = neighbors::write_images<Real>,
                                                           .count_pairs = neighbors::count_pairs<Real>,
                                                           .write_pairs = neighbors::write_pairs<Real>,
                                                           .write_sets = neighbors::write_sets};
template const PeriodicBackend<float> PeriodicBackend<float>::cuda;
template const PeriodicBackend<double> PeriodicBackend<double>::cuda;

}  // namespace shoal::neighbors
