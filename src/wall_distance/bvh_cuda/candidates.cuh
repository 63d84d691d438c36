// SPDX-License-Identifier: Apache-2.0
// What a search does with the pieces that it meets.
#pragma once
#include "wall_distance/motion/certificate_item.hpp"
#include "wall_distance/bvh_cuda/bvh_query.cuh"

namespace shoal {

/// What is known of a point before its search.
struct Known : KnownPiece {
  std::int32_t body;  ///< of that piece

  __device__ void include(const KnownPiece& other, std::int32_t its_body) {
    if (other.reach < reach) *this = {other, its_body};
  }
};

/// FarReach in float, rounded up: what is left out for it may be left out for certain.
class FlatFarReach {
 public:
  __device__ explicit FlatFarReach(const FarReach& far)
      : share_(far.is_exact() ? 1 : rounded_up(far.share)), beyond_(rounded_up(far.beyond)) {}

  __device__ float reach(float distance) const { return max(share_ * distance, min(distance, beyond_)); }

 private:
  __device__ static float rounded_up(double a) { return static_cast<float>(a) * (1 + 0x1p-21f); }

  float share_, beyond_;
};

/// Room for the pieces of the threads of a block: what waits to be seen exactly.
template <int threads>
struct ShortLists {
  static constexpr int most = 16;  ///< six or so share a corner, and far away some more seem as near
  std::int32_t piece[most][threads];
  float low[most][threads];  ///< m, no farther than the piece
};

struct PlainPoint {
  double x, y, z;
};

/// Raises what is known of the distances to pieces, `stride` apart. Returns the reach that follows. Seldom called, and
/// not in the way of the search's registers.
template <int stride>
__device__ __noinline__ float look_closer_at(PlainPoint at, const FacePiece* shape, const std::int32_t* body_of,
                                             const BodyPose* pose, const std::int32_t* piece, float* low, int count,
                                             float reach) {
  const TwofoldVector point{{at.x, 0}, {at.y, 0}, {at.z, 0}};
  for (int k = 0; k < count * stride; k += stride) {
    const PlainSight sight(pose[body_of[piece[k]]].to_body(point), shape[piece[k]]);
    const int nearest = sight.surely_nearest();
    if (nearest == 0) continue;
    const double squared = sight.squared(nearest), error = 0x1p-38 * sight.reach * sight.reach;
    reach = min(static_cast<float>(fast_sqrt(squared + error)) * (1 + 0x1p-22f), reach);
    low[k] = max(static_cast<float>(fast_sqrt(max(0.0, squared - error))) * (1 - 0x1p-22f), low[k]);
  }
  return reach;
}

/// The pieces of this thread that may be the nearest, by what float knows: close to the walls a point has one or two.
template <int threads>
class ShortList {
 public:
  static constexpr int most = ShortLists<threads>::most;

  /// @param i  number of the point
  __device__ ShortList(ShortLists<threads>& lists, const DevicePieces& pieces, const WallQueries& queries,
                       std::int64_t i, float reach)
      : lists_(lists), pieces_(pieces), queries_(queries), i_(i), reach_(reach) {}

  /// m: there is a piece as near as this.
  __device__ float reach() const { return reach_; }
  __device__ int count() const { return count_; }
  __device__ bool is_full() const { return count_ == most; }
  __device__ std::int32_t piece(int k) const { return lists_.piece[k][threadIdx.x]; }
  __device__ float low(int k) const { return lists_.low[k][threadIdx.x]; }

  __device__ void know(const FlatDistance& found) { reach_ = min(found.high(), reach_); }
  __device__ void put(int k, std::int32_t piece, float low) {
    lists_.piece[k][threadIdx.x] = piece;
    lists_.low[k][threadIdx.x] = low;
  }
  /// There is room.
  __device__ void add(std::int32_t piece, float low) { put(count_++, piece, low); }
  /// Puts a piece where another one was, and gives that one.
  __device__ void exchange(int k, std::int32_t& its_piece, float& its_low) {
    const std::int32_t other = piece(k);
    const float other_low = low(k);
    put(k, its_piece, its_low);
    its_piece = other;
    its_low = other_low;
  }

