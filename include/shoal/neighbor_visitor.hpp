// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/neighbors_item.hpp>

namespace shoal {

/// A loop over neighbors for kernels and loops of the user's own: plain data, passed by value, for code that nvcc or a
/// host compiler compiles. Made by Neighbors::visitor(), for the device of its queue.
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
/// k counts destinations in the order of their cells, so that threads that run together read the same sources. The
/// order of visits is fixed by the points alone, so that sums have the same bits on every run and device whose
/// arithmetic is the same. Cost: about 3.5 distance tests a neighbor, no list.
template <class Real>
class NeighborVisitor {
 public:
  NeighborVisitor() = default;
  NeighborVisitor(const NeighborPairs<Real>& pairs, bool periodic)
      : pairs_(pairs), general_(periodic || pairs.half || pairs.sources.limits != nullptr) {}

  /// Number of destinations.
  SHOAL_HD std::int64_t count() const { return pairs_.destinations.count; }

  /// The number of the k-th destination.
  SHOAL_HD std::int32_t destination(std::int64_t k) const { return pairs_.destinations.order[k]; }

  /// Where it is.
  SHOAL_HD Position<Real> position(std::int64_t k) const { return pairs_.destinations.at(k); }

  /// Calls use(source, displacement, squared distance) for each neighbor of the k-th destination: its number, x_i −
  /// x_j of the nearest image (m), and d² (m²).
  SHOAL_CALLS_ARGUMENT
  template <class Use>
  SHOAL_HD void visit(std::int64_t k, Use&& use) const {
    visit_places(k, WithoutPlace<Use>{use});
  }

  /// The same with the place of the source in the order of cells before its number, for arrays that were brought into
  /// that order: use(place, source, displacement, squared distance). Neighbors are read where neighbors are.
  SHOAL_CALLS_ARGUMENT
  template <class Use>
  SHOAL_HD void visit_places(std::int64_t k, Use&& use) const {
    if (general_)
      visit_neighbors<true>(pairs_, k, use);
    else
      visit_neighbors<false>(pairs_, k, use);
  }

  /// Whether visits also look at periods, at numbers, or at radii of the sources, which costs time.
  SHOAL_HD bool is_general() const { return general_; }

  /// Number of sources, and the number of the source at a place.
  /// @{
  SHOAL_HD std::int64_t source_count() const { return pairs_.sources.count; }
  SHOAL_HD std::int32_t source(std::int64_t place) const { return pairs_.sources.order[place]; }
  /// @}

 private:
  template <class Use>
  struct WithoutPlace {
    Use& use;

    SHOAL_CALLS_ARGUMENT
    SHOAL_HD void operator()(std::int64_t, std::int32_t source, const Position<Real>& d, Real squared) const {
      use(source, d, squared);
    }
  };

  NeighborPairs<Real> pairs_;
  bool general_ = false;
};

}  // namespace shoal
