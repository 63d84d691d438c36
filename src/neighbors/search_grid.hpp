// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors.hpp>

#include <array>

#include "cells/cells_item.hpp"

namespace shoal {

/// The smallest box around points, m. Not finite if a coordinate is not, or if its edges are too long for a number.
struct Extent {
  std::array<double, 3> lower{};
  std::array<double, 3> upper{};

  bool finite() const;
};

/// Cells so large that two neighbours are at most one cell apart on every axis, whatever was rounded; and so few that
/// their number is of the order of the number of sources.
/// @param radius  m, a number of `Real`
template <class Real>
CellFormula<Real> search_formula(const Box& box, Real radius, const Extent& sources, std::int64_t source_count);

}  // namespace shoal
