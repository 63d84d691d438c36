// SPDX-License-Identifier: Apache-2.0
// Candidates of a traversal: primitives that may be the nearest by their distances in float. Close to the walls a point
// has one or two of them.
#pragma once
#include "core/cuda/warp.cuh"
#include "wall_distance/bvh_cuda/bvh_query.cuh"
#include "wall_distance/motion/certificate_item.hpp"

namespace shoal::wall_distance {

/// Initial bound of a point over all bodies.
struct InitialCandidate : InitialBound {
  std::int32_t body;  ///< body of the primitive

  __device__ void include(const InitialBound& bound, std::int32_t bound_body) {
    if (bound.radius < radius) *this = {bound, bound_body};
  }
};

/// SearchRadius in float, rounded up, so that nothing is pruned that is within the exact radius.
class FloatSearchRadius {
 public:
  __device__ explicit FloatSearchRadius(const SearchRadius& far)
      : share_(far.is_exact() ? 1 : rounded_up(far.share)), beyond_(rounded_up(far.beyond)) {}

  __device__ float radius(float distance) const { return max(share_ * distance, min(distance, beyond_)); }

 private:
  __device__ static float rounded_up(double a) { return static_cast<float>(a) * (1 + 0x1p-21f); }

  float share_, beyond_;
};

/// Shared memory of the candidate lists of a block.
template <int threads>
struct CandidateLists {
  static constexpr int most = 16;  ///< about six faces share a corner, and far away some more are about equally near
  std::int32_t primitive[most][threads];
  float lower[most][threads];  ///< m, lower bound of the distance
};

struct DoublePoint {
  double x, y, z;
};

/// Computes the distances of primitives in double, `stride` apart, and raises their lower bounds. Returns the new
/// search radius. Rarely called, and not inlined, which keeps its registers out of the traversal.
template <int stride>
__device__ __noinline__ float refine_bounds(DoublePoint position, const Primitive* shape, const std::int32_t* body_of,
                                            const BodyPose* pose, const std::int32_t* primitive, float* lower,
                                            int count, float radius) {
  const DoubleDoubleVector point{{position.x, 0}, {position.y, 0}, {position.z, 0}};
  for (int k = 0; k < count * stride; k += stride) {
    const FeatureTest test(pose[body_of[primitive[k]]].to_body(point), shape[primitive[k]]);
    const int feature = test.certain_feature();
    if (feature == 0) continue;
    const double squared = test.squared(feature), error = 0x1p-38 * test.distance * test.distance;
    radius = min(static_cast<float>(fast_sqrt(squared + error)) * (1 + 0x1p-22f), radius);
    lower[k] = max(static_cast<float>(fast_sqrt(max(0.0, squared - error))) * (1 - 0x1p-22f), lower[k]);
  }
  return radius;
}

/// Candidate list of a thread.
template <int threads>
class CandidateList {
 public:
  static constexpr int most = CandidateLists<threads>::most;

  /// @param i       number of the point
  /// @param radius  m, initial search radius
  __device__ CandidateList(CandidateLists<threads>& lists, const DevicePrimitives& primitives,
                           const WallQueries& queries, std::int64_t i, float radius)
      : lists_(lists), primitives_(primitives), queries_(queries), i_(i), radius_(radius) {}

  /// Upper bound of the distance to the nearest primitive, m.
  __device__ float radius() const { return radius_; }
  __device__ int count() const { return count_; }
  __device__ bool is_full() const { return count_ == most; }
  __device__ std::int32_t primitive(int k) const { return lists_.primitive[k][threadIdx.x]; }
  __device__ float lower(int k) const { return lists_.lower[k][threadIdx.x]; }

  __device__ void reduce_radius(const FloatDistance& distance) { radius_ = min(distance.upper(), radius_); }
  __device__ void put(int k, std::int32_t primitive, float lower) {
    lists_.primitive[k][threadIdx.x] = primitive;
    lists_.lower[k][threadIdx.x] = lower;
  }
  /// Appends a candidate to a list that is not full.
  __device__ void add(std::int32_t primitive, float lower) { put(count_++, primitive, lower); }
  /// Exchanges candidate k with the given one.
  __device__ void exchange(int k, std::int32_t& new_primitive, float& new_lower) {
    const std::int32_t old_primitive = primitive(k);
    const float old_lower = lower(k);
    put(k, new_primitive, new_lower);
    new_primitive = old_primitive;
    new_lower = old_lower;
  }

