// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors.hpp>
#include <shoal/neighbors/list.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace shoal::neighbors {

/// Rows of consecutive destinations in host memory, valid during the call of the consumer.
template <class Real>
struct NeighborSlab {
  std::int64_t first_destination = 0;  ///< Number of the first destination.

  /// List of the destinations from `first_destination` on. The offsets count from the first entry of the whole list, so
  /// that slabs can be joined without change. Entry 0 of the other arrays is entry offsets[0] of the whole list.
  NeighborListView<Real> list;

  /// Number of destinations.
  std::int64_t destinations() const { return list.offsets.count - 1; }

  /// Sources of destination first_destination + i.
  std::span<const std::int32_t> row(std::int64_t i) const {
    const std::int64_t* offsets = list.offsets.data;
    return {list.indices.data + (offsets[i] - offsets[0]), static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
  }
};

/// Whole list in host memory; see NeighborListView. Arrays that the options do not enable are empty.
template <class Real>
struct HostNeighborList {
  Array<std::int64_t> offsets;
  Array<std::int32_t> indices;
  Array<std::int64_t> wide_indices;
  Array<Real> distances;
  std::array<Array<Real>, 3> displacements;

  NeighborListView<Real> view() const {
    return {offsets, indices, wide_indices, distances, {displacements[0], displacements[1], displacements[2]}};
  }
};

struct NeighborStreamOptions {
  /// Bytes of device memory for the list of one slab. CUDA holds two slabs, and as much page-locked memory on the host.
  /// A longer row has its own slab. 0: a sixteenth of the free memory, on CUDA at most 256 MiB, as larger copies are
  /// not faster.
  std::int64_t slab_bytes = 0;
};

/// Every source point within a radius of every destination point, for lists that do not fit the device: the
/// host receives rows slab by slab, while the device searches the next slab.
///
/// The rows are those of Neighbors, bit for bit, for all options. Only the points must fit the device; the list may
/// have more than 2^31 entries.
///
///     shoal::NeighborStream<float> stream(queue, 0.1);
///     stream.find({x, y, z}, [&](const shoal::NeighborSlab<float>& slab) {
///       for (std::int64_t i = 0; i < slab.destinations(); ++i) use(slab.first_destination + i, slab.row(i));
///     });
///
/// Cost: a first pass counts the neighbors, so that slabs fit their memory exactly. The sources are sorted once, each
/// destination is searched once. On CUDA the copies to the host determine the time: 4 bytes a neighbor. `Real` is float
/// or double.
template <class Real>
class NeighborStream {
 public:
  /// Function called in the order of the destinations, on the thread that called find(). It must not use the stream.
  using Consumer = std::function<void(const NeighborSlab<Real>&)>;

  /// @throws Error  see the constructor of Neighbors; slab_bytes < 0
  NeighborStream(const Queue& queue, double radius, const Box& box = {}, const NeighborsOptions& options = {},
                 const NeighborStreamOptions& stream_options = {});
  ~NeighborStream();
  NeighborStream(NeighborStream&&) noexcept;
  NeighborStream& operator=(NeighborStream&&) noexcept;

  /// Finds the neighbors within one set. Returns when the last slab is consumed; without points there is no slab.
  /// @param points  [n] m, any stride, on the queue's device; n < 2^31 − 1
  /// @throws Error  what Neighbors::find() throws, before the first slab
  /// @throws OutOfMemory  a single row does not fit. If a slab does not fit, the following slabs have half the size
  /// An exception of the consumer ends the search. After an error the stream can be used again.
  void find(const Points<Real>& points, const Consumer& consumer);

  /// Finds the sources near each destination.
  void find(const Points<Real>& destinations, const Points<Real>& sources, const Consumer& consumer);

  /// Finds the whole list and returns it on the host.
  /// @throws OutOfMemory  the host has no room for it
  /// @{
  HostNeighborList<Real> find_to_host(const Points<Real>& points);
  HostNeighborList<Real> find_to_host(const Points<Real>& destinations, const Points<Real>& sources);
  /// @}

  /// Bytes of device memory that the stream keeps between searches, with the lists of its slabs.
  std::int64_t device_bytes() const;

  /// Method of this stream.
  MethodInfo method() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal::neighbors

namespace shoal {
using neighbors::HostNeighborList;
using neighbors::NeighborSlab;
using neighbors::NeighborStream;
using neighbors::NeighborStreamOptions;
}  // namespace shoal
