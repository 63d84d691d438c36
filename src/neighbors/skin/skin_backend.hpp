// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/backends.hpp"
#include "core/memory/scratch.hpp"
#include "neighbors/skin/skin_item.hpp"

namespace shoal::neighbors {

/// Result of a search for candidates.
struct CandidateSearch {
  View<const std::int32_t> order;    ///< [destinations] sorted order of the destinations; empty: none
  View<const std::int64_t> offsets;  ///< [destinations + 1] of the candidates
  std::int64_t room;                 ///< Number of candidates that fit.
  const int* needed;  ///< Null or 1 on the device: the search ran. 0: it did not. The CPU's caller checks it.
};

/// Device-dependent steps of a search with a skin. They do not wait.
template <class Real>
struct SkinBackend {
  /// Computes the displacements of the points, and decides whether candidates must be searched.
  void (*check_displacements)(const Queue& queue, const Skin<Real>& skin);

  /// Stores the reference positions and the sorted order after a search for candidates.
  void (*store_references)(const Queue& queue, const Skin<Real>& skin, const CandidateSearch& search);

  /// Computes masks and counts of the candidates.
  void (*mask_candidates)(Scratch& scratch, const CandidateFilter<Real>& filter, bool periodic);

  /// Writes the list from masks and offsets.
  void (*write_list)(const Queue& queue, const CandidateFilter<Real>& filter);

  static const SkinBackend cpu, cuda;
};

}  // namespace shoal::neighbors