  /// Removes the candidates beyond `limit`, and calls drop(primitive, lower) for each.
  template <class Drop>
  __device__ void drop_beyond(float limit, Drop&& drop) {
    int kept = 0;
#pragma unroll 1
    for (int k = 0; k < count_; ++k) {
      if (lower(k) > limit)
        drop(primitive(k), lower(k));
      else
        put(kept++, primitive(k), lower(k));
    }
    count_ = kept;
  }

  /// Returns true if the primitives of the next leaf may not fit.
  __device__ bool needs_room() const { return count_ > most - BvhLeaf::width; }

  /// Refines the bounds in double: far away, float does not distinguish neighboring faces.
  __device__ void refine() {
    const DoubleDoubleVector point = queries_.point(i_);
    radius_ = refine_bounds<threads>({point.x.high, point.y.high, point.z.high}, primitives_.shape, primitives_.body,
                                     primitives_.pose, &lists_.primitive[0][threadIdx.x], &lists_.lower[0][threadIdx.x],
                                     count_, radius_);
  }

 private:
  CandidateLists<threads>& lists_;
  const DevicePrimitives& primitives_;
  const WallQueries& queries_;
  std::int64_t i_;
  float radius_;
  int count_ = 0;
};

/// Collects the candidates of find().
template <int threads>
class NearestCandidates {
 public:
  __device__ NearestCandidates(CandidateList<threads>& list, const SearchRadius& far) : list_(list), far_(far) {}

  __device__ float radius() const { return far_.radius(list_.radius()); }
  __device__ void prune(const FloatDistance&) {}

  __device__ void offer(std::int32_t primitive, const FloatDistance& distance) {
    list_.reduce_radius(distance);
    if (list_.is_full())
      is_complete_ = false;
    else
      list_.add(primitive, distance.lower());
  }

  __device__ bool needs_room() const { return is_complete_ && list_.needs_room(); }
  __device__ void make_room() {
    drop_far();
    if (!list_.needs_room()) return;
    list_.refine();
    drop_far();
    if (list_.is_full()) is_complete_ = false;
  }

  __device__ void abort() { is_complete_ = false; }

  /// Returns true if the list contains all candidates.
  __device__ bool finish() {
    drop_far();
    return is_complete_;
  }

 private:
  __device__ void drop_far() {
    list_.drop_beyond(list_.radius(), [](std::int32_t, float) {});
  }

  CandidateList<threads>& list_;
  FloatSearchRadius far_;
  bool is_complete_ = true;
};

/// Collects the candidates of update() and makes a certificate of them: the candidates within `margin` beyond the
/// distance, and lower bounds of the distances to all other primitives.
template <int threads>
class CertifiedCandidates {
 public:
  /// @param margin      m
  /// @param certificate_body  body of a primitive nearby
  __device__ CertifiedCandidates(CandidateList<threads>& list, const std::int32_t* body_of, float margin,
                                 std::int32_t certificate_body)
      : list_(list), body_of_(body_of), margin_(margin), certificate_body_(certificate_body) {}

  __device__ float radius() const { return list_.radius() + margin_; }
  /// Sets the body of the following calls of prune().
  __device__ void enter(std::int32_t body) { body_ = body; }

  __device__ void prune(const FloatDistance& distance) { prune_body(body_, distance.lower()); }

  __device__ void offer(std::int32_t primitive, const FloatDistance& distance) {
    list_.reduce_radius(distance);
    float lower = distance.lower();
    if (!list_.is_full()) return list_.add(primitive, lower);
    for (int k = 0; k < list_.count(); ++k)  // replaces the farthest one
      if (list_.lower(k) > lower) list_.exchange(k, primitive, lower);
    prune_body(body_of_[primitive], lower);
  }

  __device__ bool needs_room() const { return !is_crowded_ && list_.needs_room(); }
  __device__ void make_room() {
    list_.refine();
    drop_far();
    if (!list_.needs_room()) return;
    margin_ = 0;  // with many candidates a certificate costs more than the searches it saves
    drop_far();
    is_crowded_ = list_.needs_room();
  }
  __device__ void abort() { same_body_ = other_bodies_ = 0; }

