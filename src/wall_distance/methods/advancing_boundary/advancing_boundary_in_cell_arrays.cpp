// SPDX-License-Identifier: Apache-2.0
// advancing_boundary_in_cell_arrays: faces in the cells of an auxiliary grid, with arrays of 100 faces in each cell.
//
// idea           empty cells are dropped; each point visits the list of cells three times: for a radius that contains
//                all of a cell, for the nearest face center within that radius, and for the faces that may be nearer
// source         Wukie, Ganapathy and Park (2014), serial "Advancing boundary" T3, struct cell_t3 (figure 11 c)
// memory         3,680 bytes a cell
// atomics        none
// deterministic  yes: one thread
// wins when      as `advancing_boundary_linked_list`
// loses when     bodies move, since the grid is made again; points are far away, since most cells are about equally
//                near
// deviations     those of the methods on CUDA: exact distances, no lost faces, the smallest radius that contains a
//                cell; the paper's repository subtracts a face's x from a point's y; here its y
#include "wall_distance/auxiliary_grid/advancing_boundary.hpp"
#include "wall_distance/methods/methods.hpp"

namespace shoal::wall_distance {

const WallDistanceMethod wall_distance_advancing_boundary_in_cell_arrays_cpu{
    {"advancing_boundary_in_cell_arrays", DeviceKind::cpu, true, "Wukie, Ganapathy and Park (2014)"},
    open_serial_advancing_boundary<FacesInCell<SphereArrays<double>>>,
    true};

}  // namespace shoal::wall_distance
