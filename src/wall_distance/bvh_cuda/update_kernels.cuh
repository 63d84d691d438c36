// SPDX-License-Identifier: Apache-2.0
// Kernels of update(): points whose certificates hold need no search. The others are searched, with or without a new
// certificate; find() has the kernels for their candidates.
#pragma once
#include "core/cuda/warp.cuh"
#include "wall_distance/bvh_cuda/query_batch.cuh"
#include "wall_distance/motion/pose_history.hpp"

namespace shoal::wall_distance {

/// Counts over the threads of a block.
struct BlockCounts {
  unsigned warp_count[packet_threads / 32];
  unsigned first;

  /// Number of threads of the block with a true condition, and number of those before this thread.
  struct Count {
    unsigned block, before;
  };
  /// All threads must call it.
  __device__ Count count(bool condition) {
    const unsigned votes = __ballot_sync(whole_warp, condition), warp = threadIdx.x / 32;
    __syncthreads();  // the previous counts have been read
    if (threadIdx.x % 32 == 0) warp_count[warp] = static_cast<unsigned>(__popc(votes));
    __syncthreads();
    Count result{0, static_cast<unsigned>(votes_before(votes))};
    for (unsigned w = 0; w < packet_threads / 32; ++w) {
      if (w < warp) result.before += warp_count[w];
      result.block += warp_count[w];
    }
    return result;
  }

  /// Appends the points of the threads with has_any to a list, in the order of the threads. All threads must call it.
  __device__ void append(bool has_any, std::int32_t point, const PointList& list) {
    const Count counted = count(has_any);
    if (threadIdx.x == 0) first = counted.block > 0 ? atomicAdd(list.count, counted.block) : 0;
    __syncthreads();
    if (has_any) list.points[first + counted.before] = point;
  }
};

/// Finds the nearest candidate of a certificate. Returns true if the certificate holds.
__device__ inline bool test_certificate(const QueryBatch& batch, const BodyPose* poses, const Certificate& certificate,
                                        const DoubleDoubleVector& point, NearestPrimitive& nearest) {
  const BodyPose* then = poses + static_cast<std::int64_t>(certificate.epoch % PoseHistory::most) * batch.bvh.bodies;
  return find_certified(certificate, batch.bvh.bodies, batch.primitives.shape, batch.primitives.body,
                        {point, certificate, batch.primitives.pose, then}, nearest);
}

/// Work for a point whose certificate does not hold.
enum class Work { none, search, search_and_certify };

/// A point whose last certificate failed at once gets a new one only after some epochs.
__device__ inline Work work_for(const Certificate& certificate, std::int32_t newest) {
  constexpr std::int32_t waiting_epochs = 16;
  if (certificate.epoch >= -1) return Work::search_and_certify;
  return newest - Certificate::failed_at(certificate.epoch) < waiting_epochs ? Work::search : Work::search_and_certify;
}

/// Writes the results of points whose certificates hold, and lists the others.
/// @param reused  number of points that needed no search
static __global__ void __launch_bounds__(packet_threads, 4)
    test_certificates(QueryBatch batch, const BodyPose* poses, std::int32_t newest, Certificate* certificates,
                      PointList to_search, PointList to_certify, unsigned long long* reused) {
  __shared__ BlockCounts counts;
  const std::int64_t t = thread_index();
  Work work = Work::none;
  bool is_certified = false;
  if (t < batch.count) {
    const std::int64_t i = batch.point_number(t);
    const DoubleDoubleVector point = batch.queries.point(i);
    Certificate& certificate = certificates[i];
    const bool is_valid = batch.queries.accept(i, point);
    if (!is_valid) certificate.epoch = -1;
    if (certificate.epoch >= 0 && newest - certificate.epoch < PoseHistory::most) {
      NearestPrimitive nearest;
      is_certified = test_certificate(batch, poses, certificate, point, nearest);
      if (is_certified) batch.primitives.write(batch.queries, i, point, nearest);
    }
    if (is_valid && !is_certified) work = work_for(certificate, newest);
  }
  counts.append(work == Work::search, static_cast<std::int32_t>(t), to_search);
  counts.append(work == Work::search_and_certify, static_cast<std::int32_t>(t), to_certify);
  const unsigned certified = counts.count(is_certified).block;
  if (threadIdx.x == 0 && certified > 0) atomicAdd(reused, static_cast<unsigned long long>(certified));
}

/// Collects the candidates of the selected points and makes their certificates.
static __global__ void __launch_bounds__(packet_threads, packet_blocks)
    search_and_certify(QueryBatch batch, std::int32_t newest, float margin, Certificate* certificates,
                       PointSelection selection, CandidateBuffer buffer) {
  __shared__ SearchSharedMemory memory;
  const std::int64_t count = selection.size(batch.count);
  if (static_cast<std::int64_t>(blockIdx.x) * packet_threads >= count) return;
  std::int64_t t = thread_index();
  if (is_sparse(count, batch.count)) return buffer.put_crowded(t < count ? selection(t, count) : -1);
  InitialCandidate initial = initial_candidate(batch, batch.point_number(selection(t, count)));
  t += memory.regrouping.exchange(initial) - static_cast<std::int32_t>(threadIdx.x);
  const std::int64_t i = batch.point_number(selection(t, count));
  CandidateList<packet_threads> list(memory.lists, batch.primitives, batch.queries, i, initial.radius);
  CertifiedCandidates<packet_threads> candidates(list, batch.primitives.body, margin, initial.body);
  PacketTraversal traversal(batch.bvh, memory.stacks.entries[threadIdx.x / 32], 4096);
  for_each_tree(batch, i, traversal, [&](std::int32_t body) {
    candidates.enter(body);
    traversal.run(candidates);
  });
  if (t >= count) return buffer.put(-1, list, true);
  Certificate& certificate = certificates[i];
  const bool is_complete = candidates.finish(certificate, newest);
  const DoubleDoubleVector point = batch.queries.point(i);
  certificate.point[0] = point.x.high;
  certificate.point[1] = point.y.high;
  certificate.point[2] = point.z.high;
  buffer.put(selection(t, count), list, is_complete);
}

}  // namespace shoal::wall_distance
