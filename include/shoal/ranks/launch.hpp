// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

namespace shoal {

/// Processes that a launcher started together, as its environment variables state.
struct Launch {
  std::string launcher;  ///< "mpirun" or "srun"
  int rank = 0;          ///< number of this process: 0 <= rank < size
  int size = 1;          ///< number of processes
};

/// Launch of this process by mpirun of Open MPI, MPICH or Intel MPI, or by srun of Slurm. Empty without a launcher.
///
/// Needs no MPI, so that a build without MPI can refuse to run as several copies of one program.
std::optional<Launch> launch();

}  // namespace shoal
