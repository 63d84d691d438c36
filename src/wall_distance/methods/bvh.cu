// SPDX-License-Identifier: Apache-2.0
// bvh: a bounding-volume hierarchy that warps go through for 32 points at once.
//
// idea           pieces in the order of a Hilbert curve; four are a leaf, eight leaves or nodes are a node, so the tree
//                needs no pointers, and building it is a sort and a pass over each level. A warp takes 32 points that
//                follow each other, goes down to the leaf that is nearest to two of them for a first bound, and then to
//                wherever any of them must look. Boxes and distances to pieces are in float, with what rounding may do
//                to them taken off; another kernel sees the one or two pieces that are left for each point exactly. The
//                rare point with more of them gets a warp of its own. So the answer is that of `serial`, bit for bit
// source         shoal; the curve after Skilling (2004)
// memory         some 90 bytes a triangle for boxes and leaves, 32 for sorting, besides 88 of the triangle; 76 bytes a
//                point, of two million at most; 72 a point for update()
// atomics        to list points that need another kernel; their order does not matter
// deterministic  yes: the answer does not depend on the order of the search
// wins when      there are more than some hundred faces
// loses when     points that follow each other are far apart
// differs        -
#include "wall_distance/kept_poses.hpp"
#include "wall_distance/methods/methods.hpp"
#include "wall_distance/packet_faces.cuh"

namespace shoal {

namespace {

constexpr int threads = 128;
constexpr int settle_threads = 128;
constexpr std::int64_t most_points = std::int64_t{1} << 21;  ///< at a time
constexpr std::int32_t too_many = -2;                        ///< candidates, instead of the first one

using Lists = ShortLists<threads>;
using Stacks = PacketStacks<threads>;

/// Points that wait for a kernel, by their numbers from `first` on.
struct Waiting {
  std::int32_t* points;
  unsigned* count;

  __device__ void add(std::int32_t point) const { points[atomicAdd(count, 1u)] = point; }
};

/// What the kernels of one call share.
struct Call {
  WallQueries queries;
  DevicePieces pieces;
  DeviceTrees trees;
  std::int64_t first;  ///< the points first, ..., first + count - 1 of the queries
  std::int32_t count;

  __device__ std::int64_t point_number(std::int64_t i) const { return first + i; }
};

/// Goes to the trees that are asked about, one after the other.
template <class Visit>
__device__ void for_each_tree(const Call& call, const TwofoldVector& point, PacketSearch& search, Visit&& visit) {
  for (std::int32_t body = 0; body < call.trees.bodies; ++body) {
    if (call.queries.body >= 0 && call.queries.body != body) continue;
    search.enter(body, call.pieces.pose[body].to_body(point));
    visit(body);
  }
}

/// From the leaves that are nearest to the middle point of the warp.
__device__ KnownReach first_reach(const Call& call, const TwofoldVector& point) {
  KnownReach known;
  PacketSearch search(call.trees, nullptr);
  for_each_tree(call, point, search, [&](std::int32_t body) { known.include(search.known_reach(), body); });
  return known;
}

/// Points of a block with what is known of them, by their distance to the walls: those that are far look at more of the
/// tree than those that are near, so warps should not have both.
struct Grouping {
  std::uint32_t key[threads];
  float reach[threads];
  std::int32_t body[threads], from[threads];

  /// Takes what every thread of a block knows and gives it what another one does, whose number it returns. Points that
  /// are as far, but for a factor of two, stay in order.
  __device__ std::int32_t exchange(KnownReach& known) {
    const std::uint32_t mine = __float_as_uint(known.reach) >> 23 << 8 | threadIdx.x;
    key[threadIdx.x] = mine;
    __syncthreads();
    int place = 0;
    for (int k = 0; k < threads; ++k) place += key[k] < mine;
    reach[place] = known.reach;
    body[place] = known.body;
    from[place] = static_cast<std::int32_t>(threadIdx.x);
    __syncthreads();
    known = {reach[threadIdx.x], body[threadIdx.x]};
    const std::int32_t its = from[threadIdx.x];
    __syncthreads();
    return its;
  }
};

union SearchMemory {
  Grouping grouping;
  struct {
    Stacks stacks;
    Lists lists;
  };
};

/// Point i, or another one if that is nowhere.
__device__ TwofoldVector point_or_none(const WallQueries& queries, std::int64_t i) {
  const TwofoldVector point = queries.point(i);
  return queries.accept(i, point) ? point : TwofoldVector{};
}

/// Pieces that may be the nearest, of points in the order in which warps looked for them.
struct Candidates {
  std::int32_t* point;  ///< [places] the number of each point; −1: none
  std::int32_t* piece;  ///< [Lists::most][places] after the last one −1; or too_many
  std::int64_t places;  ///< a multiple of `threads`

