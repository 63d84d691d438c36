// SPDX-License-Identifier: Apache-2.0
// Limits on the numbers of outputs and steps that a case requests.
#pragma once
#include <shoal/sph/case.hpp>

#include <string>

namespace shoal::io {

inline constexpr double most_outputs = 1e8;  ///< outputs of one kind in a run; more would fill any disk
inline constexpr double most_steps = 1e10;   ///< steps of a run; more would take weeks for the smallest case

/// Requires that an interval divides the duration of a run into at most `most` parts.
/// @param interval  s; 0: none
/// @param what      origin of the interval, for the message: "case.toml:4: `run.output_every`"
/// @throws Error  names both times and the number of parts
void require_possible_count(double duration, double interval, double most, const std::string& what,
                            const std::string& remedy = "Enlarge it or shorten the run.");

/// Returns the fixed time step or, without one, the limit that the sound speed sets, s. Infinite without a sound speed.
double expected_step(const sph::Case& simulation);

}  // namespace shoal::io
