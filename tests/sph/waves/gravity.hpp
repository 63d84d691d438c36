// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shoal::testing_support {

inline constexpr double g = 9.81;  ///< acceleration of gravity, m/s2

}  // namespace shoal::testing_support
