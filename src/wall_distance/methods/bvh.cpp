// SPDX-License-Identifier: Apache-2.0
// bvh: a bounding-volume hierarchy, eight boxes and eight triangles at a time.
//
// idea           boxes in float, rounded outwards, prune; a lower bound in float, with its rounding taken off, says
// which
//                triangles of a leaf may be nearest; only those are seen exactly. What is pruned is farther than the
//                answer for certain, so the answer is that of `serial`, bit for bit
// source         shoal; wide trees after Wald, Benthin and Boulos (2008), "Getting rid of packets"
// memory         some 45 bytes a triangle for boxes and 110 for leaves, besides 84 of the triangle
// atomics        none
// deterministic  yes: the answer does not depend on the order of the search
// wins when      always on a CPU, but for some ten faces
// loses when     points are far from the walls: hundreds of triangles are then nearly as near as the nearest one
// differs        -
#include <omp.h>

#include <algorithm>
#include <array>

#include "wall_distance/methods/methods.hpp"
#include "wall_distance/wall_tree.hpp"

namespace shoal {

namespace {

constexpr std::int64_t chunk = 512;  ///< points that a thread takes at a time
constexpr float infinity = std::numeric_limits<float>::infinity();

/// Boxes and leaves still to be looked at, nearest on top.
struct Stack {
  struct Entry {
    float bound;  ///< squared
    std::int32_t child;
  };
  static constexpr int most = 256;

  std::array<Entry, most> entries;
  int count = 0;

  /// Brings `entry` in behind those from `from` on that are farther.
  SHOAL_HD void insert(Entry entry, int from) {
    int place = count++;
    for (; place > from && entries[static_cast<std::size_t>(place - 1)].bound < entry.bound; --place)
      entries[static_cast<std::size_t>(place)] = entries[static_cast<std::size_t>(place - 1)];
    entries[static_cast<std::size_t>(place)] = entry;
  }
};

/// What keeps the proof of an answer: the pieces that may become the nearest, and how far all others are at least.
struct Candidates {
  static constexpr int most = 4;

  float bound[most];  ///< m, ascending: no farther than the piece
  std::int32_t piece[most];
  int count = 0;
  float* outside = nullptr;               ///< [bodies] m: all pieces of the body that are not here are at least so far
  const std::int32_t* body_of = nullptr;  ///< [pieces]

  SHOAL_HD void leave_out(std::int32_t body, float its_bound) { outside[body] = smaller(outside[body], its_bound); }

  SHOAL_HD void offer(std::int32_t its_piece, float its_bound) {
    if (count == most) {
      if (its_bound >= bound[most - 1]) return leave_out(body_of[its_piece], its_bound);
      leave_out(body_of[piece[most - 1]], bound[most - 1]);
      --count;
    }
    int place = count++;
    for (; place > 0 && bound[place - 1] > its_bound; --place) {
      bound[place] = bound[place - 1];
      piece[place] = piece[place - 1];
    }
    bound[place] = its_bound;
    piece[place] = its_piece;
  }
};

SHOAL_HD float largest_of(const float (&a)[3]) {
  return larger(std::abs(a[0]), larger(std::abs(a[1]), std::abs(a[2])));
}

/// The search for the pieces of one body that are nearer to a point than what was found so far.
/// @tparam keep  whether candidates for later are kept, too
template <bool keep>
struct Descent {
  const WallTree& tree;
  const WallPieces& pieces;
  TwofoldVector point;  ///< as the body sees it
  NearestFace& nearest;
  Candidates* candidates;
  float motion;     ///< m: candidates are those within so much more than the distance
  float at[3];      ///< m, from the centre of the tree
  float box_error;  ///< m, what rounding of `at` may add to the distance from a box
  float limit;      ///< squared: boxes that are farther need not be looked at
  Stack stack;

  SHOAL_HD Descent(const WallTree& its_tree, const WallPieces& its_pieces, const TwofoldVector& its_point,
                   NearestFace& so_far, Candidates* to_keep, float its_motion)
      : tree(its_tree), pieces(its_pieces), point(its_point), nearest(so_far), candidates(to_keep), motion(its_motion) {
    offset(tree.centre, at);
    box_error = 0x1p-23f * largest_of(at);
    limit = limit_with(box_error + motion);
  }

