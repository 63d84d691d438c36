// SPDX-License-Identifier: Apache-2.0
// Checks of single numbers of a case.
#pragma once
#include <cmath>

#include "core/text.hpp"

namespace shoal::sph {

inline void require_positive(double value, const char* key, const char* unit) {
  require(std::isfinite(value) && value > 0, "sph: ", key, " = ", value, unit, ", expected a positive number.");
}

inline void require_not_negative(double value, const char* key, const char* unit) {
  require(std::isfinite(value) && value >= 0, "sph: ", key, " = ", value, unit, ", expected 0 or a positive number.");
}

}  // namespace shoal::sph
