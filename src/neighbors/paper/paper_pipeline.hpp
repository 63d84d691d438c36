// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "neighbors/paper/paper_neighbors.hpp"

#include <span>

#include "neighbors/paper/radius_cells.hpp"
#include "neighbors/search/search_plan.hpp"
#include "neighbors/search/unsorted_pairs.hpp"

/// What is behind PaperNeighbors: paper_arm_cpu.cpp and paper_arm_cuda.cu.
namespace shoal {

template <class Real>
class PaperArm {
 public:
  virtual ~PaperArm() = default;
  virtual void bin(const Points<Real>& points) = 0;
  virtual void find(const Points<Real>& points) = 0;
  /// The neighbors of point i, in any order.
  virtual std::span<const std::int32_t> row(std::int64_t i) const = 0;
};

/// Makes the grid over points that are on the device of its queue, and says which are neighbors.
template <class Real>
class PaperGrid {
 public:
  PaperGrid(const Queue& queue, double radius)
      : plan_(queue, radius, Box{}, NeighborsOptions{.predicate = Predicate::inclusive}),
        set_(plan_.make_set("point")) {}

  /// Waits for the queue; throws if a point cannot be searched.
  SearchGrid<Real> cubes(const Points<Real>& points) {
    set_.assign(points);
    plan_.survey(set_, set_);
    plan_.queue().wait();
    SearchGrid<Real> grid;
    copy_bytes(plan_.queue(), &grid, {}, plan_.grid(), plan_.queue().device(), sizeof grid);
    return with_cubes(grid, 0);
  }

  /// The pairs of one set, each point with itself, too.
  UnsortedPairs<Real> pairs(const Points<Real>& points) const {
    UnsortedPairs<Real> pairs;
    pairs.rule.test = plan_.test();
    pairs.destinations = pairs.sources = cells::PointReader<Real>(points);
    pairs.destination_count = pairs.source_count = points.count();
    return pairs;
  }

 private:
  SearchPlan<Real> plan_;
  SearchSet<Real> set_;
};

template <class Real>
std::unique_ptr<PaperArm<Real>> make_cpu_arm(double radius);

namespace cuda {
template <class Real>
std::unique_ptr<PaperArm<Real>> make_arm(const Queue& queue, const PaperConfiguration& configuration, double radius);
}  // namespace cuda

}  // namespace shoal