  /// Calls drop(piece, low) for those that are farther than `limit`, and forgets them.
  template <class Drop>
  __device__ void drop_beyond(float limit, Drop&& drop) {
    int kept = 0;
#pragma unroll 1
    for (int k = 0; k < count_; ++k) {
      if (low(k) > limit)
        drop(piece(k), low(k));
      else
        put(kept++, piece(k), low(k));
    }
    count_ = kept;
  }

  /// Whether the next leaf may have more pieces than there is room for.
  __device__ bool is_short() const { return count_ > most - TreeLeaf::width; }

  /// Finds distances in double: far away, float does not tell faces apart that are side by side.
  __device__ void look_closer() {
    const TwofoldVector at = queries_.point(i_);
    reach_ = look_closer_at<threads>({at.x.high, at.y.high, at.z.high}, pieces_.shape, pieces_.body, pieces_.pose,
                                     &lists_.piece[0][threadIdx.x], &lists_.low[0][threadIdx.x], count_, reach_);
  }

 private:
  ShortLists<threads>& lists_;
  const DevicePieces& pieces_;
  const WallQueries& queries_;
  std::int64_t i_;
  float reach_;
  int count_ = 0;
};

/// Keeps the pieces that may be the nearest.
template <int threads>
class NearFaces {
 public:
  __device__ NearFaces(ShortList<threads>& list, const FarReach& far) : list_(list), far_(far) {}

  __device__ float reach() const { return far_.reach(list_.reach()); }
  __device__ void leave_out(const FlatDistance&) {}

  __device__ void offer(std::int32_t piece, const FlatDistance& found) {
    list_.know(found);
    if (list_.is_full())
      has_all_ = false;
    else
      list_.add(piece, found.low());
  }

  __device__ bool is_short() const { return has_all_ && list_.is_short(); }
  __device__ void make_room() {
    drop_far();
    if (!list_.is_short()) return;
    list_.look_closer();
    drop_far();
    if (list_.is_full()) has_all_ = false;
  }

  __device__ void give_up() { has_all_ = false; }

  /// Whether the list has all of them.
  __device__ bool finish() {
    drop_far();
    return has_all_;
  }

 private:
  __device__ void drop_far() {
    list_.drop_beyond(list_.reach(), [](std::int32_t, float) {});
  }

  ShortList<threads>& list_;
  FlatFarReach far_;
  bool has_all_ = true;
};

/// Keeps a proof, too: candidates within `room` more than the distance, and how far all others are at least.
template <int threads>
class ProvenFaces {
 public:
  /// @param own_body  that of a near piece
  __device__ ProvenFaces(ShortList<threads>& list, const std::int32_t* body_of, float room, std::int32_t own_body)
      : list_(list), body_of_(body_of), room_(room), own_body_(own_body) {}

  __device__ float reach() const { return list_.reach() + room_; }
  /// What is heard of from now on is of this body.
  __device__ void enter(std::int32_t body) { body_ = body; }

  __device__ void leave_out(const FlatDistance& distance) { leave_out_of(body_, distance.low()); }

  __device__ void offer(std::int32_t piece, const FlatDistance& found) {
    list_.know(found);
    float low = found.low();
    if (!list_.is_full()) return list_.add(piece, low);
    for (int k = 0; k < list_.count(); ++k)  // the farthest one gives way
      if (list_.low(k) > low) list_.exchange(k, piece, low);
    leave_out_of(body_of_[piece], low);
  }

  __device__ bool is_short() const { return !is_crowded_ && list_.is_short(); }
  __device__ void make_room() {
    list_.look_closer();
    drop_far();
    if (!list_.is_short()) return;
    room_ = 0;  // in a crowd a proof is not worth its search
    drop_far();
    is_crowded_ = list_.is_short();
  }
  __device__ void give_up() { own_ = other_ = 0; }

