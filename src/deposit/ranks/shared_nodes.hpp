// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/ranks/communicator.hpp>
#include <shoal/ranks/slabs.hpp>

#include <array>
#include <memory>

#include "core/communication/rank_group.hpp"
#include "deposit/deposit_method.hpp"

namespace shoal::deposit {

/// Nodes that this rank shares with others, and the sum of what ranks have there. In slabs these are the planes at the
/// cuts, and both ranks beside a cut get the sum. Else they are all nodes.
///
/// The top of step 5 of the canonical sum is the cut: (rows below) + (rows above). A rank without the rows of the other
/// side adds +0 for them, so the sum of both ranks has the bits of one rank.
class SharedNodes {
 public:
  /// The plane of nodes at one end of the slab.
  struct Plane {
    int rank = -1;                ///< rank on the other side; -1: none, at an end of the grid
    std::int64_t first_node = 0;  ///< among the nodes of this slab
    bool is_later = false;        ///< true: on one rank, the particles of the other side come first
  };

  /// Slabs of layers.
  SharedNodes(const Queue& queue, const Communicator& ranks, const Slabs& slabs, std::int64_t plane_nodes,
              bool periodic);
  /// All nodes on every rank.
  SharedNodes(const Queue& queue, const Communicator& ranks);

  /// Number of nodes of a plane.
  std::int64_t plane_nodes() const { return plane_nodes_; }
  /// Planes at the lower and the upper end of the slab.
  const std::array<Plane, 2>& planes() const { return planes_; }

  /// Replaces this rank's sums at shared nodes by those of all ranks.
  /// @param node_count  number of nodes of this rank
  template <class T>
  void add(Scratch& scratch, const Fields<T>& nodes, std::int64_t node_count);

  /// Exchanges numbers of the planes with the ranks on their other sides, in memory of the queue's device. A null pointer
  /// leaves a piece out; both ranks must leave out the same ones.
  template <class T>
  void exchange(const std::array<const T*, 2>& sent, const std::array<T*, 2>& received, std::int64_t count) {
    exchange_bytes({sent[0], sent[1]}, {received[0], received[1]}, static_cast<std::size_t>(count) * sizeof(T));
  }

  /// Reductions over all ranks, in memory of the host.
  RankGroup& group() const { return ranks_.group(); }

  /// Sum over all ranks of words in memory of the queue's device; goes through memory of the host.
  void all_sum(const Queue& queue, std::int64_t* words, std::int64_t count) const;

 private:
  void exchange_bytes(const std::array<const void*, 2>& sent, const std::array<void*, 2>& received, std::size_t bytes);

  Communicator ranks_;
  std::unique_ptr<Transport> transport_;  ///< null: all nodes are on every rank
  std::int64_t plane_nodes_ = 0;
  std::array<Plane, 2> planes_{};
};

/// Device-dependent steps of SharedNodes.
template <class T>
struct SharedNodesBackend {
  /// Copies nodes [first, first + count) of all fields to `packed` [fields][count].
  void (*pack)(const Queue& queue, const Fields<T>& nodes, std::int64_t first, std::int64_t count, T* packed);
  /// Adds `packed` to these nodes.
  void (*add)(const Queue& queue, const T* packed, const Fields<T>& nodes, std::int64_t first, std::int64_t count);

  static const SharedNodesBackend cpu, cuda;
};

}  // namespace shoal::deposit
