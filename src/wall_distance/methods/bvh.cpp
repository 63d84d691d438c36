// SPDX-License-Identifier: Apache-2.0
// bvh: a bounding-volume hierarchy, eight boxes and eight triangles at a time.
//
// idea           boxes in float, rounded outwards, prune; a lower bound in float, with its rounding taken off, says
//                which triangles of a leaf may be nearest; only those are seen exactly. What is pruned is farther than
//                the answer for certain, so the answer is that of `serial`, bit for bit
// source         shoal; wide trees after Wald, Benthin and Boulos (2008), "Getting rid of packets"
// memory         some 180 bytes a triangle for boxes and leaves, besides 89 of the triangle; 72 a point for update()
// atomics        none
// deterministic  yes: the answer does not depend on the order of the search
// wins when      always on a CPU, but for some ten faces
// loses when     points are far from the walls: hundreds of triangles are then nearly as near as the nearest one
// differs        -
#include <omp.h>

#include <algorithm>
#include <type_traits>

#include "core/cpu_variants.hpp"
#include "wall_distance/bvh_cpu/certified_search.hpp"
#include "wall_distance/methods/methods.hpp"

namespace shoal {

namespace {

constexpr std::int64_t chunk = 512;  ///< points that a thread takes at a time

template <class Tally>
SHOAL_CPU_VARIANTS Tally find_range(const BodyTrees& trees, const WallQueries& queries, Range range) {
  Tally tally;
  for (std::int64_t i = range.begin; i < range.end; ++i) {
    const TwofoldVector point = queries.point(i);
    if (!queries.accept(i, point)) continue;
    NearestFace nearest;
    trees.search<false>(point, queries.body, queries.far, nearest, nullptr, tally);
    write_answer(queries, i, point, trees.pieces, nearest);
    if (!queries.far.is_exact()) queries.write_lower(i, queries.far.reach(nearest.distance));
  }
  return tally;
}

/// Returns how many points needed no search.
SHOAL_CPU_VARIANTS std::int64_t update_range(const BodyTrees& trees, const WallQueries& queries, Range range,
                                             const PoseHistory& history, std::vector<float>& outside, Proof* proofs) {
  std::int64_t reused = 0;
  for (std::int64_t i = range.begin; i < range.end; ++i) {
    const TwofoldVector point = queries.point(i);
    Proof& proof = proofs[i];
    if (!queries.accept(i, point)) {
      proof.epoch = -1;
      continue;
    }
    NearestFace nearest;
    bool is_proven = false;
    if (history.has(proof.epoch))
      is_proven = prove(proof, trees.pieces.body_count(), trees.pieces.shape.data(), trees.pieces.body.data(),
                        {point, proof, trees.pieces.pose.data(), history.of(proof.epoch)}, nearest, trees.scale);
    if (is_proven)
      ++reused;
    else
      search_and_prove(trees, point, history.newest(), outside, nearest, proof);
    write_answer(queries, i, point, trees.pieces, nearest);
  }
  return reused;
}

class BvhSearch : public WallSearch {
 public:
  BvhSearch(const Queue& queue, const WallPieces& pieces, double motion)
      : queue_(queue), trees_{pieces, {}, tree_scale(pieces), 0}, motion_(motion), history_(pieces), proofs_(queue, 0) {
    take_motion();
    for (std::int32_t body = 0; body < pieces.body_count(); ++body)
      trees_.trees.emplace_back(pieces, body, trees_.scale);
    outside_.resize(static_cast<std::size_t>(queue.threads()), std::vector<float>(pieces.pose.size()));
  }

  void find(const WallQueries& queries) override {
    if (queries.tested != nullptr)
      *queries.tested = find_all<FaceTally>(queries).tested;
    else
      find_all<NoTally>(queries);
  }

  void update(const WallQueries& queries) override {
    if (proofs_.count() != queries.count()) forget(queries.count());
    history_.note(trees_.pieces.pose);
    reused_ = for_each_chunk(queries.count(), [&](Range range) {
      return update_range(trees_, queries, range, history_, outside_[static_cast<std::size_t>(omp_get_thread_num())],
                          proofs_.data());
    });
  }

  std::int64_t reused() const override { return reused_; }

  void refit() override {
    trees_.scale = tree_scale(trees_.pieces);
    take_motion();
    for (WallTree& tree : trees_.trees) tree.refit(trees_.pieces, trees_.scale);
    forget(proofs_.count());
  }

  std::int64_t bytes() const override {
    std::int64_t total = proofs_.bytes();
    for (const WallTree& tree : trees_.trees) total += tree.bytes();
    return total;
  }

 private:
  void take_motion() { trees_.motion = static_cast<float>(motion_ * trees_.scale); }

  void forget(std::int64_t count) {
    proofs_.resize(count);
    for (std::int64_t i = 0; i < count; ++i) proofs_.data()[i].epoch = -1;
  }

  template <class Tally>
  Tally find_all(const WallQueries& queries) const {
    return for_each_chunk(queries.count(), [&](Range range) { return find_range<Tally>(trees_, queries, range); });
  }

  /// The sum of what `work` returns.
  template <class Work>
  std::invoke_result_t<const Work&, Range> for_each_chunk(std::int64_t n, const Work& work) const {
    std::invoke_result_t<const Work&, Range> sum{};
#pragma omp parallel num_threads(queue_.threads())
    {
      auto own = decltype(sum){};
#pragma omp for schedule(dynamic)
      for (std::int64_t begin = 0; begin < n; begin += chunk) own += work(Range{begin, std::min(n, begin + chunk)});
#pragma omp critical(shoal_wall_distance_sum)
      sum += own;
    }
    return sum;
  }

  Queue queue_;
  BodyTrees trees_;
  double motion_;                            ///< m
  std::vector<std::vector<float>> outside_;  ///< one a thread, see Candidates
  PoseHistory history_;
  Array<Proof> proofs_;
  std::int64_t reused_ = 0;
};

std::unique_ptr<WallSearch> open(const Queue& queue, const WallPieces& pieces, double motion) {
  return std::make_unique<BvhSearch>(queue, pieces, motion);
}

}  // namespace

const WallDistanceMethod wall_distance_bvh_cpu{{"bvh", DeviceKind::cpu, true, "shoal"}, open};

}  // namespace shoal
