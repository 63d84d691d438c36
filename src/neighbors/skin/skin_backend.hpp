// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/memory/scratch.hpp"
#include "neighbors/skin/skin_item.hpp"

/// What a list with a skin does on each device: src/neighbors/skin_cpu.cpp and skin_cuda.cu. Nothing waits.
namespace shoal {

namespace cpu {

/// Finds how far the points moved, and decides whether candidates are needed.
template <class Real>
void check_motion(const Queue& queue, const Skin<Real>& skin);

/// After a search for candidates that was needed: keeps where the points are, and the order that they were sorted in.
/// @param order      [destinations], empty: none
/// @param offsets    [destinations + 1] of the candidates
/// @param room       for candidates
/// @param only_if    whether the search was needed, on the queue's device; null: it was
template <class Real>
void remember(const Queue& queue, const Skin<Real>& skin, View<const std::int32_t> order,
              View<const std::int64_t> offsets, std::int64_t room, const int* only_if);

/// Writes marks and counts.
template <class Real>
void mark_candidates(Scratch& scratch, const CandidateFilter<Real>& filter, bool periodic);

/// Writes the list from marks and offsets.
template <class Real>
void write_candidates(const Queue& queue, const CandidateFilter<Real>& filter);

}  // namespace cpu

namespace cuda {
template <class Real>
void check_motion(const Queue& queue, const Skin<Real>& skin);
template <class Real>
void remember(const Queue& queue, const Skin<Real>& skin, View<const std::int32_t> order,
              View<const std::int64_t> offsets, std::int64_t room, const int* only_if);
template <class Real>
void mark_candidates(Scratch& scratch, const CandidateFilter<Real>& filter, bool periodic);
template <class Real>
void write_candidates(const Queue& queue, const CandidateFilter<Real>& filter);
}  // namespace cuda

}  // namespace shoal
