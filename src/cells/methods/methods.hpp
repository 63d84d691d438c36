// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cells/cell_sort.hpp"

/// What the files of this folder define.
namespace shoal {

extern const CellsMethod cells_serial;
extern const CellsMethod cells_counting_cpu;
extern const CellsMethod cells_resort_cpu;
extern const CellsMethod cells_counting_cuda;
extern const CellsMethod cells_radix_cuda;

}  // namespace shoal
