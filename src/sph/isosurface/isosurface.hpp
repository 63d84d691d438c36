// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph/case.hpp>

namespace shoal::sph {

/// @throws Error  a case in 1-D; a spacing or level outside its range
void require_isosurface(const Isosurface& options, const Case& simulation);

}  // namespace shoal::sph
