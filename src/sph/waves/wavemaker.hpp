// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph/case.hpp>

namespace shoal::sph {

/// @throws Error  a member of the wavemaker is invalid: names the first one by its case-file key
void require_valid(const Wavemaker& wavemaker, const Case& simulation);

}  // namespace shoal::sph
