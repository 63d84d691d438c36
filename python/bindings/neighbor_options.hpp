// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors.hpp>

#include "options.hpp"

namespace shoal::python {

/// Keywords of Neighbors, NeighborSets and NeighborStream: box and options in one table.
struct NeighborKeywords {
  Box box;
  NeighborsOptions options;
};
const Options<NeighborKeywords>& neighbor_keywords();

/// Docstring of these keywords.
extern const char* const neighbor_parameters;

}  // namespace shoal::python
