// SPDX-License-Identifier: Apache-2.0
// advancing_boundary_parallel: the serial advancing boundary with linked lists, its points shared by all threads.
//
// idea           that of `advancing_boundary_linked_list`; each thread takes chunks of points
// source         Wukie, Ganapathy and Park (2014), slides of appendix B, last column of the table of kernels
// memory         64 bytes a cell, 64 a triangle
// atomics        none
// deterministic  yes: points are independent
// wins when      as `advancing_boundary_linked_list`, and there are several thousand points; never against `bvh`
// loses when     bodies move, since one thread makes the grid again; points are far away
// deviations     those of `advancing_boundary_linked_list`. The slides' column is the time of the serial T1 divided by
//                12, as the spreadsheet in the paper's repository shows; no parallel code for a CPU is there
#include "wall_distance/auxiliary_grid/advancing_boundary.hpp"
#include "wall_distance/methods/methods.hpp"

namespace shoal::wall_distance {

namespace {

std::unique_ptr<WallDistanceSearch> open(const Queue& queue, PlanWalls& walls, const WallDistanceOptions& options) {
  return std::make_unique<AdvancingBoundary<LinkedFaces>>(queue, walls.on_host(), options.auxiliary_cells);
}

}  // namespace

const WallDistanceMethod wall_distance_advancing_boundary_parallel{
    {"advancing_boundary_parallel", DeviceKind::cpu, true, "Wukie, Ganapathy and Park (2014)"}, open, true};

}  // namespace shoal::wall_distance
