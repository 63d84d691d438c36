// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>
#include <shoal/points.hpp>

#include <memory>
#include <string>
#include <vector>

namespace shoal {

/// The searches of the paper: on one CPU thread, or on a GPU (sections 5.1.1 and 5.1.2).
enum class PaperSearch { cell_list, linked_list, simple };
template <>
inline constexpr auto enumerator_names<PaperSearch> =
    std::array<std::string_view, 3>{"cell_list", "linked_list", "simple"};

/// One way to bin and search, of those that the paper compares in section 6.
struct PaperConfiguration {
  std::string name;  ///< "CPU binning, GPU search, pool"
  DeviceKind binning = DeviceKind::cpu;
  PaperSearch search = PaperSearch::cell_list;
  bool pool = false;         ///< device memory is kept from call to call; else cudaMalloc and cudaFree in every call
  bool page_locked = false;  ///< the GPU writes the neighbors into page-locked host memory; else they are copied there
  bool in_figure = true;     ///< one of the five of figure 3

  DeviceKind device() const { return search == PaperSearch::cell_list ? DeviceKind::cpu : DeviceKind::cuda; }
};

/// The five of figure 3 in its order, then the linked list, which the paper describes and leaves out of the figure, and
/// GPU binning with page-locked output.
std::vector<PaperConfiguration> paper_configurations();

/// A list of neighbors on the host, as `Neighbors` gives it.
struct HostNeighborList {
  std::vector<std::int64_t> offsets;  ///< [points + 1]
  std::vector<std::int32_t> indices;  ///< ascending in each row
};

/// Binning and neighbor search as the paper times them: points come from the host, neighbors end on the host, and
/// every call does all of it again.
///
/// A point's neighbors are those at the radius or nearer, itself among them, in three dimensions without periodic
/// axes: d² ≤ r², with the arithmetic of `Neighbors`. They come as the paper has them, a row of a table for each point,
/// in any order; list() makes the canonical list of them, outside of what is timed. `Neighbors` has the same methods
/// for every option.
///
///     shoal::PaperNeighbors<float> search(queue, configuration, 0.05);
///     for (int i = 0; i < 100; ++i) search.find({x, y, z});
///
/// Source: Godbole (2014), "GPU Extension for PySPH NNPS"; docs/neighbors_paper.md says what differs.
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

  /// Binning alone, on the configuration's device; returns when it has ended.
  /// @param points  [n] m, on the host, contiguous; n < 2^31 − 1
  /// @throws Error  counts differ, wrong device, a strided view; a coordinate is not finite: names the first such point
  /// @throws OutOfMemory  the cells or neighbors do not fit: says how much is needed and how much there is
  void bin(const Points<Real>& points);

  /// Binning and search; returns when the neighbors are on the host. Throws what bin() throws.
  void find(const Points<Real>& points);

  /// The neighbors that the last find() found.
  HostNeighborList list() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal
