// SPDX-License-Identifier: Apache-2.0
// What a search does with the pieces that it meets.
#pragma once
#include "wall_distance/packet_search.cuh"
#include "wall_distance/proof_item.hpp"

namespace shoal {

/// What is known of a point before its search.
struct KnownReach {
  float reach = no_distance<float>;  ///< m: there is a piece as near as this
  std::int32_t body = 0;             ///< of that piece

  __device__ void include(float other, std::int32_t its_body) {
    if (!(other < reach)) return;
    reach = other;
    body = its_body;
  }
};

/// Room for the pieces of the threads of a block.
template <int threads>
struct ShortLists {
  static constexpr int most = 16;  ///< six or so share a corner, and far away some more seem as near
  std::int32_t piece[most][threads];
  float low[most][threads];
};

/// Keeps the pieces that may be the nearest, by what float knows: close to the walls a point has one or two of them.
template <int threads>
class NearFaces {
 public:
  static constexpr int most = ShortLists<threads>::most;

  __device__ NearFaces(ShortLists<threads>& lists, const KnownReach& known) : lists_(lists), reach_(known.reach) {}

  __device__ float reach() const { return reach_; }
  __device__ void leave_out(const FlatDistance&) {}

  __device__ void offer(std::int32_t piece, const FlatDistance& found) {
    reach_ = smaller(found.high(), reach_);
    if (count_ == most) drop_far();
    if (count_ == most) {
      has_all_ = false;
      return;
    }
    lists_.piece[count_][threadIdx.x] = piece;
    lists_.low[count_++][threadIdx.x] = found.low();
  }

  /// How many there are in the end. Negative if they are too many for the list.
  __device__ int finish() {
    drop_far();
    return has_all_ ? count_ : -1;
  }
  __device__ std::int32_t piece(int k) const { return lists_.piece[k][threadIdx.x]; }

 private:
  __device__ void drop_far() {
    int kept = 0;
#pragma unroll 1
    for (int k = 0; k < count_; ++k) {
      const float low = lists_.low[k][threadIdx.x];
      if (low > reach_) continue;
      lists_.piece[kept][threadIdx.x] = lists_.piece[k][threadIdx.x];
      lists_.low[kept++][threadIdx.x] = low;
    }
    count_ = kept;
  }

  ShortLists<threads>& lists_;
  float reach_;  ///< m: there is a piece as near as this
  int count_ = 0;
  bool has_all_ = true;
};

/// Keeps a proof, too: candidates within `room` more than the distance, and how far all others are at least.
template <int threads>
class ProvenFaces {
 public:
  __device__ ProvenFaces(ShortLists<threads>& lists, const std::int32_t* body_of, float room, const KnownReach& known)
      : lists_(lists), body_of_(body_of), room_(room), nearest_(known.reach), own_body_(known.body) {}

  __device__ float reach() const { return nearest_ + room_; }
  /// What is heard of from now on is of this body.
  __device__ void enter(std::int32_t body) { body_ = body; }

  __device__ void leave_out(const FlatDistance& distance) { leave_out(body_, distance.low()); }

  __device__ void offer(std::int32_t piece, const FlatDistance& found) {
    nearest_ = smaller(found.high(), nearest_);
    std::int32_t its_piece = piece;
    float low = found.low();
    if (count_ == ShortLists<threads>::most) {  // the farthest one gives way
      for (int k = 0; k < count_; ++k)
        if (lists_.low[k][threadIdx.x] > low) exchange(k, its_piece, low);
      return leave_out(body_of_[its_piece], low);
    }
    lists_.piece[count_][threadIdx.x] = its_piece;
    lists_.low[count_++][threadIdx.x] = low;
  }

  /// Writes candidates and bounds. Whether all pieces that may be the nearest are among the candidates.
  __device__ bool finish(Proof& proof) {
#pragma unroll 1
    for (int k = 0; k < count_; ++k) {
      std::int32_t piece = lists_.piece[k][threadIdx.x];
      float low = lists_.low[k][threadIdx.x];
      if (k >= Proof::most) {
        leave_out(body_of_[piece], low);
        continue;
      }
      for (int i = k + 1; i < count_; ++i)
        if (lists_.low[i][threadIdx.x] < low) exchange(i, piece, low);
      proof.piece[k] = piece;
      proof.bound[k] = low;
    }
    for (int k = count_; k < Proof::most; ++k) proof.piece[k] = -1;
    proof.body = own_body_;
    proof.own = own_;
    proof.other = other_;
    return smaller(own_, other_) > nearest_;
  }

 private:
  __device__ void exchange(int k, std::int32_t& piece, float& low) {
    const std::int32_t its_piece = lists_.piece[k][threadIdx.x];
    const float its_low = lists_.low[k][threadIdx.x];
    lists_.piece[k][threadIdx.x] = piece;
    lists_.low[k][threadIdx.x] = low;
    piece = its_piece;
    low = its_low;
  }
  __device__ void leave_out(std::int32_t body, float low) {
    float& bound = body == own_body_ ? own_ : other_;
    bound = smaller(low, bound);
  }

  ShortLists<threads>& lists_;
  const std::int32_t* body_of_;
  float room_;     ///< m
  float nearest_;  ///< m: there is a piece as near as this
  float own_ = no_distance<float>, other_ = no_distance<float>;
  std::int32_t own_body_, body_ = 0;
  int count_ = 0;
};

/// Sees all pieces that may be the nearest exactly, 32 at a time, for one point of all threads of a warp.
class ExactFaces {
 public:
  /// @param waiting  [32] of this warp
  __device__ ExactFaces(const WallQueries& queries, const DevicePieces& pieces, const TwofoldVector& point,
                        std::int32_t* waiting)
      : queries_(queries), pieces_(pieces), point_(point), waiting_(waiting) {}

  __device__ float reach() const { return reach_; }
  __device__ void leave_out(const FlatDistance&) {}

  __device__ void offer(std::int32_t piece, const FlatDistance& found) {
    reach_ = smaller(found.high(), reach_);
    if (threadIdx.x % 32 == 0) waiting_[count_] = piece;
    if (++count_ == 32) see_all();
  }

  /// Writes the answer to point i.
  __device__ void finish(std::int64_t i) {
    see_all();
    double least = nearest_.distance;
    for (int across = 16; across > 0; across /= 2) least = smaller(__shfl_xor_sync(whole_warp, least, across), least);
    std::int64_t first = nearest_.distance == least && nearest_.piece >= 0 ? nearest_.piece : std::int64_t{1} << 62;
    const std::int64_t mine = first;
    for (int across = 16; across > 0; across /= 2) first = smaller(__shfl_xor_sync(whole_warp, first, across), first);
    if (mine == first) pieces_.write(queries_, i, point_, nearest_);
  }

 private:
  __device__ void see_all() {
    __syncwarp();
    const int lane = static_cast<int>(threadIdx.x % 32);
    if (lane < count_) pieces_.see(queries_, point_, waiting_[lane], nearest_);
    __syncwarp();
    count_ = 0;
  }

  const WallQueries& queries_;
  const DevicePieces& pieces_;
  const TwofoldVector& point_;
  std::int32_t* waiting_;
  NearestFace nearest_;
  float reach_ = no_distance<float>;
  int count_ = 0;
};

}  // namespace shoal
