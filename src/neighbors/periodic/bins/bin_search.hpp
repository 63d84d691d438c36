// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors/periodic.hpp>

#include "neighbors/periodic/bins/bin_backend.hpp"

namespace shoal::neighbors {

/// Finds the pairs of one system by comparing each point with those of the bins around it, which vectors divide the cell
/// into. It needs no images: the periods of a bin give the shift. Returns false if the system has a fault or is not for
/// this search. Waits for the number of pairs.
/// @param points   checked views on the queue's device
/// @param offsets  [points + 1] on the queue's device
template <class Real>
bool find_in_bins(Scratch& scratch, const Points<Real>& points, double radius, Real limit, const ImageRule& rule,
                  const PeriodicCell& cell, View<std::int64_t> offsets, const MakeRoom<Real>& make_room);

}  // namespace shoal::neighbors
