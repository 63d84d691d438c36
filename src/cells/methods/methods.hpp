// SPDX-License-Identifier: Apache-2.0
// Entries of the method table, each defined in the file of its method.
#pragma once
#include "cells/cells_method.hpp"

namespace shoal::cells {

extern const CellsMethod serial;
extern const CellsMethod counting_cpu;
extern const CellsMethod resort_cpu;
extern const CellsMethod counting_cuda;
extern const CellsMethod radix_cuda;

}  // namespace shoal::cells
