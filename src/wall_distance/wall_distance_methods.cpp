// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/methods/methods.hpp"

namespace shoal::wall_distance {

std::span<const WallDistanceMethod> wall_distance_method_table() {
  // `auto` selects the first entry for the device; docs/performance/wall_distance.md has the measurements behind this
  // order.
  static const WallDistanceMethod table[] = {
#ifdef SHOAL_CUDA
      wall_distance_bvh_cuda,
      wall_distance_tiles_cuda,
      wall_distance_advancing_boundary_in_cell,
      wall_distance_advancing_boundary_in_cell_arrays,
      wall_distance_advancing_boundary_index,
      wall_distance_advancing_boundary_pointers,
      wall_distance_advancing_boundary_linked_list,
      wall_distance_advancing_boundary_t1,
      wall_distance_advancing_boundary_t2,
      wall_distance_advancing_boundary_t3,
      wall_distance_advancing_boundary_t4,
      wall_distance_advancing_boundary_t5,
      wall_distance_advancing_boundary_t4_new_cell_1,
      wall_distance_advancing_boundary_t4_new_cell_2,
      wall_distance_thread_2c,
      wall_distance_thread_2a,
      wall_distance_thread_2b,
      wall_distance_block_1a,
      wall_distance_block_1b,
      wall_distance_block_1c,
      wall_distance_combination,
#endif
      wall_distance_bvh_cpu,
      wall_distance_advancing_boundary_parallel,
      wall_distance_advancing_boundary_linked_list_cpu,
      wall_distance_advancing_boundary_pointers_cpu,
      wall_distance_advancing_boundary_in_cell_arrays_cpu,
      wall_distance_serial,
      wall_distance_serial_double,
  };
  return table;
}

std::vector<MethodInfo> wall_distance_methods() { return method_infos("wall_distance", wall_distance_method_table()); }

}  // namespace shoal::wall_distance
