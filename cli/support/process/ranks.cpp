// SPDX-License-Identifier: Apache-2.0
#include "support/process/ranks.hpp"

#include <shoal/io/text.hpp>
#include <shoal/ranks/launch.hpp>
#ifdef SHOAL_WITH_MPI
#include <shoal/mpi.hpp>
#endif

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>
#include <vector>

#include "commands.hpp"
#include "support/message.hpp"
#include "support/process/installation.hpp"

namespace shoal::cli {

namespace {

#ifdef SHOAL_WITH_MPI
constexpr bool has_mpi = true;
#else
constexpr bool has_mpi = false;
#endif

/// Variable that the processes of start_ranks() have, so that they start no further ones.
constexpr const char* mark = "SHOAL_STARTS_RANKS";

int started_processes() { return launch() ? launch()->size : 1; }

/// Returns true if mpirun can start ranks from this process: it has no launcher, or it is the shell of `srun --pty`.
bool can_start_ranks() { return !launch() || (launch()->launcher == "srun" && launch()->size == 1); }

/// Arguments of this process, without the name of the program.
std::vector<std::string> own_arguments() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  if (!words.empty()) words.erase(words.begin());
  return words;
}

/// The ranks of ranks(), once it has been called.
std::optional<Communicator>& joined_ranks() {
  static std::optional<Communicator> ranks;
  return ranks;
}

[[noreturn]] void abort_ranks([[maybe_unused]] const std::string& message, int exit_code) {
#ifdef SHOAL_WITH_MPI
  mpi::abort(ranks(), message, exit_code);
#else
  std::exit(exit_code);
#endif
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

}  // namespace

bool is_reporting_process() { return !launch() || launch()->rank == 0; }

const Communicator& ranks() {
  std::optional<Communicator>& ranks = joined_ranks();
#ifdef SHOAL_WITH_MPI
  if (!ranks) ranks = mpi::world();
#else
  if (!ranks) ranks = Communicator::alone();
#endif
  return *ranks;
}

int report_error(const std::string& message, const std::string& cause, int exit_code) {
  const std::string text = io::printable(message);
  const bool has_joined = joined_ranks() && joined_ranks()->size() > 1;
  if (has_joined && !ranks().agreed(cause)) abort_ranks(text, exit_code);
  if (is_reporting_process()) std::cerr << "shoal: " << text << std::endl;
  // Ranks that have not met end without an error: mpirun ends all as soon as one fails, and rank 0 may not have printed.
  return has_joined || is_reporting_process() ? exit_code : exit_done;
}

std::string device_of_ranks(const std::string& device) {
  return ranks().size() == 1 ? device : fmt::format("{} x {}", ranks().size(), device);
}

std::string wrong_start(const std::string& command) {
  if (started_processes() == 1 || command == "info") return {};
  const Launch start = *launch();
  if (!has_mpi)
    return fmt::format(
        "{} has started {} copies of this program, but this build of shoal has no MPI. Build it with -DSHOAL_MPI=ON, "
        "or "
        "start one process.",
        start.launcher, start.size);
  for (const char* name : {"run", "resume", "validate"})
    if (command == name) return {};
  return fmt::format("{}: this command works in one process, and {} has started {}. Start it without {}.", command,
                     start.launcher, start.size, start.launcher);
}

void start_ranks(int count) {
  if (count == 0 || (launch() && launch()->size == count)) return;
  if (count > 1 && !can_start_ranks())
    throw BadInput(
        fmt::format("--ranks {}: {} has started {} {} already. Give the number of ranks to {} alone, or leave {} out.",
                    count, launch()->launcher, launch()->size, launch()->size == 1 ? "process" : "processes",
                    launch()->launcher, launch()->launcher));
  if (count == 1) return;
  if (!has_mpi)
    throw BadInput(fmt::format(
        "--ranks {}: this build of shoal has no MPI. Build it with -DSHOAL_MPI=ON, or leave --ranks out.", count));
  if (std::getenv(mark))
    throw BadInput(fmt::format(
        "--ranks {}: mpirun has started this process and set none of the variables of Open MPI, MPICH and Intel MPI. "
        "Put the mpirun of the MPI that shoal was built with first on PATH, or start the ranks yourself.",
        count));
  std::vector<std::string> words = {"-n", std::to_string(count), this_program().string()};
  for (const std::string& argument : own_arguments()) words.push_back(argument);
  std::cerr << "shoal: starting mpirun " << io::printable(joined(words)) << std::endl;
  setenv(mark, "1", 1);
  // Open MPI would bind each of two ranks to a single core, and each of more to a socket.
  for (const char* variable : {"OMPI_MCA_hwloc_base_binding_policy", "PRTE_MCA_hwloc_default_binding_policy"})
    setenv(variable, "none", 0);
  const int failure = execute("mpirun", words);
  throw Error(
      fmt::format("--ranks {}: cannot run mpirun: {}. Put the mpirun of the MPI that shoal was built with on PATH.",
                  count, std::strerror(failure)));
}

}  // namespace shoal::cli
