// SPDX-License-Identifier: Apache-2.0
// bvh: bounding-volume hierarchy that warps traverse with packets of 32 points.
//
// idea           points of a block are regrouped by distance, unordered points sorted along a Hilbert curve; packets
//                test boxes, disks and triangles in float; remaining candidates get exact distances, points with too
//                many candidates a warp of their own; update() tests certificates (docs/decisions/0006)
// source         shoal
// memory         about 98 bytes a triangle, 40 to build, 121 for itself; 81 bytes a point, 80 more for update()
// atomics        to build, and for lists of points, whose order does not matter
// deterministic  yes: the result does not depend on the order of the traversal
// wins when      there are more than some hundred faces
// loses when     most points are about equally near to hundreds of faces, like centers of spheres
// deviations     -
#include "wall_distance/bvh_cuda/find_kernels.cuh"
#include "wall_distance/bvh_cuda/update_kernels.cuh"
#include "wall_distance/methods/methods.hpp"

namespace shoal::wall_distance {

namespace {

class BvhSearch : public WallDistanceSearch {
 public:
  BvhSearch(const Queue& queue, PlanWalls& walls, double motion)
      : primitives_(queue, walls, BoundingSpheres::unused),
        bvh_(queue, walls),
        margin_(2 * static_cast<float>(motion)),
        buffer_(queue, 0),
        to_search_(queue, 0),
        to_certify_(queue, 0),
        crowded_(queue, 0),
        counts_(queue, lists),
        reused_(queue, 1),
        order_(queue),
        update_order_(queue),
        history_(walls.body_count()),
        poses_(queue, PoseHistory::most * walls.body_count()),
        certificates_(queue, 0) {
    bvh_.build(primitives_.view());
    fill_bytes(queue, reused_.data(), 0, sizeof(unsigned long long));
  }

  void find(const WallQueries& queries) override {
    order_.arrange(queries);
    for_each_batch(queries, order_, [&](const QueryBatch& batch) {
      launch<packet_threads>(queue(), batch.count, search_candidates, batch, PointSelection(), buffer(nullptr));
      evaluate_all(batch, buffer(nullptr));
    });
  }

  void update(const WallQueries& call) override {
    WallQueries queries = call;
    queries.far = {};
    if (certificates_.count() != queries.count()) {
      clear_certificates(queries.count());
      update_order_.arrange(queries);
    }
    if (history_.add(primitives_.walls().pose())) {
      const std::int64_t bodies = primitives_.walls().body_count();
      const std::int64_t slot = history_.newest() % PoseHistory::most;
      copy<BodyPose>(queue(), primitives_.walls().pose(), {poses_.data() + slot * bodies, bodies, poses_.device()});
    }
    const std::int32_t newest = history_.newest();
    fill_bytes(queue(), reused_.data(), 0, sizeof(unsigned long long));
    for_each_batch(queries, update_order_, [&](const QueryBatch& batch) {
      for (Array<std::int32_t>* list : {&to_search_, &to_certify_})
        list->resize(std::min(queries.count(), batch_points));
      launch<packet_threads>(queue(), batch.count, test_certificates, batch, poses_.data(), newest,
                             certificates_.data(), to_search(), to_certify(), reused_.data());
      launch<packet_threads>(queue(), batch.count, search_candidates, batch, PointSelection(to_search()),
                             buffer(to_search().count));
      launch<packet_threads>(queue(), batch.count, evaluate_candidates, batch, buffer(to_search().count), crowded());
      launch<packet_threads>(queue(), batch.count, search_and_certify, batch, newest, margin_, certificates_.data(),
                             PointSelection(to_certify()), buffer(to_certify().count));
      evaluate_all(batch, buffer(to_certify().count));
    });
  }

  std::int64_t reused() const override { return static_cast<std::int64_t>(to_host(queue(), reused_)[0]); }

  void refit() override {
    primitives_.reshape();
    bvh_.fit(primitives_.view());
    clear_certificates(certificates_.count());
  }

  std::int64_t bytes() const override {
    return primitives_.bytes() + bvh_.bytes() + buffer_.bytes() + to_search_.bytes() + to_certify_.bytes() +
           crowded_.bytes() + poses_.bytes() + certificates_.bytes() + order_.bytes() + update_order_.bytes();
  }

 private:
  static constexpr std::int64_t crowded_threads = 1 << 16;
  static constexpr std::int64_t lists = 3;

  const Queue& queue() const { return primitives_.queue(); }
  PointList to_search() { return {to_search_.data(), counts_.data()}; }
  PointList to_certify() { return {to_certify_.data(), counts_.data() + 1}; }
  PointList crowded() { return {crowded_.data(), counts_.data() + 2}; }

  /// @param used  see CandidateBuffer::used
  CandidateBuffer buffer(const unsigned* used) {
    const std::int64_t slots = buffer_.count() / (1 + BlockLists::most);
    return {buffer_.data(), buffer_.data() + slots, slots, used};
  }

  void evaluate_all(const QueryBatch& batch, const CandidateBuffer& candidates) {
    launch<packet_threads>(queue(), batch.count, evaluate_candidates, batch, candidates, crowded());
    launch<packet_threads>(queue(), crowded_threads, search_crowded, batch, crowded());
  }

  /// Calls work(batch) for all points, at most batch_points at a time.
  template <class BatchWork>
  void for_each_batch(const WallQueries& queries, const PointOrder& order, BatchWork&& work) {
    const std::int64_t n = queries.count();
    crowded_.resize(std::min(n, batch_points));
    buffer_.resize((1 + BlockLists::most) *
                   ((crowded_.count() + packet_threads - 1) / packet_threads * packet_threads));
    const DevicePrimitives primitives = primitives_.view();
    for (std::int64_t first = 0; first < n; first += batch_points) {
      fill_bytes(queue(), counts_.data(), 0, lists * sizeof(unsigned));
      work(QueryBatch{queries, primitives, bvh_.view(), order.view(), first,
                      static_cast<std::int32_t>(std::min(n - first, batch_points))});
    }
  }

  void clear_certificates(std::int64_t count) {
    certificates_.resize(count);
    fill_bytes(queue(), certificates_.data(), 0xff, static_cast<std::size_t>(count) * sizeof(Certificate));
  }

  PrimitivesOnDevice primitives_;
  BvhSetOnDevice bvh_;
  float margin_;                ///< m, additional search radius for the candidates of certificates
  Array<std::int32_t> buffer_;  ///< memory of a CandidateBuffer
  Array<std::int32_t> to_search_, to_certify_, crowded_;
  Array<unsigned> counts_;  ///< [lists]
  Array<unsigned long long> reused_;
  PointOrder order_, update_order_;  ///< order of the points of find() and of update()
  PoseHistory history_;
  Array<BodyPose> poses_;  ///< [PoseHistory::most][bodies]
  Array<Certificate> certificates_;
};

std::unique_ptr<WallDistanceSearch> open(const Queue& queue, PlanWalls& walls, const WallDistanceOptions& options) {
  return std::make_unique<BvhSearch>(queue, walls, options.motion);
}

}  // namespace

const WallDistanceMethod wall_distance_bvh_cuda{{"bvh", DeviceKind::cuda, true, "shoal"}, open};

}  // namespace shoal::wall_distance
