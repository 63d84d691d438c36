// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <vector>

namespace shoal::collision {

/// Computes the residuals of `unknowns` and their derivatives, row by row: jacobian[r * unknowns.size() + u].
using Residuals = std::function<void(const std::vector<double>& unknowns, std::vector<double>& residual,
                                     std::vector<double>& jacobian)>;

/// Brings the residuals to zero by the method of Levenberg and Marquardt.
/// @return the largest remaining residual; the unknowns are a solution if it is of the order of rounding
double solve_least_squares(const Residuals& residuals, std::vector<double>& unknowns, int max_steps);

}  // namespace shoal::collision
