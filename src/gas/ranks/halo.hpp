// SPDX-License-Identifier: Apache-2.0
// Exchange of f between ranks with next slabs of cells.
#pragma once
#include <shoal/device.hpp>

#include <memory>
#include <vector>

#include "core/communication/rank_group.hpp"
#include "gas/setup/gas_setup.hpp"

namespace shoal::gas {

/// Exchange of a rank with the ranks below and above it. Layers are contiguous, so that nothing is packed. One rank exchanges
/// nothing. On CUDA a queue of its own has the exchange, beside the work that needs no ghosts.
template <class Real>
class Halo {
 public:
  Halo(const Queue& queue, const GasSetup& setup);
  /// Connects the ranks.
  void connect();
  ~Halo();
  Halo(const Halo&) = delete;
  Halo& operator=(const Halo&) = delete;

  /// Fetches the ghosts of f, after the present work of the queue.
  /// @param f  [stored cells × nodes]
  void begin(Real* f);
  /// Lets later work of the queue wait for the ghosts.
  void finish();

  /// Passes the values at the faces at the ends of the slab on in a sweep, in which ranks take turns: in phase p rank p has
  /// swept the nodes that move to higher ranks, and rank (size − 1 − p) those that move to lower ones. Later work of the
  /// queue waits for them.
  /// @param leaving     [lines × nodes] values that leave at either end
  /// @param first,last  [lines × nodes] values that arrive at the first and at the last own cells; overwritten
  void pass(int phase, const Real* leaving, Real* first, Real* last);

 private:
  bool has(std::size_t end) const { return setup_.slab.ghosts[end] > 0; }
  /// Rank beyond an end of the slab.
  int next(std::size_t end) const;
  void exchange(const std::vector<SentPiece>& sends, const std::vector<ReceivedPiece>& receives);

  Queue queue_;
  Queue halo_queue_;  ///< Queue of the exchange; on the CPU it is queue_.
  const GasSetup& setup_;
  std::unique_ptr<Transport> transport_;  ///< Exchange of halo_queue_; null on one rank.
};

}  // namespace shoal::gas
