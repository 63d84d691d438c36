// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors.hpp>

#include "options.hpp"

namespace shoal::python {

/// What Neighbors and NeighborSets take: the box and the options, as keywords of one table.
struct NeighborKeywords {
  Box box;
  NeighborsOptions options;
};
const Options<NeighborKeywords>& neighbor_keywords();

/// They as docstrings say them.
extern const char* const neighbor_parameters;

}  // namespace shoal::python
