// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors.hpp>
#include <shoal/neighbors/list.hpp>

#include "bindings.hpp"
#include "support/owning_capsule.hpp"

namespace shoal::python {

/// Does work that itself waits for the queue, without holding Python's lock.
template <class Work>
void run_waiting(Work&& work) {
  const GilRelease gil_release;
  work();
}

/// Converts a list to Python. Arrays that the options do not enable are None.
template <class Real>
nb::object neighbor_list(const CallArrays& call, const NeighborListView<Real>& list, const NeighborsOptions& options,
                         int dimensions, nb::handle owner) {
  const auto view_if = [&](bool enabled, auto view) { return enabled ? call.export_view(view, owner) : nb::none(); };
  const auto table_if = [&](bool enabled, auto view, const std::vector<std::int64_t>& shape) {
    return enabled ? call.export_view(view, shape, owner) : nb::none();
  };
  nb::object displacements = nb::none();
  if (options.displacements) {
    nb::list axes;
    for (int axis = 0; axis < dimensions; ++axis)
      axes.append(call.export_view(list.displacements[static_cast<std::size_t>(axis)], owner));
    displacements = nb::tuple(axes);
  }
  return result_type("NeighborList")(call.export_view(list.offsets, owner), call.export_view(list.indices, owner),
                                     view_if(options.wide_indices, list.wide_indices),
                                     view_if(options.distances, list.distances), displacements,
                                     table_if(options.edge_index, list.edge_index, {2, list.edge_index.count / 2}),
                                     table_if(options.shifts, list.shifts, {list.shifts.count / 3, 3}));
}

/// Copy of a list whose memory the next search overwrites.
template <class Real>
struct CopiedList {
  Array<std::int64_t> offsets, wide_indices;
  Array<std::int32_t> indices;
  Array<Real> distances;
  std::array<Array<Real>, 3> displacements;
  Array<std::int64_t> edge_index;
  Array<std::int32_t> shifts;

  CopiedList(const Queue& queue, const NeighborListView<Real>& list) {
    const auto copy_array = [&](auto& array, auto view) {
      array = std::remove_reference_t<decltype(array)>(queue, view.count);
      copy(queue, view, array.view());
    };
    copy_array(offsets, list.offsets);
    copy_array(indices, list.indices);
    copy_array(wide_indices, list.wide_indices);
    copy_array(distances, list.distances);
    for (std::size_t axis = 0; axis < 3; ++axis) copy_array(displacements[axis], list.displacements[axis]);
    copy_array(edge_index, list.edge_index);
    copy_array(shifts, list.shifts);
  }

  NeighborListView<Real> view() const {
    return {offsets,    indices, wide_indices, distances, {displacements[0], displacements[1], displacements[2]},
            edge_index, shifts};
  }
};

}  // namespace shoal::python