  /// Writes the certificate, which may have failed, and leaves the candidates for the nearest primitive in the list.
  /// Returns true if the list contains all of these.
  __device__ bool finish(Certificate& certificate, std::int32_t epoch) {
    const bool is_complete = min(same_body_, other_bodies_) > list_.radius();
#pragma unroll 1
    for (int k = 0; k < list_.count(); ++k) {
      std::int32_t primitive = list_.primitive(k);
      float lower = list_.lower(k);
      if (k >= Certificate::most) {
        prune_body(body_of_[primitive], lower);
        continue;
      }
      for (int i = k + 1; i < list_.count(); ++i)
        if (list_.lower(i) < lower) list_.exchange(i, primitive, lower);
      list_.put(k, primitive, lower);
      certificate.primitive[k] = primitive;
      certificate.bound[k] = lower;
    }
    for (int k = list_.count(); k < Certificate::most; ++k) certificate.primitive[k] = -1;
    certificate.body = certificate_body_;
    certificate.same_body = same_body_;
    certificate.other_bodies = other_bodies_;
    certificate.epoch = min(same_body_, other_bodies_) > list_.radius() ? epoch : Certificate::failed(epoch);
    list_.drop_beyond(list_.radius(), [](std::int32_t, float) {});
    return is_complete;
  }

 private:
  __device__ void drop_far() {
    list_.drop_beyond(radius(),
                      [this](std::int32_t primitive, float lower) { prune_body(body_of_[primitive], lower); });
  }
  __device__ void prune_body(std::int32_t body, float lower) {
    float& bound = body == certificate_body_ ? same_body_ : other_bodies_;
    bound = min(lower, bound);
  }

  CandidateList<threads>& list_;
  const std::int32_t* body_of_;
  float margin_;                                                                          ///< m
  float same_body_ = infinite_distance<float>, other_bodies_ = infinite_distance<float>;  ///< m, see Certificate
  std::int32_t certificate_body_, body_ = 0;
  bool is_crowded_ = false;  ///< true if refining makes no room
};

/// Computes the exact distances of all candidates of the common point of a warp, 32 at a time.
class ExactCandidates {
 public:
  static constexpr int capacity = 64;  ///< number of pending candidates

  /// @param pending  [capacity] memory of this warp
  __device__ ExactCandidates(const WallQueries& queries, const DevicePrimitives& primitives,
                             const DoubleDoubleVector& point, float radius, std::int32_t* pending)
      : queries_(queries), primitives_(primitives), point_(point), radius_(radius), pending_(pending) {}

  __device__ float radius() const { return radius_; }

  __device__ void offer(bool is_any, std::int32_t primitive, const FloatDistance& distance) {
    const float upper = is_any ? min(distance.upper(), radius_) : radius_;
    radius_ = __uint_as_float(__reduce_min_sync(whole_warp, __float_as_uint(upper)));
    const unsigned votes = __ballot_sync(whole_warp, is_any);
    if (is_any) pending_[count_ + votes_before(votes)] = primitive;
    count_ += __popc(votes);
    if (count_ >= 32) test_last();
  }

  /// Writes the results of point i.
  __device__ void finish(std::int64_t i) {
    test_last();
    const double least = warp_least(nearest_.distance);
    const std::int64_t thread_first =
        nearest_.distance == least && nearest_.primitive >= 0 ? nearest_.primitive : std::int64_t{1} << 62;
    if (thread_first == warp_least(thread_first)) primitives_.write(queries_, i, point_, nearest_);
  }

 private:
  /// Tests the last 32 pending candidates, or all if there are fewer.
  __device__ void test_last() {
    __syncwarp();
    const int k = count_ - 1 - static_cast<int>(threadIdx.x % 32);
    if (k >= 0) primitives_.test(queries_, point_, pending_[k], nearest_);
    __syncwarp();
    count_ = max(count_ - 32, 0);
  }

  const WallQueries& queries_;
  const DevicePrimitives& primitives_;
  const DoubleDoubleVector& point_;
  float radius_;
  std::int32_t* pending_;
  NearestPrimitive nearest_;
  int count_ = 0;
};

}  // namespace shoal::wall_distance
