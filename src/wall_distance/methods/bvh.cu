// SPDX-License-Identifier: Apache-2.0
// bvh: a bounding-volume hierarchy that warps go through for 32 points at once.
//
// idea           pieces in an order that halves every range across its longest edge; four are a leaf, eight leaves or
//                nodes are a node, so the tree needs no pointers. A warp takes 32 points, goes down to the leaf that is
//                nearest to one of them for a first bound, and then to wherever any of them must look: to boxes, to
//                the disks around leaves, which lie closer to a surface, to pieces. Points of a block are exchanged
//                between warps so that those of a warp are about as far from the walls: far ones look at more of the
//                tree. Points that follow each other far apart are put on a Hilbert curve first. Boxes, disks and
//                distances to pieces are in float, with what rounding may do to them taken off; another kernel sees
//                the one or two pieces that are left for each point exactly. The rare point with more than 16 of them,
//                or in a warp that took too long, gets a warp of its own, whose threads share the boxes. So the answer
//                is that of `serial`, bit for bit; with a tolerance far away, that of a face near enough. update()
//                tries kept proofs first; docs/decisions/0006 has the measurements
// source         shoal
// memory         some 98 bytes a triangle for boxes and leaves, 40 for building, besides 88 of the triangle; 9 bytes a
//                point, 72 more of two million at most; 72 a point for update(), and 8 of two million
// atomics        to build, and to list points that need another kernel; their order does not matter
// deterministic  yes: the answer does not depend on the order of the search
// wins when      there are more than some hundred faces
// loses when     most points are as far from hundreds of faces: centers of spheres
// differs        -
#include "wall_distance/bvh_cuda/find_kernels.cuh"
#include "wall_distance/bvh_cuda/update_kernels.cuh"
#include "wall_distance/methods/methods.hpp"

namespace shoal {

namespace {

using namespace packets;

class BvhSearch : public WallSearch {
 public:
  BvhSearch(const Queue& queue, const WallPieces& pieces, double motion)
      : pieces_(queue, pieces),
        trees_(queue, pieces),
        room_(2 * static_cast<float>(motion)),
        candidates_(queue, 0),
        to_search_(queue, 0),
        to_prove_(queue, 0),
        crowded_(queue, 0),
        counts_(queue, lists),
        reused_(queue, 1),
        order_(queue),
        kept_order_(queue),
        history_(pieces),
        poses_(queue, PoseHistory::most * pieces.body_count()),
        proofs_(queue, 0) {
    trees_.build(pieces_.now());
    fill_bytes(queue, reused_.data(), 0, sizeof(unsigned long long));
  }

  void find(const WallQueries& queries) override {
    order_.arrange(queries);
    for_each_part(queries, order_, [&](const Call& call) {
      launch<threads>(queue(), call.count, search_near, call, Listed(), candidates(nullptr));
      settle_all(call, candidates(nullptr));
    });
  }

  void update(const WallQueries& asked) override {
    WallQueries queries = asked;
    queries.far = {};
    if (proofs_.count() != queries.count()) {
      forget(queries.count());
      kept_order_.arrange(queries);
    }
    if (history_.note(pieces_.host().pose)) {
      const std::int64_t bodies = pieces_.host().body_count();
      const std::int64_t slot = history_.newest() % PoseHistory::most;
      copy<BodyPose>(queue(), pieces_.host().pose, {poses_.data() + slot * bodies, bodies, poses_.device()});
    }
    const std::int32_t newest = history_.newest();
    fill_bytes(queue(), reused_.data(), 0, sizeof(unsigned long long));
    for_each_part(queries, kept_order_, [&](const Call& call) {
      for (Array<std::int32_t>* list : {&to_search_, &to_prove_}) list->resize(std::min(queries.count(), most_points));
      launch<threads>(queue(), call.count, try_proofs, call, poses_.data(), newest, proofs_.data(), to_search(),
                      to_prove(), reused_.data());
      launch<threads>(queue(), call.count, search_near, call, Listed(to_search()), candidates(to_search().count));
      launch<threads>(queue(), call.count, settle, call, candidates(to_search().count), crowded());
      launch<threads>(queue(), call.count, search_and_prove, call, newest, room_, proofs_.data(), Listed(to_prove()),
                      candidates(to_prove().count));
      settle_all(call, candidates(to_prove().count));
    });
  }

  std::int64_t reused() const override { return static_cast<std::int64_t>(to_host(queue(), reused_)[0]); }

  void refit() override {
    pieces_.reshape();
    trees_.fit(pieces_.now());
    forget(proofs_.count());
  }

  std::int64_t bytes() const override {
    return pieces_.bytes() + trees_.bytes() + candidates_.bytes() + to_search_.bytes() + to_prove_.bytes() +
           crowded_.bytes() + poses_.bytes() + proofs_.bytes() + order_.bytes() + kept_order_.bytes();
  }

 private:
  static constexpr std::int64_t crowded_threads = 1 << 16;
  static constexpr std::int64_t lists = 3;

  const Queue& queue() const { return pieces_.queue(); }
  Waiting to_search() { return {to_search_.data(), counts_.data()}; }
  Waiting to_prove() { return {to_prove_.data(), counts_.data() + 1}; }
  Waiting crowded() { return {crowded_.data(), counts_.data() + 2}; }

  /// @param used  as Candidates has it
  Candidates candidates(const unsigned* used) {
    const std::int64_t places = candidates_.count() / (1 + Lists::most);
    return {candidates_.data(), candidates_.data() + places, places, used};
  }

  void settle_all(const Call& call, const Candidates& of) {
    launch<threads>(queue(), call.count, settle, call, of, crowded());
    launch<threads>(queue(), crowded_threads, search_crowded, call, crowded());
  }

  /// Calls work(call) for so many points at a time that lists have room for.
  template <class Work>
  void for_each_part(const WallQueries& queries, const PointOrder& order, Work&& work) {
    const std::int64_t n = queries.count();
    crowded_.resize(std::min(n, most_points));
    candidates_.resize((1 + Lists::most) * ((crowded_.count() + threads - 1) / threads * threads));
    const DevicePieces pieces = pieces_.now();
    for (std::int64_t first = 0; first < n; first += most_points) {
      fill_bytes(queue(), counts_.data(), 0, lists * sizeof(unsigned));
      work(Call{queries, pieces, trees_.view(), order.view(), first,
                static_cast<std::int32_t>(std::min(n - first, most_points))});
    }
  }

  void forget(std::int64_t count) {
    proofs_.resize(count);
    fill_bytes(queue(), proofs_.data(), 0xff, static_cast<std::size_t>(count) * sizeof(Proof));
  }

  PiecesOnDevice pieces_;
  TreesOnDevice trees_;
  float room_;  ///< m, for candidates
  Array<std::int32_t> candidates_, to_search_, to_prove_, crowded_;
  Array<unsigned> counts_;  ///< [lists]
  Array<unsigned long long> reused_;
  PointOrder order_, kept_order_;  ///< of find() and update()
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
