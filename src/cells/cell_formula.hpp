// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/cells_item.hpp>

namespace shoal::cells {

/// Formula of a grid's cells in the arithmetic of `Real`.
/// @throws Error  the grid is invalid, or too fine for `Real`
template <class Real>
CellFormula<Real> cell_formula(const char* operation, const Grid& grid);

}  // namespace shoal::cells
