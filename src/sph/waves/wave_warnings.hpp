// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph/case.hpp>
#include <shoal/warning.hpp>

#include <vector>

namespace shoal::sph {

/// Appends the warnings about the waves of a wavemaker: waves that break, and waves too long for the second order.
/// @param number  index of the wavemaker in the case
void add_wave_warnings(const Case& simulation, std::size_t number, std::vector<Warning>& list);

}  // namespace shoal::sph