  __device__ std::int32_t& operator()(int k, std::int64_t place) const { return piece[k * places + place]; }
};

/// Lists the candidates of each point.
__global__ void __launch_bounds__(threads) search_near(Call call, Candidates candidates) {
  __shared__ SearchMemory memory;
  const std::int64_t last = call.count - 1;
  std::int64_t t = thread_index();
  KnownReach known = first_reach(call, point_or_none(call.queries, call.point_number(smaller(t, last))));
  t += memory.grouping.exchange(known) - static_cast<std::int32_t>(threadIdx.x);
  const TwofoldVector point = point_or_none(call.queries, call.point_number(smaller(t, last)));
  NearFaces<threads> faces(memory.lists, known);
  PacketSearch search(call.trees, memory.stacks.entries[threadIdx.x / 32]);
  for_each_tree(call, point, search, [&](std::int32_t) { search.run(faces); });
  const std::int64_t place = thread_index();
  const int found = faces.finish();
  for (int k = 0; k < found; ++k) candidates(k, place) = faces.piece(k);
  if (found < Lists::most) candidates(found < 0 ? 0 : found, place) = found < 0 ? too_many : -1;
  candidates.point[place] = t < call.count ? static_cast<std::int32_t>(t) : -1;
}

/// The answers of the points of a block so far.
struct BestOfBlock {
  unsigned long long distance[threads];  ///< its bits
  std::int32_t piece[threads];
  std::int32_t point[threads];
  std::int32_t first[threads + 1];  ///< number of the first candidate but one of a point among those of all points

  __device__ std::int32_t owner(std::int32_t candidate) const {
    std::int32_t low = 0, high = threads - 1;  // the last one whose first is not behind it
    while (low < high) {
      const std::int32_t half = (low + high + 1) / 2;
      if (first[half] <= candidate)
        low = half;
      else
        high = half - 1;
    }
    return low;
  }

  /// Makes sums of the counts of the threads before. Counts are in first[1 + thread].
  __device__ void sum_counts() {
    for (int step = 1; step < threads; step *= 2) {
      const auto t = static_cast<int>(threadIdx.x);
      const std::int32_t sum = first[1 + t] + (t >= step ? first[1 + t - step] : 0);
      __syncthreads();
      first[1 + t] = sum;
      __syncthreads();
    }
  }

  /// Takes what each thread found for a point, if it found any. Whether it is the best one now.
  __device__ bool take(bool has_found, std::int32_t its_point, const NearestFace& found) {
    const auto bits = static_cast<unsigned long long>(__double_as_longlong(found.distance));
    const unsigned long long before = distance[threadIdx.x];
    __syncthreads();
    if (has_found) atomicMin(&distance[its_point], bits);
    __syncthreads();
    if (distance[threadIdx.x] != before) piece[threadIdx.x] = no_piece;
    __syncthreads();
    const auto number = static_cast<std::int32_t>(found.piece);
    const bool is_near = has_found && bits == distance[its_point];
    if (is_near) atomicMin(&piece[its_point], number);
    __syncthreads();
    return is_near && number == piece[its_point];
  }