  SHOAL_HD void offset(const double (&origin)[3], float (&from)[3]) const {
    from[0] = static_cast<float>(point.x.high - origin[0]);
    from[1] = static_cast<float>(point.y.high - origin[1]);
    from[2] = static_cast<float>(point.z.high - origin[2]);
  }

  /// The square that a number computed in float may have and still belong to something as near as the nearest piece.
  SHOAL_HD float limit_with(float error) const {
    const float reach = static_cast<float>(nearest.distance) * (1 + 0x1p-21f) + error;
    return reach * reach;
  }

  /// m, what a square computed in float proves.
  SHOAL_HD static float proven(float squared, float error) { return fast_sqrt(squared) * (1 - 0x1p-20f) - error; }

  SHOAL_HD void leave_out(float squared, float error) {
    if constexpr (keep) candidates->leave_out(body(), proven(squared, error));
  }
  SHOAL_HD std::int32_t body() const { return pieces.body[static_cast<std::size_t>(tree.leaves[0].piece[0])]; }

  SHOAL_HD void look_at_node(const WallTree::Node& node) {
    float bound[WallTree::width];
    for (int i = 0; i < WallTree::width; ++i) {
      float sum = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const float outside = larger(0.0f, larger(node.lower[axis][i] - at[axis], at[axis] - node.upper[axis][i]));
        sum += outside * outside;
      }
      bound[i] = sum;
    }
    const int from = stack.count;
    for (int i = 0; i < WallTree::width && node.child[i] != WallTree::no_child; ++i) {
      if (bound[i] > limit)
        leave_out(bound[i], box_error);
      else
        stack.insert({bound[i], node.child[i]}, from);
    }
  }

  SHOAL_HD void look_at_leaf(const WallTree::Leaf& leaf) {
    float w[3];
    offset(leaf.origin, w);
    const float error = flat_error * (largest_of(w) + leaf.size);
    float bound[WallTree::width];
    for (int i = 0; i < WallTree::width; ++i) bound[i] = flat_distance_squared(leaf.flat, i, w[0], w[1], w[2]);
    int first = 0;
    for (int i = 1; i < leaf.count; ++i)
      if (bound[i] < bound[first]) first = i;
    see_if_near(leaf, first, bound[first], error);
    for (int i = 0; i < leaf.count; ++i)
      if (i != first) see_if_near(leaf, i, bound[i], error);
    limit = limit_with(box_error + motion);
  }

  SHOAL_HD void see_if_near(const WallTree::Leaf& leaf, int i, float bound, float error) {
    const std::int32_t piece = leaf.piece[i];
    if constexpr (keep) candidates->offer(piece, proven(bound, error));
    if (!(bound > limit_with(error))) nearest.see(point, pieces.shape[static_cast<std::size_t>(piece)], piece);
  }

  SHOAL_HD void run() {
    stack.insert({0, 0}, 0);
    while (stack.count > 0) {
      const Stack::Entry entry = stack.entries[static_cast<std::size_t>(--stack.count)];
      if (entry.bound > limit)
        leave_out(entry.bound, box_error);
      else if (entry.child < 0)
        look_at_leaf(tree.leaves[static_cast<std::size_t>(-1 - entry.child)]);
      else
        look_at_node(tree.nodes[static_cast<std::size_t>(entry.child)]);
    }
  }
};

/// What is kept of a point's last search.
struct Proof {
  double at[3];                          ///< m, where the point was
  std::int32_t epoch = -1;               ///< number of the poses that the bodies had; −1: there is no proof
  std::int32_t body;                     ///< of the nearest face
  float own, other;                      ///< m: all else of that body, and of all other ones, is at least so far
  float bound[Candidates::most];         ///< m, of the candidates, ascending
  std::int32_t piece[Candidates::most];  ///< −1: none, and none follows
};

/// Poses that bodies had, the last ones of them.
class PoseHistory {
 public:
  static constexpr std::int32_t most = 64;

  explicit PoseHistory(const WallPieces& pieces)
      : bodies_(pieces.pose.size()), poses_(static_cast<std::size_t>(most) * pieces.pose.size()) {}

