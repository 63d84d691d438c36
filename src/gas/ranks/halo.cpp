// SPDX-License-Identifier: Apache-2.0
#include "gas/ranks/halo.hpp"

#include "core/device/queue_order.hpp"

namespace shoal::gas {

template <class Real>
Halo<Real>::Halo(const Queue& queue, const GasSetup& setup)
    : queue_(queue),
      halo_queue_(queue.on_cpu() || setup.ranks.size() == 1 ? queue : Queue::cuda(queue.device().index)),
      setup_(setup) {}

template <class Real>
void Halo<Real>::connect() {
  if (setup_.ranks.size() > 1) transport_ = setup_.ranks.group().transport(halo_queue_);
}

template <class Real>
Halo<Real>::~Halo() {
  if (!transport_) return;
  try {
    wait_for_work(halo_queue_);  // it writes into f
  } catch (...) {
    return;  // the device has failed: nothing writes any more
  }
}

template <class Real>
int Halo<Real>::next(std::size_t end) const {
  const int size = setup_.ranks.size();
  return (setup_.ranks.rank() + (end == 0 ? size - 1 : 1)) % size;
}

/// Two ranks of a periodic flow are each other's neighbors at both ends: what goes to the rank below is sent first, and what
/// comes from the rank above is received first.
template <class Real>
void Halo<Real>::begin(Real* f) {
  if (!transport_) return;
  const std::int64_t layer = setup_.layer_cells() * setup_.node_count(), own = setup_.slab.ghosts[0] * layer;
  const std::int64_t count = CellSlab::halo * layer, end = own + setup_.slab.count * layer;
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(Real);
  std::vector<SentPiece> sends;
  std::vector<ReceivedPiece> receives;
  if (has(0)) sends.push_back({f + own, bytes, next(0)});
  if (has(1)) sends.push_back({f + end - count, bytes, next(1)});
  if (has(1)) receives.push_back({f + end, bytes, next(1)});
  if (has(0)) receives.push_back({f + own - count, bytes, next(0)});
  exchange(sends, receives);
}

template <class Real>
void Halo<Real>::finish() {
  if (transport_ && !queue_.on_cpu()) enqueue_wait(queue_, halo_queue_);
}

template <class Real>
void Halo<Real>::pass(int phase, const Real* leaving, Real* first, Real* last) {
  if (!transport_) return;
  const int rank = setup_.ranks.rank(), top = setup_.ranks.size() - 1;
  const std::int64_t lines = setup_.lines[setup_.cut_axis()].count;
  const std::size_t bytes = static_cast<std::size_t>(lines * setup_.node_count()) * sizeof(Real);
  std::vector<SentPiece> sends;
  std::vector<ReceivedPiece> receives;
  if (rank == phase && rank < top) sends.push_back({leaving, bytes, rank + 1});
  if (rank == top - phase && rank > 0) sends.push_back({leaving, bytes, rank - 1});
  if (rank == phase + 1) receives.push_back({first, bytes, rank - 1});
  if (rank == top - phase - 1) receives.push_back({last, bytes, rank + 1});
  exchange(sends, receives);
  finish();
}

template <class Real>
void Halo<Real>::exchange(const std::vector<SentPiece>& sends, const std::vector<ReceivedPiece>& receives) {
  if (!queue_.on_cpu()) enqueue_wait(halo_queue_, queue_);
  transport_->exchange(sends, receives);
}

template class Halo<float>;
template class Halo<double>;

}  // namespace shoal::gas
