// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "wall_distance/motion/pose_history.hpp"
#include "wall_distance/bvh_cuda/query_batch.cuh"

/// The kernels of update(), which ends with that of find() for crowded points.
namespace shoal::packets {

/// Sums of a block.
struct BlockCounts {
  unsigned of_warp[threads / 32];
  unsigned first;

  /// How many threads of the block say so, and how many of those before this one. All threads must call it.
  struct Place {
    unsigned all, before;
  };
  __device__ Place count(bool says) {
    const unsigned votes = __ballot_sync(whole_warp, says), warp = threadIdx.x / 32;
    __syncthreads();  // the counts before have been read
    if (threadIdx.x % 32 == 0) of_warp[warp] = static_cast<unsigned>(__popc(votes));
    __syncthreads();
    Place place{0, static_cast<unsigned>(votes_before(votes))};
    for (unsigned w = 0; w < threads / 32; ++w) {
      if (w < warp) place.before += of_warp[w];
      place.all += of_warp[w];
    }
    return place;
  }

  /// Appends points to a list, in the order of the threads that have them.
  __device__ void append(bool has_any, std::int32_t point, const Waiting& list) {
    const Place place = count(has_any);
    if (threadIdx.x == 0) first = place.all > 0 ? atomicAdd(list.count, place.all) : 0;
    __syncthreads();
    if (has_any) list.points[first + place.before] = point;
  }
};

/// The nearest candidate of a point's proof. Whether it is proven to be the nearest piece.
__device__ inline bool try_proof(const Call& call, const BodyPose* poses, const Proof& proof,
                                 const TwofoldVector& point, NearestFace& nearest) {
  const BodyPose* then = poses + static_cast<std::int64_t>(proof.epoch % PoseHistory::most) * call.trees.bodies;
  return prove(proof, call.trees.bodies, call.pieces.shape, call.pieces.body, {point, proof, call.pieces.pose, then},
               nearest);
}

/// What a point waits for that has no proof.
enum class Need { nothing, search, proof };

/// Whether a point whose last proof failed at its first step should be proven again.
__device__ inline Need need_of(const Proof& proof, std::int32_t newest) {
  constexpr std::int32_t patience = 16;  // poses
  if (proof.epoch >= -1) return Need::proof;
  return newest - Proof::failed_at(proof.epoch) < patience ? Need::search : Need::proof;
}

/// Answers those points of update() whose proof holds, and lists the others.
static __global__ void __launch_bounds__(threads, 4)
    try_proofs(Call call, const BodyPose* poses, std::int32_t newest, Proof* proofs, Waiting to_search,
               Waiting to_prove, unsigned long long* reused) {
  __shared__ BlockCounts counts;
  const std::int64_t t = thread_index();
  Need need = Need::nothing;
  bool is_proven = false;
  if (t < call.count) {
    const std::int64_t i = call.point_number(t);
    const TwofoldVector point = call.queries.point(i);
    Proof& proof = proofs[i];
    const bool is_good = call.queries.accept(i, point);
    if (!is_good) proof.epoch = -1;
    if (proof.epoch >= 0 && newest - proof.epoch < PoseHistory::most) {
      NearestFace nearest;
      is_proven = try_proof(call, poses, proof, point, nearest);
      if (is_proven) call.pieces.write(call.queries, i, point, nearest);
    }
    if (is_good && !is_proven) need = need_of(proof, newest);
  }
  counts.append(need == Need::search, static_cast<std::int32_t>(t), to_search);
  counts.append(need == Need::proof, static_cast<std::int32_t>(t), to_prove);
  const unsigned proven = counts.count(is_proven).all;
  if (threadIdx.x == 0 && proven > 0) atomicAdd(reused, static_cast<unsigned long long>(proven));
}

/// Searches for listed points, lists their candidates and keeps proofs.
static __global__ void __launch_bounds__(threads, blocks)
    search_and_prove(Call call, std::int32_t newest, float room, Proof* proofs, Listed listed, Candidates candidates) {
  __shared__ SearchMemory memory;
  const std::int64_t count = listed.size(call.count);
  if (static_cast<std::int64_t>(blockIdx.x) * threads >= count) return;
  std::int64_t t = thread_index();
  if (are_few(count, call.count)) return candidates.leave(t < count ? listed(t, count) : -1);
  Known known = first_known(call, call.point_number(listed(t, count)));
  t += memory.grouping.exchange(known) - static_cast<std::int32_t>(threadIdx.x);
  const std::int64_t i = call.point_number(listed(t, count));
  ShortList<threads> list(memory.lists, call.pieces, call.queries, i, known.reach);
  ProvenFaces<threads> faces(list, call.pieces.body, room, known.body);
  PacketSearch search(call.trees, memory.stacks.entries[threadIdx.x / 32], 4096);
  for_each_tree(call, i, search, [&](std::int32_t body) {
    faces.enter(body);
    search.run(faces);
  });
  if (t >= count) return candidates.put(-1, list, true);
  Proof& proof = proofs[i];
  const bool has_all = faces.finish(proof, newest);
  const TwofoldVector point = call.queries.point(i);
  proof.at[0] = point.x.high;
  proof.at[1] = point.y.high;
  proof.at[2] = point.z.high;
  candidates.put(listed(t, count), list, has_all);
}

}  // namespace shoal::packets
