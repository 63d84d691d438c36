// SPDX-License-Identifier: Apache-2.0
#include "deposit/ranks/support_ranks.hpp"

#include <limits>

#include "core/backends.hpp"
#include "core/text.hpp"
#include "ranks/agree_naming_rank.hpp"

namespace shoal::deposit {

template <class Real>
SupportRanks<Real>::SupportRanks(const Queue& queue, const RankLayers& layers, std::int64_t cells_of_layer,
                                 std::int64_t plane_nodes, bool is_periodic)
    : queue_(queue),
      layers_(layers),
      transport_(layers.ranks.group().transport(queue)),
      shared_nodes_(queue, layers.ranks, layers.support_slabs(is_periodic), plane_nodes, is_periodic),
      cells_of_layer_(cells_of_layer),
      cell_(queue, 0),
      offset_{Array<Real>(queue, 0), Array<Real>(queue, 0), Array<Real>(queue, 0)} {
  const int rank = layers.ranks.rank(), last = layers.ranks.size() - 1;
  below_ = rank > 0 ? rank - 1 : (is_periodic ? last : -1);
  above_ = rank < last ? rank + 1 : (is_periodic ? 0 : -1);
  is_wrapped_ = rank == last;
  first_layer_ = is_wrapped_ ? 0 : static_cast<std::int32_t>(layers.slabs.end(rank));
}

template <class Real>
Range SupportRanks<Real>::own_range() const {
  const std::int64_t first = is_wrapped_ ? received_.count : 0;
  return {first, first + own_count_};
}

/// Exchanges numbers of particles. The particles of the first layer come first in the order of cells.
template <class Real>
void SupportRanks<Real>::exchange_counts(const BinnedParticles<Real>& particles) {
  own_count_ = particles.count;
  received_.count = 0;
  // No wait: it would throw the faults of this rank alone.
  copy(queue_, View<const std::int64_t>(particles.cell_start + cells_of_layer_, 1, queue_.device()),
       View<std::int64_t>(&sent_count_, 1));
  if (below_ < 0) sent_count_ = 0;
  Pieces pieces;
  if (below_ >= 0) pieces.sends.push_back({&sent_count_, sizeof sent_count_, below_});
  if (above_ >= 0) pieces.receives.push_back({&received_.count, sizeof received_.count, above_});
  layers_.ranks.group().exchange(pieces.sends, pieces.receives);
}

template <class Real>
void SupportRanks<Real>::make_room() {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  require(count() < most, "deposit: to_cells() has ", count(), " particles on a rank with those of the layer above, ",
          "expected fewer than ", most, ". Use more ranks.");
  cell_.resize(received_.count);
  received_.cell = cell_.data();
  for (int axis = 0; axis < 3; ++axis) {
    offset_[axis].resize(received_.count);
    received_.offset[axis] = offset_[axis].data();
  }
}

template <class Real>
void SupportRanks<Real>::receive(const BinnedParticles<Real>& particles) {
  exchange_counts(particles);
  agree_naming_rank(layers_.ranks, [&] { make_room(); });
  Pieces pieces;
  add_piece(pieces, particles.cell, cell_.data());
  for (int axis = 0; axis < 3; ++axis)
    if (particles.offset[axis] != nullptr) add_piece(pieces, particles.offset[axis], offset_[axis].data());
  transport_->exchange(pieces.sends, pieces.receives);
}

/// Adds an array: the particles of the first layer go down, those of the layer above come.
template <class Real>
template <class T>
void SupportRanks<Real>::add_piece(Pieces& pieces, const T* sent, T* received) const {
  if (sent_count_ > 0) pieces.sends.push_back({sent, static_cast<std::size_t>(sent_count_) * sizeof(T), below_});
  if (received_.count > 0)
    pieces.receives.push_back({received, static_cast<std::size_t>(received_.count) * sizeof(T), above_});
}

template <class Real>
Fields<const Real> SupportRanks<Real>::exchange(ScratchFrame& frame, const BinnedParticles<Real>& particles,
                                                const Fields<const Real>& values) const {
  Fields<Real> exchanged, own_values;
  agree_naming_rank(layers_.ranks, [&] {
    exchanged = own_values = make_fields<Real>(frame, values.count, count());
    for (int k = 0; k < values.count; ++k) own_values.data[k] += own_range().begin;
    backend<SupportBackend<Real>>(queue_).copy_values(queue_, particles, values, own_values);
  });
  Pieces pieces;
  Fields<const Real> result;
  for (; result.count < values.count; ++result.count) {
    const int k = result.count;
    add_piece(pieces, own_values.data[k], exchanged.data[k] + first_received());
    result.data[k] = exchanged.data[k];
    result.stride[k] = 1;
  }
  transport_->exchange(pieces.sends, pieces.receives);
  return result;
}

template class SupportRanks<float>;
template class SupportRanks<double>;

}  // namespace shoal::deposit
