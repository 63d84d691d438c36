// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "neighbors/search.hpp"

/// What the files of this folder define.
namespace shoal {

extern const NeighborsMethod neighbors_serial;
extern const NeighborsMethod neighbors_rows_cpu;
extern const NeighborsMethod neighbors_rows_cuda;

}  // namespace shoal
