// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shoal::testing_support {

/// Case of kind = "relaxation" that runs in a moment: two beams on a coarse grid.
inline constexpr const char* beams = R"(kind = "relaxation"
[run]
duration = 1.0
output_every = 0.25
[grid]
nodes = 8
half_width = 4
[initial]
distribution = "two_beams"
temperature = 0.6
apart = [0.96, 0.72, 0]
[collision]
stencil = "two_pair"
symmetrized = false
degree = 5
)";

}  // namespace shoal::testing_support
