// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbor_list.hpp>
#include <shoal/neighbors.hpp>

#include "bindings.hpp"
#include "keep.hpp"

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

/// A copy of a list whose own memory is soon overwritten.
template <class Real>
struct CopiedList {
  Array<std::int64_t> offsets, wide_indices;
  Array<std::int32_t> indices;
  Array<Real> distances;
  std::array<Array<Real>, 3> displacements;

  CopiedList(const Queue& queue, const NeighborListView<Real>& from) {
    const auto one = [&](auto& to, auto view) {
      to = std::remove_reference_t<decltype(to)>(queue, view.count);
      copy(queue, view, to.view());
    };
    one(offsets, from.offsets);
    one(indices, from.indices);
    one(wide_indices, from.wide_indices);
    one(distances, from.distances);
    for (std::size_t axis = 0; axis < 3; ++axis) one(displacements[axis], from.displacements[axis]);
  }

  NeighborListView<Real> view() const {
    return {offsets, indices, wide_indices, distances, {displacements[0], displacements[1], displacements[2]}};
  }
};

}  // namespace shoal::python
