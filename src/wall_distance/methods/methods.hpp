// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "wall_distance/wall_distance_method.hpp"
/// Entries of the method table, each defined in the file of its method.
/// What the files of this folder define.
namespace shoal::wall_distance {

extern const WallDistanceMethod wall_distance_serial;
extern const WallDistanceMethod wall_distance_bvh_cpu;
extern const WallDistanceMethod wall_distance_advancing_boundary_linked_list_cpu;
#ifdef SHOAL_CUDA
extern const WallDistanceMethod wall_distance_bvh_cuda;
extern const WallDistanceMethod wall_distance_tiles_cuda;
extern const WallDistanceMethod wall_distance_advancing_boundary_in_cell;
extern const WallDistanceMethod wall_distance_advancing_boundary_in_cell_arrays;
extern const WallDistanceMethod wall_distance_advancing_boundary_index;
extern const WallDistanceMethod wall_distance_advancing_boundary_pointers;
extern const WallDistanceMethod wall_distance_advancing_boundary_linked_list;
extern const WallDistanceMethod wall_distance_advancing_boundary_pointers_t1;
extern const WallDistanceMethod wall_distance_advancing_boundary_pointers_t2;
extern const WallDistanceMethod wall_distance_advancing_boundary_pointers_t3;
extern const WallDistanceMethod wall_distance_advancing_boundary_pointers_t5;
extern const WallDistanceMethod wall_distance_block_1a;
extern const WallDistanceMethod wall_distance_block_1b;
extern const WallDistanceMethod wall_distance_block_1c;
extern const WallDistanceMethod wall_distance_thread_2a;
extern const WallDistanceMethod wall_distance_thread_2b;
extern const WallDistanceMethod wall_distance_thread_2c;
extern const WallDistanceMethod wall_distance_combination;
#endif

}  // namespace shoal::wall_distance
