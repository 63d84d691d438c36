// SPDX-License-Identifier: Apache-2.0
// advancing_boundary_*: faces in the cells of an auxiliary grid, one thread for each point.
//
// idea           empty cells are dropped; each thread visits the list of cells three times: for a radius that contains
//                all of a cell, for the nearest face center within that radius, and for the faces that may be nearer
// source         Wukie, Ganapathy and Park (2014), "Advancing boundary", after Roget and Sitaraman (2012); rows T1 to
//                T5 of table 3 and its new cells as auxiliary_grid/variations.hpp lists them, with its sources
// memory         64 to 96 bytes a cell, and 3,600 for faces in the cell or 400 for indices; 36 or 64 bytes a triangle;
//                `_t1` and `_t2` 8 bytes a point
// atomics        none
// deterministic  yes: the result does not depend on the order of the faces
// wins when      points are near a wall of some thousand faces
// loses when     bodies move, since the grid is made again; points are far away, since most cells are about equally
//                near
// deviations     exact distances and no lost faces; the differences in detail are in docs/theory/wall_distance.md
#include "wall_distance/auxiliary_grid/advancing_boundary.cuh"

#include "wall_distance/methods/methods.hpp"

namespace shoal::wall_distance {

namespace {

/// Search of an entry of the table of variations.
template <std::size_t number>
using SearchOf = AdvancingBoundarySearch<variations[number].faces, variations[number].point, variations[number].minimum,
                                         variations[number].box_points, variations[number].centers>;

template <std::size_t number>
std::unique_ptr<WallDistanceSearch> open(const Queue& queue, PlanWalls& walls, const WallDistanceOptions& options) {
  return std::make_unique<SearchOf<number>>(queue, walls, options.auxiliary_cells);
}

template <std::size_t number>
constexpr WallDistanceMethod entry() {
  return {
      {variations[number].method, DeviceKind::cuda, true, "Wukie, Ganapathy and Park (2014)"}, open<number>, true, [] {
        return SearchOf<number>::kernel_resources(variations[number].method);
      }};
}

}  // namespace

const WallDistanceMethod wall_distance_advancing_boundary_in_cell = entry<number_of("advancing_boundary_in_cell")>();
const WallDistanceMethod wall_distance_advancing_boundary_in_cell_arrays =
    entry<number_of("advancing_boundary_in_cell_arrays")>();
const WallDistanceMethod wall_distance_advancing_boundary_index = entry<number_of("advancing_boundary_index")>();
const WallDistanceMethod wall_distance_advancing_boundary_pointers = entry<number_of("advancing_boundary_pointers")>();
const WallDistanceMethod wall_distance_advancing_boundary_linked_list =
    entry<number_of("advancing_boundary_linked_list")>();
const WallDistanceMethod wall_distance_advancing_boundary_t1 = entry<number_of("advancing_boundary_t1")>();
const WallDistanceMethod wall_distance_advancing_boundary_t2 = entry<number_of("advancing_boundary_t2")>();
const WallDistanceMethod wall_distance_advancing_boundary_t3 = entry<number_of("advancing_boundary_t3")>();
const WallDistanceMethod wall_distance_advancing_boundary_t4 = entry<number_of("advancing_boundary_t4")>();
const WallDistanceMethod wall_distance_advancing_boundary_t5 = entry<number_of("advancing_boundary_t5")>();
const WallDistanceMethod wall_distance_advancing_boundary_t4_new_cell_1 =
    entry<number_of("advancing_boundary_t4_new_cell_1")>();
const WallDistanceMethod wall_distance_advancing_boundary_t4_new_cell_2 =
    entry<number_of("advancing_boundary_t4_new_cell_2")>();

}  // namespace shoal::wall_distance
