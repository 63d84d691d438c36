// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>
#include <shoal/points.hpp>

#include <memory>
#include <string>
#include <vector>

#include "core/device/kernel_resources.hpp"

namespace shoal::neighbors {

/// Searches of the paper: on one CPU thread (section 4), or on a GPU (sections 5.1.1 and 5.1.2).
enum class PaperSearch { cell_list, linked_list, simple };

/// Configuration of binning and search that the paper compares in section 6.
struct PaperConfiguration {
  std::string name;  ///< "CPU binning + GPU search + pool"
  DeviceKind binning = DeviceKind::cpu;
  PaperSearch search = PaperSearch::cell_list;
  bool pool = false;  ///< Keep device memory between calls, in place of cudaMalloc() and cudaFree() in each call.
  bool page_locked = false;         ///< Let the GPU write neighbors into page-locked host memory, in place of a copy.
  bool page_locked_points = false;  ///< Let the GPU read coordinates from page-locked host memory, in place of a copy.
  bool in_figure = true;            ///< Part of figure 3.

  DeviceKind device() const { return search == PaperSearch::cell_list ? DeviceKind::cpu : DeviceKind::cuda; }
};

/// The five configurations of figure 3 in its order; then GPU binning with page-locked output, the same with page-locked
/// coordinates, which the paper leaves to future work, and the linked list, which it describes without timings in the
/// figure.
std::vector<PaperConfiguration> paper_configurations();

/// Resources of the kernels of the paper's searches and of its binning, as compiled for the GPU of a queue; empty on the
/// CPU. The search after GPU binning, for which the paper lacked registers, has the kernel `getneighbors` too.
template <class Real>
std::vector<KernelResources> paper_kernels(const Queue& queue);

/// List of neighbors on the host, as `Neighbors` gives it.
struct PaperList {
  std::vector<std::int64_t> offsets;  ///< [points + 1]
  std::vector<std::int32_t> indices;  ///< ascending in each row
};

/// Binning and neighbor search as the paper times them: points come from the host, neighbors end on the host, and every
/// call repeats all the work. For the benchmarks that repeat the figures of the paper.
///
/// The neighbors of a point are the points with d² ≤ r² and the point itself, in three dimensions without periodic
/// axes, with the arithmetic of `Neighbors`. The search leaves them in rows of a table, in any order, as the paper
/// does; list() makes the canonical list and is not part of the timing.
///
/// Deviations from the paper: one set of points is destination and source, where the paper passes two. One radius holds
/// for all points, where the paper copies a smoothing length for each. The linked list keeps its device memory, which
/// the paper frees in each call. The methods of the method table have two sets, a radius for each point and all other
/// options.
///
///     PaperNeighbors<float> search(queue, configuration, 0.05);
///     for (int i = 0; i < 100; ++i) search.find({x, y, z});
///
/// Source: Godbole (2014), "GPU Extension for PySPH NNPS". The notes at the head of each method list the deviations.
template <class Real>
class PaperNeighbors {
 public:
  /// @param queue   on configuration.device(); on the CPU one of its threads is used, as in the paper
  /// @param radius  m
  /// @throws Error  radius not positive, or its square not a normal number of `Real`; a queue of another device
  PaperNeighbors(const Queue& queue, const PaperConfiguration& configuration, double radius);
  ~PaperNeighbors();
  PaperNeighbors(PaperNeighbors&&) noexcept;
  PaperNeighbors& operator=(PaperNeighbors&&) noexcept;

  /// Bins the points on the device of the configuration, and waits.
  /// @param points  [n] m, on the host, contiguous; n < 2^31 − 1
  /// @throws Error  counts differ, wrong device, a strided view; a coordinate is not finite: names the first such point
  /// @throws OutOfMemory  the cells or neighbors do not fit; the message gives the need and the free memory
  void bin(const Points<Real>& points);

  /// Bins and searches, and waits until the neighbors are on the host. Throws what bin() throws.
  void find(const Points<Real>& points);

  /// Neighbors of the last find().
  PaperList list() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal::neighbors

namespace shoal {
template <>
inline constexpr auto enumerator_names<neighbors::PaperSearch> =
    std::array<std::string_view, 3>{"cell_list", "linked_list", "simple"};
}  // namespace shoal
