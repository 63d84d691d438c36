// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbor_list.hpp>
#include <shoal/neighbors.hpp>

#include "bindings.hpp"

namespace shoal::python {

/// A list as Python has it. What options do not ask for is None.
template <class Real>
nb::object neighbor_list(const Call& call, const NeighborListView<Real>& list, const NeighborsOptions& options,
                         int dimensions, nb::handle owner) {
  const auto given = [&](bool wanted, auto view) { return wanted ? call.lend(view, owner) : nb::none(); };
  nb::object displacements = nb::none();
  if (options.displacements) {
    nb::list axes;
    for (int axis = 0; axis < dimensions; ++axis)
      axes.append(call.lend(list.displacements[static_cast<std::size_t>(axis)], owner));
    displacements = nb::tuple(axes);
  }
  return result_type("NeighborList")(call.lend(list.offsets, owner), call.lend(list.indices, owner),
                                     given(options.wide_indices, list.wide_indices),
                                     given(options.distances, list.distances), displacements);
}

}  // namespace shoal::python