  /// Writes the proof, which may have failed. Leaves in the list what may be the nearest.
  /// Whether that is all that may.
  __device__ bool finish(Proof& proof, std::int32_t epoch) {
    const bool has_all = min(own_, other_) > list_.reach();
#pragma unroll 1
    for (int k = 0; k < list_.count(); ++k) {
      std::int32_t piece = list_.piece(k);
      float low = list_.low(k);
      if (k >= Proof::most) {
        leave_out_of(body_of_[piece], low);
        continue;
      }
      for (int i = k + 1; i < list_.count(); ++i)
        if (list_.low(i) < low) list_.exchange(i, piece, low);
      list_.put(k, piece, low);
      proof.piece[k] = piece;
      proof.bound[k] = low;
    }
    for (int k = list_.count(); k < Proof::most; ++k) proof.piece[k] = -1;
    proof.body = own_body_;
    proof.own = own_;
    proof.other = other_;
    proof.epoch = min(own_, other_) > list_.reach() ? epoch : Proof::failed(epoch);
    list_.drop_beyond(list_.reach(), [](std::int32_t, float) {});
    return has_all;
  }

 private:
  __device__ void drop_far() {
    list_.drop_beyond(reach(), [this](std::int32_t piece, float low) { leave_out_of(body_of_[piece], low); });
  }
  __device__ void leave_out_of(std::int32_t body, float low) {
    float& bound = body == own_body_ ? own_ : other_;
    bound = min(low, bound);
  }

  ShortList<threads>& list_;
  const std::int32_t* body_of_;
  float room_;  ///< m
  float own_ = no_distance<float>, other_ = no_distance<float>;
  std::int32_t own_body_, body_ = 0;
  bool is_crowded_ = false;  ///< no more room to be had
};

/// Sees all pieces that may be the nearest exactly, 32 at a time, for one point of all threads of a warp.
class ExactFaces {
 public:
  static constexpr int room = 64;  ///< of pieces that wait

  /// @param waiting  [room] of this warp
  __device__ ExactFaces(const WallQueries& queries, const DevicePieces& pieces, const TwofoldVector& point, float reach,
                        std::int32_t* waiting)
      : queries_(queries), pieces_(pieces), point_(point), reach_(reach), waiting_(waiting) {}

  __device__ float reach() const { return reach_; }

  __device__ void offer(bool is_any, std::int32_t piece, const FlatDistance& found) {
    const float high = is_any ? min(found.high(), reach_) : reach_;
    reach_ = __uint_as_float(__reduce_min_sync(whole_warp, __float_as_uint(high)));
    const unsigned votes = __ballot_sync(whole_warp, is_any);
    if (is_any) waiting_[count_ + votes_before(votes)] = piece;
    count_ += __popc(votes);
    if (count_ >= 32) see_last();
  }

  /// Writes the answer to point i.
  __device__ void finish(std::int64_t i) {
    see_last();
    double least = nearest_.distance;
    for (int across = 16; across > 0; across /= 2) least = min(__shfl_xor_sync(whole_warp, least, across), least);
    std::int64_t first = nearest_.distance == least && nearest_.piece >= 0 ? nearest_.piece : std::int64_t{1} << 62;
    const std::int64_t mine = first;
    for (int across = 16; across > 0; across /= 2) first = min(__shfl_xor_sync(whole_warp, first, across), first);
    if (mine == first) pieces_.write(queries_, i, point_, nearest_);
  }

 private:
  /// 32 of them, or all if there are less.
  __device__ void see_last() {
    __syncwarp();
    const int its = count_ - 1 - static_cast<int>(threadIdx.x % 32);
    if (its >= 0) pieces_.see(queries_, point_, waiting_[its], nearest_);
    __syncwarp();
    count_ = max(count_ - 32, 0);
  }

  const WallQueries& queries_;
  const DevicePieces& pieces_;
  const TwofoldVector& point_;
  float reach_;
  std::int32_t* waiting_;
  NearestFace nearest_;
  int count_ = 0;
};

}  // namespace shoal
