// SPDX-License-Identifier: Apache-2.0
// advancing_boundary_linked_list: faces in the cells of an auxiliary grid, with a list of faces in each cell.
//
// idea           empty cells are dropped; each point visits the list of cells three times: for a radius that contains
//                all of a cell, for the nearest face center within that radius, and for the faces that may be nearer
// source         Wukie, Ganapathy and Park (2014), serial "Advancing boundary" T1, struct cell (figure 10)
// memory         64 bytes a cell, 64 a triangle
// atomics        none
// deterministic  yes: one thread
// wins when      there are more than some hundred faces, against `serial`; never against `bvh`
// loses when     bodies move, since the grid is made again; points are far away, since most cells are about equally
//                near
// deviations     those of the methods on CUDA: exact distances, no lost faces, the smallest radius that contains a cell
#include "wall_distance/auxiliary_grid/advancing_boundary.hpp"
#include "wall_distance/methods/methods.hpp"

namespace shoal::wall_distance {

const WallDistanceMethod wall_distance_advancing_boundary_linked_list_cpu{
    {"advancing_boundary_linked_list", DeviceKind::cpu, true, "Wukie, Ganapathy and Park (2014)"},
    open_serial_advancing_boundary<LinkedFaces>,
    true};

}  // namespace shoal::wall_distance