  static constexpr std::int32_t no_piece = std::numeric_limits<std::int32_t>::max();
};

/// Sees candidates exactly: the first one of each point by its own thread, then all others by any.
__global__ void __launch_bounds__(threads) settle(Call call, Candidates candidates, Waiting crowded) {
  __shared__ BestOfBlock best;
  const auto mine = static_cast<std::int32_t>(threadIdx.x);
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * threads;
  const auto see = [&](std::int32_t its_point, std::int32_t piece, NearestFace& nearest) {
    const TwofoldVector point = call.queries.point(call.point_number(best.point[its_point]));
    call.pieces.see(call.queries, point, piece, nearest);
  };
  const auto write = [&](std::int32_t its_point, const NearestFace& nearest) {
    const std::int64_t i = call.point_number(best.point[its_point]);
    call.pieces.write(call.queries, i, call.queries.point(i), nearest);
  };
  const std::int32_t point = candidates.point[begin + mine];
  std::int32_t count = 0;
  if (point >= 0) {
    const std::int64_t i = call.point_number(point);
    if (candidates(0, begin + mine) == too_many)
      crowded.add(point);
    else if (call.queries.accept(i, call.queries.point(i)))
      while (count < Lists::most && candidates(count, begin + mine) >= 0) ++count;
  }
  best.point[mine] = point;
  best.first[1 + mine] = count > 1 ? count - 1 : 0;
  if (mine == 0) best.first[0] = 0;
  NearestFace nearest;
  if (count > 0) {
    see(mine, candidates(0, begin + mine), nearest);
    write(mine, nearest);
  }
  best.distance[mine] = static_cast<unsigned long long>(__double_as_longlong(nearest.distance));
  best.piece[mine] = static_cast<std::int32_t>(nearest.piece);
  __syncthreads();
  best.sum_counts();
  for (std::int32_t others = 0; others < best.first[threads]; others += threads) {
    const std::int32_t candidate = others + mine;
    const bool has_any = candidate < best.first[threads];
    const std::int32_t its_point = has_any ? best.owner(candidate) : 0;
    NearestFace found;
    if (has_any) see(its_point, candidates(1 + candidate - best.first[its_point], begin + its_point), found);
    if (best.take(has_any, its_point, found)) write(its_point, found);
  }
}

/// A warp for each point that has many pieces nearly as near as the nearest one.
__global__ void __launch_bounds__(threads) search_crowded(Call call, Waiting crowded) {
  __shared__ Stacks stacks;
  __shared__ std::int32_t waiting[threads / 32][32];
  const unsigned warp = threadIdx.x / 32;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * (threads / 32);
  for (std::int64_t k = thread_index() / 32; k < *crowded.count; k += step) {
    const std::int64_t i = call.point_number(crowded.points[k]);
    const TwofoldVector point = call.queries.point(i);
    ExactFaces faces(call.queries, call.pieces, point, waiting[warp]);
    PacketSearch search(call.trees, stacks.entries[warp]);
    for_each_tree(call, point, search, [&](std::int32_t) { search.run(faces); });
    faces.finish(i);
  }
}

/// Answers those points of update() whose proof holds, and lists the others.
__global__ void __launch_bounds__(settle_threads)
    try_proofs(Call call, const BodyPose* poses, std::int32_t newest, Proof* proofs, Waiting unproven,
               unsigned long long* reused) {
  const std::int64_t t = thread_index();
  if (t >= call.count) return;
  const std::int64_t i = call.point_number(t);
  const TwofoldVector point = call.queries.point(i);
  Proof& proof = proofs[i];
  if (!call.queries.accept(i, point)) {
    proof.epoch = -1;
    return;
  }
  NearestFace nearest;
  bool is_proven = false;
  if (proof.epoch >= 0 && newest - proof.epoch < PoseHistory::most) {
    const BodyPose* then = poses + static_cast<std::int64_t>(proof.epoch % PoseHistory::most) * call.trees.bodies;
    std::int32_t seen_from = -1;
    BodySight sight;
    is_proven = prove(
        proof, call.trees.bodies, call.pieces.shape, call.pieces.body,
        [&](std::int32_t body) -> const BodySight& {
          if (body != seen_from) sight = see_from_body(point, proof, call.pieces.pose[body], then[body]);
          seen_from = body;
          return sight;
        },
        nearest);
  }
  if (is_proven) {
    atomicAdd(reused, 1ull);
    call.pieces.write(call.queries, i, point, nearest);
  } else {
    unproven.add(static_cast<std::int32_t>(t));
  }
}

/// Searches for listed points and keeps proofs.
__global__ void __launch_bounds__(threads)
    search_and_prove(Call call, std::int32_t newest, float room, Proof* proofs, Waiting unproven) {
  __shared__ SearchMemory memory;
  const std::int64_t count = *unproven.count;
  if (static_cast<std::int64_t>(blockIdx.x) * threads >= count) return;
  std::int64_t t = thread_index();
  const auto point_of = [&] { return call.queries.point(call.point_number(unproven.points[smaller(t, count - 1)])); };
  KnownReach known = first_reach(call, point_of());
  t += memory.grouping.exchange(known) - static_cast<std::int32_t>(threadIdx.x);
  const TwofoldVector point = point_of();
  ProvenFaces<threads> faces(memory.lists, call.pieces.body, room, known);
  PacketSearch search(call.trees, memory.stacks.entries[threadIdx.x / 32]);
  for_each_tree(call, point, search, [&](std::int32_t body) {
    faces.enter(body);
    search.run(faces);
  });
  if (t >= count) return;
  Proof& proof = proofs[call.point_number(unproven.points[t])];
  const bool has_all = faces.finish(proof);
  proof.at[0] = point.x.high;
  proof.at[1] = point.y.high;
  proof.at[2] = point.z.high;
  proof.epoch = has_all ? newest : -1;
}

/// Sees the candidates of new proofs.
__global__ void __launch_bounds__(settle_threads)
    settle_proven(Call call, const Proof* proofs, Waiting unproven, Waiting crowded) {
  const std::int64_t t = thread_index();
  if (t >= *unproven.count) return;
  const std::int32_t listed = unproven.points[t];
  const std::int64_t i = call.point_number(listed);
  const Proof& proof = proofs[i];
  if (proof.epoch < 0) return crowded.add(listed);
  const TwofoldVector point = call.queries.point(i);
  NearestFace nearest;
  for (int k = 0; k < Proof::most && proof.piece[k] >= 0; ++k)
    if (!(static_cast<double>(proof.bound[k]) > nearest.distance))
      call.pieces.see(call.queries, point, proof.piece[k], nearest);
  call.pieces.write(call.queries, i, point, nearest);
}

class BvhSearch : public WallSearch {
 public:
  BvhSearch(const Queue& queue, const WallPieces& pieces, double motion)
      : pieces_(queue, pieces),
        trees_(queue, pieces),
        room_(2 * static_cast<float>(motion)),
        candidates_(queue, 0),
        unproven_(queue, 0),
        crowded_(queue, 0),
        counts_(queue, 2),
        reused_(queue, 1),
        history_(pieces),
        poses_(queue, PoseHistory::most * pieces.body_count()),
        proofs_(queue, 0) {
    trees_.build(pieces_.now());
  }

