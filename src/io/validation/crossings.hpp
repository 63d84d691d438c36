// SPDX-License-Identifier: Apache-2.0
// Times at which a curve crosses a threshold, and the frequency of such crossings.
#pragma once
#include <shoal/io/validation.hpp>

namespace shoal::io::validation {

/// Returns the time of the first upward crossing, that of the first point if it is above; NaN if no point is above.
double first_above(const Curve& curve, double threshold);

/// Returns the time of the last downward crossing, that of the last point if it is above; NaN if no point is above.
double last_above(const Curve& curve, double threshold);

/// Returns the mean frequency of the upward crossings; NaN if there are less than two.
double frequency(const Curve& curve, double threshold);

}  // namespace shoal::io::validation
