// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/gas.hpp>

#include "io/run/restart/restart_file.hpp"

namespace shoal::io::gas {

/// Reads the state of a run of kind = "gas": read_restart() of an open file. Of several ranks rank 0 has f. All ranks call it.
/// @throws Error  on all ranks: those of read_restart()
Restart read_restart(const RestartFile& file, const Communicator& ranks);

}  // namespace shoal::io::gas