  void find(const WallQueries& queries) override {
    const std::int64_t places = (std::min(queries.count(), most_points) + threads - 1) / threads * threads;
    candidates_.resize((1 + Lists::most) * places);
    for_each_part(queries, [&](const Call& call) {
      const Candidates candidates{candidates_.data(), candidates_.data() + places, places};
      launch<threads>(queue(), call.count, search_near, call, candidates);
      launch<threads>(queue(), call.count, settle, call, candidates, crowded());
      launch<threads>(queue(), crowded_threads, search_crowded, call, crowded());
    });
  }

  void update(const WallQueries& queries) override {
    if (proofs_.count() != queries.count()) forget(queries.count());
    if (history_.note(pieces_.host().pose)) {
      const std::int64_t bodies = pieces_.host().body_count();
      const std::int64_t slot = history_.newest() % PoseHistory::most;
      copy<BodyPose>(queue(), pieces_.host().pose, {poses_.data() + slot * bodies, bodies, poses_.device()});
    }
    const std::int32_t newest = history_.newest();
    fill_bytes(queue(), reused_.data(), 0, sizeof(unsigned long long));
    for_each_part(queries, [&](const Call& call) {
      unproven_.resize(std::min(queries.count(), most_points));
      launch<settle_threads>(queue(), call.count, try_proofs, call, poses_.data(), newest, proofs_.data(), unproven(),
                             reused_.data());
      launch<threads>(queue(), call.count, search_and_prove, call, newest, room_, proofs_.data(), unproven());
      launch<settle_threads>(queue(), call.count, settle_proven, call, proofs_.data(), unproven(), crowded());
      launch<threads>(queue(), crowded_threads, search_crowded, call, crowded());
    });
  }

  std::int64_t reused() const override { return static_cast<std::int64_t>(to_host(queue(), reused_)[0]); }

  void refit() override {
    pieces_.reshape();
    trees_.fit(pieces_.now());
    forget(proofs_.count());
  }

  std::int64_t bytes() const override {
    return pieces_.bytes() + trees_.bytes() + candidates_.bytes() + unproven_.bytes() + crowded_.bytes() +
           poses_.bytes() + proofs_.bytes();
  }

 private:
  static constexpr std::int64_t crowded_threads = 1 << 16;

  const Queue& queue() const { return pieces_.queue(); }
  Waiting unproven() { return {unproven_.data(), counts_.data()}; }
  Waiting crowded() { return {crowded_.data(), counts_.data() + 1}; }

  /// Calls work(call) for so many points at a time that lists have room for.
  template <class Work>
  void for_each_part(const WallQueries& queries, Work&& work) {
    const std::int64_t n = queries.count();
    crowded_.resize(std::min(n, most_points));
    const DevicePieces pieces = pieces_.now();
    for (std::int64_t first = 0; first < n; first += most_points) {
      fill_bytes(queue(), counts_.data(), 0, 2 * sizeof(unsigned));
      work(Call{queries, pieces, trees_.view(), first, static_cast<std::int32_t>(std::min(n - first, most_points))});
    }
  }

  void forget(std::int64_t count) {
    proofs_.resize(count);
    fill_bytes(queue(), proofs_.data(), 0xff, static_cast<std::size_t>(count) * sizeof(Proof));
  }

  PiecesOnDevice pieces_;
  TreesOnDevice trees_;
  float room_;  ///< m, for candidates
  Array<std::int32_t> candidates_, unproven_, crowded_;
  Array<unsigned> counts_;  ///< [2] of the lists
  Array<unsigned long long> reused_;
  PoseHistory history_;
  Array<BodyPose> poses_;  ///< [PoseHistory::most][bodies]
  Array<Proof> proofs_;
};

std::unique_ptr<WallSearch> open(const Queue& queue, const WallPieces& pieces, double motion) {
  return std::make_unique<BvhSearch>(queue, pieces, motion);
}

}  // namespace

const WallDistanceMethod wall_distance_bvh_cuda{{"bvh", DeviceKind::cuda, true, "shoal"}, open};

}  // namespace shoal
