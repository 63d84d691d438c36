// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/device/queue_order.hpp"
#include "core/memory/pinned_array.hpp"
#include "neighbors/list/list_buffers.hpp"

namespace shoal {

/// The list of one slab on the device and its way to the host. A stream has two of them, so that one is copied while
/// the other is searched.
template <class Real>
class StreamLane {
 public:
  explicit StreamLane(const Queue& queue)
      : list_(queue),
        copies_(queue.on_cpu() ? queue : Queue::cuda(queue.device().index)),
        indices_(queue),
        wide_(queue),
        distance_(queue),
        displacement_{PinnedArray<Real>(queue), PinnedArray<Real>(queue), PinnedArray<Real>(queue)} {}
  ~StreamLane() { settle(); }
  StreamLane(const StreamLane&) = delete;
  StreamLane& operator=(const StreamLane&) = delete;

  ListBuffers<Real>& list() { return list_; }
  const ListBuffers<Real>& list() const { return list_; }

  /// Starts the way to the host once what is on `searches` has ended; nothing waits. The CPU's list is there already.
  void send(const Queue& searches) {
    if (searches.on_cpu()) return;
    const NeighborListView<Real> from = list_.view();
    enqueue_wait(copies_, searches);
    indices_.copy_from(copies_, from.indices);
    wide_.copy_from(copies_, from.wide_indices);
    distance_.copy_from(copies_, from.distances);
    for (std::size_t axis = 0; axis < 3; ++axis) displacement_[axis].copy_from(copies_, from.displacements[axis]);
  }

  /// The list on the host, without offsets. Waits for the copies only.
  NeighborListView<Real> receive() const {
    if (copies_.on_cpu()) return list_.view();
    copies_.wait();
    const auto along = [&](std::size_t axis) { return displacement_[axis].view(); };
    return {{}, indices_.view(), wide_.view(), distance_.view(), {along(0), along(1), along(2)}};
  }

  /// Waits until the device leaves the memory alone, for use after an error.
  void settle() const noexcept {
    if (copies_.on_cpu()) return;
    try {
      copies_.wait();
    } catch (...) {  // the error that brought us here is the one to report
    }
  }

 private:
  ListBuffers<Real> list_;
  Queue copies_;
  PinnedArray<std::int32_t> indices_;
  PinnedArray<std::int64_t> wide_;
  PinnedArray<Real> distance_;
  PinnedArray<Real> displacement_[3];
};

}  // namespace shoal
