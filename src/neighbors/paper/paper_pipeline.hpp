// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "neighbors/paper/cubic_cells.hpp"
#include "neighbors/paper/paper_neighbors.hpp"
#include "neighbors/search/search_plan.hpp"

namespace shoal::neighbors {

/// Memory of the last search on a GPU, by which tests check that a configuration uses the kinds that it states.
struct PaperMemory {
  std::int64_t pool_bytes = 0;              ///< Device memory that the next search uses again.
  const void* points = nullptr;             ///< x that the kernels read.
  const std::int32_t* neighbors = nullptr;  ///< Table of neighbors on the host.
};

/// Implementation of PaperNeighbors on one device.
template <class Real>
class PaperPipeline {
 public:
  virtual ~PaperPipeline() = default;
  virtual void bin(const Points<Real>& points) = 0;
  virtual void find(const Points<Real>& points) = 0;
  /// Neighbors of point i, in any order.
  virtual std::span<const std::int32_t> row(std::int64_t i) const = 0;
  virtual PaperMemory memory() const { return {}; }
};

/// Grid and distance test of a configuration, for points on the device of its queue.
template <class Real>
class PaperGrid {
 public:
  PaperGrid(const Queue& queue, double radius)
      : plan_(queue, radius, Box{}, NeighborsOptions{.predicate = Predicate::inclusive}),
        set_(plan_.make_set("point")) {}

  /// Makes the grid over points. Waits for the queue.
  /// @throws Error  a coordinate is not finite
  SearchGrid<Real> cubes(const Points<Real>& points) {
    plan_.assign(set_, points);
    plan_.survey({set_, set_, true});
    plan_.queue().wait();
    SearchGrid<Real> grid;
    copy_bytes(plan_.queue(), &grid, {}, plan_.grid(), plan_.queue().device(), sizeof grid);
    return with_cubic_cells(grid, 0);
  }

  /// Returns the pairs of one set, each point with itself included.
  UnsortedPairs<Real> pairs(const Points<Real>& points) const {
    UnsortedPairs<Real> pairs;
    pairs.test = plan_.test();
    pairs.destinations = pairs.sources = PointReader<Real>(points);
    pairs.destination_count = pairs.source_count = points.count();
    return pairs;
  }

 private:
  SearchPlan<Real> plan_;
  SearchSet<Real> set_;
};

template <class Real>
struct PaperBackend {
  std::unique_ptr<PaperPipeline<Real>> (*make_pipeline)(const Queue& queue, const PaperConfiguration& configuration,
                                                        double radius);
  std::vector<KernelResources> (*kernels)();

  static const PaperBackend cpu, cuda;
};

}  // namespace shoal::neighbors
