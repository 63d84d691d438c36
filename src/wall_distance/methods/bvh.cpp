// SPDX-License-Identifier: Apache-2.0
// bvh: bounding-volume hierarchy with eight boxes or eight triangles for each vector instruction.
//
// idea           boxes in float, rounded outwards, prune; lower bounds in float, less their rounding errors, select the
//                triangles whose exact distance is computed, so the result is that of `serial`; update() tests
//                certificates
// source         shoal; wide trees after Wald, Benthin and Boulos (2008), "Getting rid of packets"
// memory         about 180 bytes a triangle, and 89 for the triangle itself; 72 bytes a point for update()
// atomics        none
// deterministic  yes: the result does not depend on the order of the traversal
// wins when      there are more than about ten faces
// loses when     points are so far away that hundreds of triangles are nearly as near as the nearest one
// deviations     -
#include <omp.h>

#include <algorithm>

#include "core/cpu_variants.hpp"
#include "wall_distance/bvh_cpu/traversal.hpp"
#include "wall_distance/methods/methods.hpp"
#include "wall_distance/motion/pose_history.hpp"
#include "wall_distance/sum_over_chunks.hpp"

namespace shoal::wall_distance {

namespace {

template <class Counter>
SHOAL_CPU_VARIANTS Counter find_range(const BvhSet& bvh, const WallQueries& queries, Range range) {
  Counter counter;
  for (std::int64_t i = range.begin; i < range.end; ++i) {
    const DoubleDoubleVector point = queries.point(i);
    if (!queries.accept(i, point)) continue;
    NearestPrimitive nearest;
    bvh.search<false>(point, queries.body, queries.far, nearest, nullptr, counter);
    write_result(queries, i, point, bvh.primitives, nearest);
    if (!queries.far.is_exact()) queries.write_lower(i, queries.far.radius(nearest.distance));
  }
  return counter;
}

/// Finds the nearest primitive of a point by a search and makes its certificate.
/// @param other_bound  [bodies] scratch memory, see CertificateCandidates
SHOAL_HD void search_and_certify(const BvhSet& bvh, const DoubleDoubleVector& point, std::int32_t epoch,
                                 std::vector<float>& other_bound, NearestPrimitive& nearest, Certificate& certificate) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::fill(other_bound.begin(), other_bound.end(), infinity);
  CertificateCandidates candidates;
  candidates.other_bound = other_bound.data();
  candidates.body_of = bvh.primitives.body.data();
  NoTestCounter counter;
  bvh.search<true>(point, -1, {}, nearest, &candidates, counter);
  certificate = {{point.x.high, point.y.high, point.z.high},
                 epoch,
                 bvh.primitives.body[static_cast<std::size_t>(nearest.primitive)],
                 infinity,
                 infinity,
                 {},
                 {}};
  for (std::int32_t body = 0; body < bvh.primitives.body_count(); ++body) {
    float& bound = body == certificate.body ? certificate.same_body : certificate.other_bodies;
    bound = min(bound, other_bound[static_cast<std::size_t>(body)]);
  }
  for (int k = 0; k < CertificateCandidates::most; ++k) {
    certificate.bound[k] = k < candidates.count ? candidates.bound[k] : infinity;
    certificate.primitive[k] = k < candidates.count ? candidates.primitive[k] : -1;
  }
}

/// Returns the number of points that needed no search.
SHOAL_CPU_VARIANTS std::int64_t update_range(const BvhSet& bvh, const WallQueries& queries, Range range,
                                             const PoseHistory& history, std::vector<float>& other_bound,
                                             Certificate* certificates) {
  std::int64_t reused = 0;
  for (std::int64_t i = range.begin; i < range.end; ++i) {
    const DoubleDoubleVector point = queries.point(i);
    Certificate& certificate = certificates[i];
    if (!queries.accept(i, point)) {
      certificate.epoch = -1;
      continue;
    }
    NearestPrimitive nearest;
    bool is_certified = false;
    if (history.has(certificate.epoch))
      is_certified = find_certified(
          certificate, bvh.primitives.body_count(), bvh.primitives.shape.data(), bvh.primitives.body.data(),
          {point, certificate, bvh.primitives.pose.data(), history.poses(certificate.epoch)}, nearest, bvh.scale);
    if (is_certified)
      ++reused;
    else
      search_and_certify(bvh, point, history.newest(), other_bound, nearest, certificate);
    write_result(queries, i, point, bvh.primitives, nearest);
  }
  return reused;
}

class BvhSearch : public WallDistanceSearch {
 public:
  BvhSearch(const Queue& queue, const WallPrimitives& primitives, double motion)
      : queue_(queue),
        bvh_{primitives, {}, bvh_scale(primitives, queue.threads()), 0},
        motion_(motion),
        history_(primitives.body_count()),
        certificates_(queue, 0) {
    scale_motion();
    for (std::int32_t body = 0; body < primitives.body_count(); ++body)
      bvh_.trees.emplace_back(primitives, body, bvh_.scale, queue.threads());
    other_bound_.resize(static_cast<std::size_t>(queue.threads()), std::vector<float>(primitives.pose.size()));
  }

  void find(const WallQueries& queries) override {
    if (queries.tested != nullptr)
      *queries.tested = find_all<TestCounter>(queries).tested;
    else
      find_all<NoTestCounter>(queries);
  }

  void update(const WallQueries& queries) override {
    if (certificates_.count() != queries.count()) clear_certificates(queries.count());
    history_.add(bvh_.primitives.pose);
    reused_ = sum_over_chunks(queue_.threads(), queries.count(), [&](Range range) {
      return update_range(bvh_, queries, range, history_, other_bound_[static_cast<std::size_t>(omp_get_thread_num())],
                          certificates_.data());
    });
  }

  std::int64_t reused() const override { return reused_; }

  void refit() override {
    bvh_.scale = bvh_scale(bvh_.primitives, queue_.threads());
    scale_motion();
    for (Bvh& tree : bvh_.trees) tree.refit(bvh_.primitives, bvh_.scale, queue_.threads());
    clear_certificates(certificates_.count());
  }

  std::int64_t bytes() const override {
    std::int64_t total = certificates_.bytes();
    for (const Bvh& tree : bvh_.trees) total += tree.bytes();
    return total;
  }

 private:
  void scale_motion() { bvh_.motion = static_cast<float>(motion_ * bvh_.scale); }

  void clear_certificates(std::int64_t count) {
    certificates_.resize(count);
    for (std::int64_t i = 0; i < count; ++i) certificates_.data()[i].epoch = -1;
  }

  template <class Counter>
  Counter find_all(const WallQueries& queries) const {
    return sum_over_chunks(queue_.threads(), queries.count(),
                           [&](Range range) { return find_range<Counter>(bvh_, queries, range); });
  }

  Queue queue_;
  BvhSet bvh_;
  double motion_;                                ///< m
  std::vector<std::vector<float>> other_bound_;  ///< [threads][bodies], see CertificateCandidates
  PoseHistory history_;
  Array<Certificate> certificates_;  ///< [points]
  std::int64_t reused_ = 0;
};

std::unique_ptr<WallDistanceSearch> open(const Queue& queue, PlanWalls& walls, const WallDistanceOptions& options) {
  return std::make_unique<BvhSearch>(queue, walls.on_host(), options.motion);
}

}  // namespace

const WallDistanceMethod wall_distance_bvh_cpu{{"bvh", DeviceKind::cpu, true, "shoal"}, open};

}  // namespace shoal::wall_distance
