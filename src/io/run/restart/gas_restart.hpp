// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/gas.hpp>

#include "io/run/restart/restart_file.hpp"

namespace shoal::io::gas {

/// Reads the state of a run of kind = "gas": read_restart() of an open file.
Restart read_restart(const RestartFile& file);

}  // namespace shoal::io::gas
