// SPDX-License-Identifier: Apache-2.0
// advancing_boundary_*: a thread a point looks at cells of faces, and then at the faces of those that may be nearest.
//
// idea           a preprocessor on the host puts faces into the cells of an auxiliary grid and drops empty ones. Every
//                thread walks over the list of cells: first for a radius that surely has a face, then for the smallest
//                distance to a center of a face among cells within it, then for the faces that may be nearer
// source         Wukie, Ganapathy and Park (2014), "Advancing boundary", after Roget and Sitaraman (2012)
//                _linked_list     cells have a list of faces, as the paper's first struct
//                _pointers        pointers to arrays, struct A
//                _in_cell         100 faces in the cell, coordinates side by side, struct B
//                _in_cell_arrays  100 faces in the cell, an array for each coordinate, struct C
//                _index           100 numbers of faces in the arrays of all, struct D
//                these have the point in registers and bring cells to shared memory, as we take T4 to do; with
//                pointers: _t1              point and cells are read from global memory at every use, "no shared
//                memory" _t2, _t3         the point in registers, in shared memory _t5              point and cells in
//                shared memory
// memory         a cell: 40 to 64 bytes and its storage, 3,600 bytes in the cell or 400 of numbers; a triangle: 36
// bytes
//                (pointers, numbers) or 48 (list)
// atomics        none
// deterministic  yes: the answer does not depend on the order in which faces are seen
// wins when      points are near a wall of some thousand faces
// loses when     bodies move: the preprocessor runs again; points are far away: most cells are as near as the nearest
// differs        exact distances to faces, and every answer is right, where the paper's code loses faces and prunes too
//                much: a face whose center is on a border belongs to the cell above it, not to none; a cell has a ball
//                around all that its faces reach, not half a diagonal around its middle; the radius is the smallest
//                that has all of one cell, where the paper's starts at points of the bounding box and grows with the
//                place of a cell in the list; a cell of more than 100 faces comes several times instead of overflowing.
//                Grids of 79 x 79 cells, in 3-D of 31 x 31 x 31. What T2 to T5 move where, the paper does not say
#include "wall_distance/auxiliary_grid/advancing_boundary.cuh"
#include "wall_distance/methods/methods.hpp"

namespace shoal {

using namespace advancing;

namespace {

template <class Faces, template <class...> class CellsIn = CellsInShared, PointIn point_in = PointIn::registers>
constexpr WallDistanceMethod row(std::string_view name) {
  return {{name, DeviceKind::cuda, true, "Wukie, Ganapathy and Park (2014)"},
          advancing::open<Faces, CellsIn, point_in>};
}

}  // namespace

const WallDistanceMethod wall_distance_advancing_boundary_in_cell =
    row<FacesInCell<InterleavedBalls<double>>>("advancing_boundary_in_cell");
const WallDistanceMethod wall_distance_advancing_boundary_in_cell_arrays =
    row<FacesInCell<SeparateBalls<double>>>("advancing_boundary_in_cell_arrays");
const WallDistanceMethod wall_distance_advancing_boundary_index = row<IndexedFaces>("advancing_boundary_index");
const WallDistanceMethod wall_distance_advancing_boundary_pointers = row<PointedFaces>("advancing_boundary_pointers");
const WallDistanceMethod wall_distance_advancing_boundary_linked_list =
    row<LinkedFaces>("advancing_boundary_linked_list");
const WallDistanceMethod wall_distance_advancing_boundary_pointers_t1 =
    row<PointedFaces, CellsInGlobal, PointIn::global>("advancing_boundary_pointers_t1");
const WallDistanceMethod wall_distance_advancing_boundary_pointers_t2 =
    row<PointedFaces, CellsInGlobal, PointIn::registers>("advancing_boundary_pointers_t2");
const WallDistanceMethod wall_distance_advancing_boundary_pointers_t3 =
    row<PointedFaces, CellsInGlobal, PointIn::shared>("advancing_boundary_pointers_t3");
const WallDistanceMethod wall_distance_advancing_boundary_pointers_t5 =
    row<PointedFaces, CellsInShared, PointIn::shared>("advancing_boundary_pointers_t5");

}  // namespace shoal
