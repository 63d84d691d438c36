// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/neighbors_item.hpp>

namespace shoal::neighbors {

/// Loop over neighbors for user-written kernels and loops: plain data, passed by value, for code that nvcc or a host
/// compiler compiles. Neighbors::visitor() makes it for the device of its queue.
///
///     __global__ void density(shoal::NeighborVisitor<float> visitor, const float* mass, float* rho) {
///       const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
///       if (k >= visitor.count()) return;
///       float sum = 0;
///       visitor.visit(k, [&](std::int32_t j, shoal::Position<float> d, float squared) {
///         sum += mass[j] * kernel(squared);
///       });
///       rho[visitor.destination(k)] = sum;
///     }
///
/// k is the sorted index of a destination, in the order of the cells, so that consecutive threads read the same
/// sources. The points alone determine the order of visits: sums have the same bits on every run, and on all devices
/// with the same arithmetic. Cost: about 3.5 distance tests a neighbor, no list.
template <class Real>
class NeighborVisitor {
 public:
  NeighborVisitor() = default;
  NeighborVisitor(const NeighborPairs<Real>& pairs, bool periodic)
      : pairs_(pairs), general_(periodic || pairs.rule.half || pairs.sources.limits != nullptr) {}

  /// Number of destinations.
  SHOAL_HD std::int64_t count() const { return pairs_.destinations.count; }

  /// Number of the destination with sorted index k.
  SHOAL_HD std::int32_t destination(std::int64_t k) const { return pairs_.destinations.order[k]; }

  /// Position of the destination with sorted index k.
  SHOAL_HD Position<Real> position(std::int64_t k) const { return pairs_.destinations.position(k); }

  /// Calls use(source, displacement, squared distance) for each neighbor of the destination with sorted index k: its
  /// number, x_i − x_j of the nearest image (m), and d² (m²).
  SHOAL_CALLS_ARGUMENT
  template <class Use>
  SHOAL_HD void visit(std::int64_t k, Use&& use) const {
    visit_places(k, WithoutIndex<Use>{use});
  }

  /// Calls use(place, source, displacement, squared distance), where `place` is the sorted index of the source. Arrays
  /// that the caller sorted into this order are read with better locality.
  SHOAL_CALLS_ARGUMENT
  template <class Use>
  SHOAL_HD void visit_places(std::int64_t k, Use&& use) const {
    if (general_)
      visit_neighbors<true>(pairs_, k, use);
    else
      visit_neighbors<false>(pairs_, k, use);
  }

  /// Returns true if visits test periods, numbers or radii of sources, which costs time.
  SHOAL_HD bool is_general() const { return general_; }

  /// Number of sources.
  SHOAL_HD std::int64_t source_count() const { return pairs_.sources.count; }

  /// Number of the source with sorted index `place`.
  SHOAL_HD std::int32_t source(std::int64_t place) const { return pairs_.sources.order[place]; }

 private:
  template <class Use>
  struct WithoutIndex {
    Use& use;

    SHOAL_CALLS_ARGUMENT
    SHOAL_HD void operator()(std::int64_t, std::int32_t source, const Position<Real>& d, Real squared) const {
      use(source, d, squared);
    }
  };

  NeighborPairs<Real> pairs_;
  bool general_ = false;
};

}  // namespace shoal::neighbors

namespace shoal {
using neighbors::NeighborVisitor;
}  // namespace shoal
