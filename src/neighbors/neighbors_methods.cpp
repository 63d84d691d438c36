// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <type_traits>

#include "neighbors/methods/methods.hpp"

namespace shoal::neighbors {

std::span<const NeighborsMethod> neighbors_method_table() {
  // `auto` selects the first method of the device; docs/performance/neighbors.md has the measurements behind this
  // order.
  static const NeighborsMethod methods[] = {
#ifdef SHOAL_CUDA
      rows_cuda,        tiles_cuda,
      simple_cuda,      simple_cpu_binning_cuda,
      linked_list_cuda, linked_list_cpu_binning_cuda,
#endif
      rows_cpu,         tiles_cpu,
      cell_list_cpu,    serial_cpu,
  };
  return methods;
}

const NeighborsMethod& find_neighbors_method(const Queue& queue, const std::string& name, RowOrder order) {
  const NeighborsMethod& method = find_method("neighbors", neighbors_method_table(), name, queue.device().kind);
  require(order == RowOrder::ascending || method.orders_visits, "neighbors: order = \"", to_name(order),
          "\", but method `", method.name,
          "` writes ascending rows only. Use method `rows`, or order = \"ascending\".");
  return method;
}

std::vector<MethodInfo> neighbors_methods() { return method_infos("neighbors", neighbors_method_table()); }

template <class Real>
void NeighborsMethod::run(const NeighborSearch<Real>& search) const {
  const std::int64_t destinations = search.sets.destinations.count();
  try {
    search.list.offsets.resize(destinations + 1);
    if constexpr (std::is_same_v<Real, float>)
      run_float(search);
    else
      run_double(search);
  } catch (const OutOfMemory& error) {
    throw OutOfMemory(text("neighbors: no room for the list of ", destinations, " destinations: ", error.what(),
                           " A NeighborStream hands out lists that do not fit."));
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(text("neighbors: no room on the host to search ", destinations,
                           " destinations. Use fewer points or a smaller radius."));
  }
}

template void NeighborsMethod::run(const NeighborSearch<float>&) const;
template void NeighborsMethod::run(const NeighborSearch<double>&) const;

}  // namespace shoal::neighbors