  /// The present poses are the newest ones.
  void note(const std::vector<BodyPose>& pose) {
    if (newest_ >= 0 && std::equal(pose.begin(), pose.end(), of(newest_))) return;
    std::copy(pose.begin(), pose.end(), poses_.begin() + (of(++newest_) - poses_.data()));
  }
  std::int32_t newest() const { return newest_; }
  bool has(std::int32_t epoch) const { return epoch >= 0 && newest_ - epoch < most; }
  const BodyPose* of(std::int32_t epoch) const {
    return poses_.data() + static_cast<std::size_t>(epoch % most) * bodies_;
  }

 private:
  std::size_t bodies_;
  std::vector<BodyPose> poses_;
  std::int32_t newest_ = -1;
};

/// Numbers of one thread, one a body.
struct BodyNumbers {
  std::vector<float> outside;          ///< m, see Candidates
  std::vector<TwofoldVector> seen_at;  ///< the point as the body sees it
  std::vector<double> shift;           ///< m, how far the body has seen it move
};

/// All that a search needs.
struct BodyTrees {
  const WallPieces& pieces;
  std::vector<WallTree> trees;  ///< [bodies]
  float motion;

  template <bool keep>
  SHOAL_HD void search(const TwofoldVector& point, std::int32_t only, NearestFace& nearest,
                       Candidates* candidates) const {
    for (std::int32_t body = 0; body < pieces.body_count(); ++body) {
      if (only >= 0 && body != only) continue;
      const auto b = static_cast<std::size_t>(body);
      Descent<keep>(trees[b], pieces, pieces.pose[b].to_body(point), nearest, candidates, keep ? 2 * motion : 0).run();
    }
  }
};

SHOAL_CPU_VARIANTS void find_range(const BodyTrees& trees, const WallQueries& queries, Range range) {
  for (std::int64_t i = range.begin; i < range.end; ++i) {
    const TwofoldVector point = queries.point(i);
    if (!queries.accept(i, point)) continue;
    NearestFace nearest;
    trees.search<false>(point, queries.body, nearest, nullptr);
    write_answer(queries, i, point, trees.pieces, nearest);
  }
}

/// Searches for a point and keeps the proof.
SHOAL_HD void search_and_prove(const BodyTrees& trees, const TwofoldVector& point, std::int32_t epoch,
                               BodyNumbers& numbers, NearestFace& nearest, Proof& proof) {
  std::fill(numbers.outside.begin(), numbers.outside.end(), infinity);
  Candidates candidates;
  candidates.outside = numbers.outside.data();
  candidates.body_of = trees.pieces.body.data();
  trees.search<true>(point, -1, nearest, &candidates);
  proof = {{point.x.high, point.y.high, point.z.high},
           epoch,
           trees.pieces.body[static_cast<std::size_t>(nearest.piece)],
           infinity,
           infinity,
           {},
           {}};
  for (std::int32_t body = 0; body < trees.pieces.body_count(); ++body) {
    float& bound = body == proof.body ? proof.own : proof.other;
    bound = smaller(bound, numbers.outside[static_cast<std::size_t>(body)]);
  }
  for (int k = 0; k < Candidates::most; ++k) {
    proof.bound[k] = k < candidates.count ? candidates.bound[k] : infinity;
    proof.piece[k] = k < candidates.count ? candidates.piece[k] : -1;
  }
}

/// How far each body has seen the point move since the proof; rounded up.
SHOAL_HD void find_shifts(const BodyTrees& trees, const TwofoldVector& point, const Proof& proof, const BodyPose* then,
                          BodyNumbers& numbers) {
  const TwofoldVector was{{proof.at[0], 0}, {proof.at[1], 0}, {proof.at[2], 0}};
  for (std::size_t body = 0; body < trees.trees.size(); ++body) {
    numbers.seen_at[body] = trees.pieces.pose[body].to_body(point);
    const TwofoldVector shift = numbers.seen_at[body] - then[body].to_body(was);
    numbers.shift[body] = fast_sqrt(rounded_dot(shift, shift)) * (1 + 0x1p-40);
  }
}

/// The nearest candidate. Whether it is proven to be the nearest piece of all.
SHOAL_HD bool prove(const BodyTrees& trees, const Proof& proof, const BodyNumbers& numbers, NearestFace& nearest) {
  for (int k = 0; k < Candidates::most && proof.piece[k] >= 0; ++k) {
    const auto piece = static_cast<std::size_t>(proof.piece[k]);
    const auto body = static_cast<std::size_t>(trees.pieces.body[piece]);
    if (proof.bound[k] - numbers.shift[body] > nearest.distance * (1 + 0x1p-40)) continue;
    nearest.see(numbers.seen_at[body], trees.pieces.shape[piece], proof.piece[k]);
  }
  const double distance = nearest.distance * (1 + 0x1p-40);
  for (std::size_t body = 0; body < trees.trees.size(); ++body) {
    const bool is_own = static_cast<std::int32_t>(body) == proof.body;
    if (!(distance < (is_own ? proof.own : proof.other) - numbers.shift[body])) return false;
  }
  return true;
}

/// Returns how many points needed no search.
SHOAL_CPU_VARIANTS std::int64_t update_range(const BodyTrees& trees, const WallQueries& queries, Range range,
                                             const PoseHistory& history, BodyNumbers& numbers, Proof* proofs) {
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
    if (history.has(proof.epoch)) {
      find_shifts(trees, point, proof, history.of(proof.epoch), numbers);
      is_proven = prove(trees, proof, numbers, nearest);
    }
    if (is_proven)
      ++reused;
    else
      search_and_prove(trees, point, history.newest(), numbers, nearest, proof);
    write_answer(queries, i, point, trees.pieces, nearest);
  }
  return reused;
}

