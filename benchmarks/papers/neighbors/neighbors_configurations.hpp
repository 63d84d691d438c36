// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

#include <optional>

#include "papers/neighbors/neighbors_figure.hpp"

// Configurations of figures 3 and 4 of Godbole (2014), and those of Neighbors with the method "rows", in float.
namespace shoal::benchmarks {

/// Configurations of binning and search.
/// @param gpu  none: configurations that need a GPU are left out
std::vector<Configuration> search_configurations(const std::optional<Queue>& gpu);

/// Configurations of binning alone.
std::vector<Configuration> binning_configurations(const std::optional<Queue>& gpu);

/// Names of the paper's configurations that need a GPU.
std::vector<std::string> gpu_configurations();

}  // namespace shoal::benchmarks
