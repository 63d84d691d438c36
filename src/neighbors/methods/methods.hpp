// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "neighbors/neighbors_method.hpp"

/// Methods that the files of this folder define.
namespace shoal::neighbors {

extern const NeighborsMethod serial_cpu;
extern const NeighborsMethod rows_cpu;
extern const NeighborsMethod rows_cuda;
extern const NeighborsMethod tiles_cpu;
extern const NeighborsMethod tiles_cuda;
extern const NeighborsMethod cell_list_cpu;
extern const NeighborsMethod simple_cuda;
extern const NeighborsMethod simple_cpu_binning_cuda;
extern const NeighborsMethod linked_list_cuda;
extern const NeighborsMethod linked_list_cpu_binning_cuda;

}  // namespace shoal::neighbors
