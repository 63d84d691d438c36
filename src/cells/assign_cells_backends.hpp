// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cells/assign_cells.hpp"

namespace shoal {
namespace cpu {
template <class Real>
void assign_cells(const Queue& queue, const CellFormula<Real>& formula, const Points<Real>& points,
                  View<std::uint32_t> cell_of_point, Status* status);
}
namespace cuda {
template <class Real>
void assign_cells(const Queue& queue, const CellFormula<Real>& formula, const Points<Real>& points,
                  View<std::uint32_t> cell_of_point, Status* status);
}
}  // namespace shoal
