// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shoal::benchmarks {

/// Registers steps under the control of a program.
void register_control_benchmarks();

}  // namespace shoal::benchmarks
