// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

#include <optional>

#include "paper_figure.hpp"

// What stands against each other in figures 3 and 4 of Godbole (2014), with `rows` of shoal beside it.
//
// Particles are uniform in the unit box, in three dimensions and in float. The smoothing length is 1.2 times their mean
// spacing and the radius twice that, as is usual in SPH: 58 neighbors, itself counted, far from the faces of the box.
namespace shoal::cli {

/// Binning and search. @param gpu  without one, what needs it is left out
std::vector<Contender> search_contenders(const std::optional<Queue>& gpu);

/// Binning alone.
std::vector<Contender> binning_contenders(const std::optional<Queue>& gpu);

/// The names of the paper's configurations that need a GPU.
std::vector<std::string> gpu_configurations();

}  // namespace shoal::cli
