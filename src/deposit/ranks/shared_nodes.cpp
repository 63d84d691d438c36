// SPDX-License-Identifier: Apache-2.0
#include "deposit/ranks/shared_nodes.hpp"

#include <type_traits>
#include <vector>

#include "core/backends.hpp"

namespace shoal::deposit {

SharedNodes::SharedNodes(const Queue& queue, const Communicator& ranks, const Slabs& slabs, std::int64_t plane_nodes,
                         bool periodic)
    : ranks_(ranks), transport_(ranks.group().transport(queue)), plane_nodes_(plane_nodes) {
  const int last = ranks.size() - 1;
  const int rank = ranks.rank();
  planes_[0] = {.rank = rank > 0 ? rank - 1 : (periodic ? last : -1), .first_node = 0, .is_later = rank > 0};
  planes_[1] = {.rank = rank < last ? rank + 1 : (periodic ? 0 : -1),
                .first_node = slabs.count(rank) * plane_nodes,
                .is_later = rank == last};
}

SharedNodes::SharedNodes(const Queue&, const Communicator& ranks) : ranks_(ranks) {}

template <class T>
void SharedNodes::add(Scratch& scratch, const Fields<T>& nodes, std::int64_t node_count) {
  const Queue& queue = scratch.queue();
  if constexpr (std::is_same_v<T, std::uint64_t>) {  // only method integer has nodes on every rank; its sums wrap
    for (int k = 0; k < nodes.count && !transport_; ++k)
      all_sum(queue, reinterpret_cast<std::int64_t*>(nodes.data[k]), node_count);
  }
  if (!transport_) return;
  const SharedNodesBackend<T>& steps = backend<SharedNodesBackend<T>>(queue);
  const std::int64_t count = nodes.count * plane_nodes_;
  ScratchFrame frame(scratch);
  std::array<const T*, 2> sent{};
  std::array<T*, 2> received{};
  for (std::size_t side = 0; side < 2; ++side) {
    if (planes_[side].rank < 0) continue;
    T* const packed = frame.array<T>(count).data;
    steps.pack(queue, nodes, planes_[side].first_node, plane_nodes_, packed);
    sent[side] = packed;
    received[side] = frame.array<T>(count).data;
  }
  exchange(sent, received, count);
  for (std::size_t side = 0; side < 2; ++side)
    if (planes_[side].rank >= 0) steps.add(queue, received[side], nodes, planes_[side].first_node, plane_nodes_);
}
template void SharedNodes::add(Scratch&, const Fields<float>&, std::int64_t);
template void SharedNodes::add(Scratch&, const Fields<double>&, std::int64_t);
template void SharedNodes::add(Scratch&, const Fields<std::uint64_t>&, std::int64_t);

void SharedNodes::all_sum(const Queue& queue, std::int64_t* words, std::int64_t count) const {
  // No wait: it would throw the faults of this rank alone.
  std::vector<std::int64_t> host(static_cast<std::size_t>(count));
  copy(queue, View<const std::int64_t>(words, count, queue.device()), View<std::int64_t>(host));
  group().all_sum(host);
  copy(queue, View<const std::int64_t>(host), View<std::int64_t>(words, count, queue.device()));
}

/// Between two ranks that are neighbors on both sides, pieces pair up in their order: what goes down comes from above.
void SharedNodes::exchange_bytes(const std::array<const void*, 2>& sent, const std::array<void*, 2>& received,
                                 std::size_t bytes) {
  std::vector<SentPiece> sends;
  std::vector<ReceivedPiece> receives;
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    if (sent[side] != nullptr) sends.push_back({sent[side], bytes, planes_[side].rank});
    if (received[1 - side] != nullptr) receives.push_back({received[1 - side], bytes, planes_[1 - side].rank});
  }
  transport_->exchange(sends, receives);
}

}  // namespace shoal::deposit
