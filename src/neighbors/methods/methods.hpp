// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "neighbors/neighbors_method.hpp"

/// What the files of this folder define.
namespace shoal {

extern const NeighborsMethod neighbors_serial;
extern const NeighborsMethod neighbors_rows_cpu;
extern const NeighborsMethod neighbors_rows_cuda;
extern const NeighborsMethod neighbors_tiles_cpu;
extern const NeighborsMethod neighbors_tiles_cuda;
extern const NeighborsMethod neighbors_cell_list;
extern const NeighborsMethod neighbors_simple;
extern const NeighborsMethod neighbors_simple_cpu_binning;
extern const NeighborsMethod neighbors_linked_list;
extern const NeighborsMethod neighbors_linked_list_cpu_binning;

}  // namespace shoal
