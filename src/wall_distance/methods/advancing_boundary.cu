// SPDX-License-Identifier: Apache-2.0
// advancing_boundary_*: faces in the cells of an auxiliary grid, one thread for each point.
//
// idea           empty cells are dropped; each thread visits the list of cells three times: for a radius that contains
//                all of a cell, for the nearest face center within that radius, and for the faces that may be nearer
// source         Wukie, Ganapathy and Park (2014), "Advancing boundary", after Roget and Sitaraman (2012)
// memory         40 to 64 bytes a cell, and 3,600 for faces in the cell or 400 for indices; 36 or 48 bytes a triangle
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

template <class Faces, template <class...> class CellsIn = CellsInShared, PointIn point_in = PointIn::registers>
constexpr WallDistanceMethod entry(std::string_view name) {
  return {{name, DeviceKind::cuda, true, "Wukie, Ganapathy and Park (2014)"},
          open_advancing_boundary<Faces, CellsIn, point_in>};
}

}  // namespace

// The paper's structs B, C, D and A, and its linked list, with cells in shared memory and the point in registers.
const WallDistanceMethod wall_distance_advancing_boundary_in_cell =
    entry<FacesInCell<InterleavedSpheres<double>>>("advancing_boundary_in_cell");
const WallDistanceMethod wall_distance_advancing_boundary_in_cell_arrays =
    entry<FacesInCell<SphereArrays<double>>>("advancing_boundary_in_cell_arrays");
const WallDistanceMethod wall_distance_advancing_boundary_index = entry<IndexedFaces>("advancing_boundary_index");
const WallDistanceMethod wall_distance_advancing_boundary_pointers = entry<PointedFaces>("advancing_boundary_pointers");
const WallDistanceMethod wall_distance_advancing_boundary_linked_list =
    entry<LinkedFaces>("advancing_boundary_linked_list");

// The paper's uses of memory T1, T2, T3 and T5 with struct A; the entries above are T4.
const WallDistanceMethod wall_distance_advancing_boundary_pointers_t1 =
    entry<PointedFaces, CellsInGlobal, PointIn::global>("advancing_boundary_pointers_t1");
const WallDistanceMethod wall_distance_advancing_boundary_pointers_t2 =
    entry<PointedFaces, CellsInGlobal, PointIn::registers>("advancing_boundary_pointers_t2");
const WallDistanceMethod wall_distance_advancing_boundary_pointers_t3 =
    entry<PointedFaces, CellsInGlobal, PointIn::shared>("advancing_boundary_pointers_t3");
const WallDistanceMethod wall_distance_advancing_boundary_pointers_t5 =
    entry<PointedFaces, CellsInShared, PointIn::shared>("advancing_boundary_pointers_t5");

}  // namespace shoal::wall_distance
