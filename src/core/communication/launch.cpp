// SPDX-License-Identifier: Apache-2.0
#include <shoal/ranks/launch.hpp>

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace shoal {
namespace {

/// Variables by which a launcher states the place of a process.
struct Variables {
  const char* launcher;
  const char* rank;
  const char* size;
};

// The launcher that is nearest to the process comes first: mpirun within a job of Slurm starts its daemons with srun, whose
// variables the ranks inherit. SLURM_NTASKS is no sign of srun, because a batch script has it, too.
constexpr Variables launchers[] = {{"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                   {"mpirun", "PMI_RANK", "PMI_SIZE"},
                                   {"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};

std::optional<int> number_in(const char* variable) {
  const char* value = std::getenv(variable);
  if (!value) return {};
  int number = 0;
  const char* end = value + std::strlen(value);
  const auto [behind, error] = std::from_chars(value, end, number);
  if (error != std::errc() || behind != end) return {};
  return number;
}

}  // namespace

std::optional<Launch> launch() {
  for (const Variables& variables : launchers) {
    const std::optional<int> rank = number_in(variables.rank), size = number_in(variables.size);
    if (rank && size && *rank >= 0 && *rank < *size) return Launch{variables.launcher, *rank, *size};
  }
  return {};
}

}  // namespace shoal
