// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbor_list.hpp>
#include <shoal/neighbors.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace shoal {

/// The rows of some destinations, one after the other, in host memory. Valid during the call that it is given to.
template <class Real>
struct NeighborSlab {
  std::int64_t first_destination = 0;

  /// Of the destinations from `first_destination` on, in their own order. offsets count from the first entry of the
  /// whole list: they need 64 bits, and slabs can be put together as they are. Entry 0 of indices and of what options
  /// add is entry offsets[0] of the whole list.
  NeighborListView<Real> list;

  std::int64_t destinations() const { return list.offsets.count - 1; }

  /// The sources of destination first_destination + i.
  std::span<const std::int32_t> row(std::int64_t i) const {
    const std::int64_t* offsets = list.offsets.data;
    return {list.indices.data + (offsets[i] - offsets[0]), static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
  }
};

/// A whole list in host memory; see NeighborListView. What options do not ask for is empty.
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
  /// Device memory for the list of one slab, of which CUDA holds two; as much again is page-locked on the host. A row
  /// that is longer has a slab of its own. 0 chooses: a sixteenth of the free memory, on CUDA at most 256 MiB, beyond
  /// which copies gain nothing.
  std::int64_t slab_bytes = 0;
};

/// Every source point within a radius of every destination point, for lists that do not fit the device: rows come to
/// the host slab by slab, while the device searches the next slab.
///
/// The rows are those of Neighbors, bit for bit, for all options. Only the points must fit the device; the list may
/// have more than 2^31 entries.
///
///     shoal::NeighborStream<float> stream(queue, 0.1);
///     stream.find({x, y, z}, [&](const shoal::NeighborSlab<float>& slab) {
///       for (std::int64_t i = 0; i < slab.destinations(); ++i) use(slab.first_destination + i, slab.row(i));
///     });
///
/// Cost: the neighbors are counted first, so that slabs fit their memory exactly; the sources are sorted once, each
/// destination is searched once. On CUDA the copies to the host set the pace: 4 bytes a neighbor. `Real` is float or
/// double.
template <class Real>
class NeighborStream {
 public:
  /// Called in the order of the destinations, on the thread that called find(). It must not use the stream.
  using Consumer = std::function<void(const NeighborSlab<Real>&)>;

  /// @throws Error  what the constructor of Neighbors says; slab_bytes < 0
  NeighborStream(const Queue& queue, double radius, const Box& box = {}, const NeighborsOptions& options = {},
                 const NeighborStreamOptions& stream_options = {});
  ~NeighborStream();
  NeighborStream(NeighborStream&&) noexcept;
  NeighborStream& operator=(NeighborStream&&) noexcept;

  /// Neighbors within one set. Returns when the last slab was consumed; without points there is none.
  /// @param points  [n] m, any stride, on the queue's device; n < 2^31 − 1
  /// @throws Error  what Neighbors::find() throws, before the first slab
  /// @throws OutOfMemory  not even one row fits. Where a slab does not fit, the rest goes in slabs of half the size
  /// What the consumer throws ends the search. After an error the stream can be used again.
  void find(const Points<Real>& points, const Consumer& consumer);

  /// The sources near each destination.
  void find(const Points<Real>& destinations, const Points<Real>& sources, const Consumer& consumer);

  /// The whole list on the host.
  /// @throws OutOfMemory  the host has no room for it
  /// @{
  HostNeighborList<Real> find_to_host(const Points<Real>& points);
  HostNeighborList<Real> find_to_host(const Points<Real>& destinations, const Points<Real>& sources);
  /// @}

  /// Bytes that the stream holds on the device from search to search, with the lists of its slabs.
  std::int64_t device_bytes() const;

  /// The row of the method table that runs.
  MethodInfo method() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal
