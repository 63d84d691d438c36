// SPDX-License-Identifier: Apache-2.0
// Springs of a case between rigid bodies and fixed points.
#pragma once
#include <shoal/sph/case.hpp>

#include <vector>

#include "sph/physics/bodies/spring_item.hpp"
#include "sph/setup/filling/lattice.hpp"

namespace shoal::sph {

/// Parameters of the springs in the order of the case.
std::vector<SpringParameters> make_springs(const Case& simulation, const Lattice& lattice);

/// Index of the spring that a probe names.
/// @throws Error  there is none; the message lists those there are
std::size_t spring_number(const Case& simulation, const Probe& probe);

/// @throws Error  a spring is invalid: names the first by its case-file key
void check_springs(const Case& simulation);

}  // namespace shoal::sph