class BvhSearch : public WallSearch {
 public:
  BvhSearch(const Queue& queue, const WallPieces& pieces, double motion)
      : queue_(queue), trees_{pieces, {}, static_cast<float>(motion)}, history_(pieces), proofs_(queue, 0) {
    for (std::int32_t body = 0; body < pieces.body_count(); ++body) trees_.trees.emplace_back(pieces, body);
    const std::size_t bodies = pieces.pose.size();
    numbers_.resize(static_cast<std::size_t>(queue.threads()),
                    {std::vector<float>(bodies), std::vector<TwofoldVector>(bodies), std::vector<double>(bodies)});
  }

  void find(const WallQueries& queries) override {
    for_each_chunk(queries.count(), [&](Range range) {
      find_range(trees_, queries, range);
      return std::int64_t{0};
    });
  }

  std::int64_t update(const WallQueries& queries) override {
    if (proofs_.count() != queries.count()) forget(queries.count());
    history_.note(trees_.pieces.pose);
    return for_each_chunk(queries.count(), [&](Range range) {
      return update_range(trees_, queries, range, history_, numbers_[static_cast<std::size_t>(omp_get_thread_num())],
                          proofs_.data());
    });
  }

  void refit() override {
    for (WallTree& tree : trees_.trees) tree.refit(trees_.pieces);
    forget(proofs_.count());
  }

  std::int64_t bytes() const override {
    std::int64_t total = proofs_.bytes();
    for (const WallTree& tree : trees_.trees) total += tree.bytes();
    return total;
  }

 private:
  void forget(std::int64_t count) {
    proofs_.resize(count);
    for (std::int64_t i = 0; i < count; ++i) proofs_.data()[i].epoch = -1;
  }

  /// The sum of what `work` returns.
  template <class Work>
  std::int64_t for_each_chunk(std::int64_t n, const Work& work) const {
    std::int64_t sum = 0;
#pragma omp parallel for num_threads(queue_.threads()) schedule(dynamic) reduction(+ : sum)
    for (std::int64_t begin = 0; begin < n; begin += chunk) sum += work(Range{begin, std::min(n, begin + chunk)});
    return sum;
  }

  Queue queue_;
  BodyTrees trees_;
  std::vector<BodyNumbers> numbers_;  ///< [threads]
  PoseHistory history_;
  Array<Proof> proofs_;
};

std::unique_ptr<WallSearch> open(const Queue& queue, const WallPieces& pieces, double motion) {
  return std::make_unique<BvhSearch>(queue, pieces, motion);
}

}  // namespace

const WallDistanceMethod wall_distance_bvh_cpu{{"bvh", DeviceKind::cpu, true, "shoal"}, open};

}  // namespace shoal
