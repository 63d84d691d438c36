// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <vector>

namespace shoal {

/// Residuals of `unknowns`, and their derivatives row by row: jacobian[r * unknowns.size() + u].
using Residuals = std::function<void(const std::vector<double>& unknowns, std::vector<double>& residual,
                                     std::vector<double>& jacobian)>;

/// Brings the residuals to zero by the method of Levenberg and Marquardt.
/// @return the largest residual that is left; the unknowns are the solution if it is a rounding error
double solve_least_squares(const Residuals& residuals, std::vector<double>& unknowns, int most_steps);

}  // namespace shoal
