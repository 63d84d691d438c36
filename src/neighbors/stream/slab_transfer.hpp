// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/device/queue_order.hpp"
#include "core/memory/pinned_array.hpp"
#include "neighbors/list/list_buffers.hpp"

namespace shoal::neighbors {

/// List of one slab on the device and its copy to the host. A stream has two, so that one list is copied while the next
/// slab is searched.
template <class Real>
class SlabTransfer {
 public:
  SlabTransfer(const Queue& queue, const NeighborsMethod& method)
      : list_(queue, method),
        copy_queue_(queue.on_cpu() ? queue : Queue::cuda(queue.device().index)),
        indices_(queue),
        wide_indices_(queue),
        distances_(queue),
        displacements_{PinnedArray<Real>(queue), PinnedArray<Real>(queue), PinnedArray<Real>(queue)} {}
  ~SlabTransfer() { wait_after_error(); }
  SlabTransfer(const SlabTransfer&) = delete;
  SlabTransfer& operator=(const SlabTransfer&) = delete;

  ListBuffers<Real>& list() { return list_; }
  const ListBuffers<Real>& list() const { return list_; }

  /// Starts the copy to the host after the work on `search_queue`. Does not wait. On the CPU there is nothing to copy.
  void send(const Queue& search_queue) {
    if (search_queue.on_cpu()) return;
    const NeighborListView<Real> view = list_.view();
    enqueue_wait(copy_queue_, search_queue);
    indices_.copy_from(copy_queue_, view.indices);
    wide_indices_.copy_from(copy_queue_, view.wide_indices);
    distances_.copy_from(copy_queue_, view.distances);
    for (std::size_t axis = 0; axis < 3; ++axis) displacements_[axis].copy_from(copy_queue_, view.displacements[axis]);
  }

  /// Returns the list on the host, without offsets. Waits for the copy only.
  NeighborListView<Real> receive() const {
    if (copy_queue_.on_cpu()) return list_.view();
    copy_queue_.wait();
    const auto component = [&](std::size_t axis) { return displacements_[axis].view(); };
    return {{}, indices_.view(), wide_indices_.view(), distances_.view(), {component(0), component(1), component(2)}};
  }

  /// Waits for the copy after an error, so that the memory can be reused.
  void wait_after_error() const noexcept {
    if (copy_queue_.on_cpu()) return;
    try {
      copy_queue_.wait();
    } catch (...) {  // the first error is the one to report
    }
  }

 private:
  ListBuffers<Real> list_;
  Queue copy_queue_;
  PinnedArray<std::int32_t> indices_;
  PinnedArray<std::int64_t> wide_indices_;
  PinnedArray<Real> distances_;
  PinnedArray<Real> displacements_[3];
};

}  // namespace shoal::neighbors
