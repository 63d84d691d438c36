// SPDX-License-Identifier: Apache-2.0
#include <shoal/mpi.hpp>
#include <shoal/ranks/launch.hpp>

#include <array>
#include <cstdlib>
#include <optional>

#include "mpi/mpi_check.hpp"
#include "mpi/mpi_group.hpp"

namespace shoal::mpi {
namespace {

std::optional<Communicator>& ranks_of_world() {
  static std::optional<Communicator> ranks;
  return ranks;
}

bool is_started() {
  int started = 0;
  SHOAL_MPI_CHECK(MPI_Initialized(&started));
  return started != 0;
}

void require_not_ended() {
  int ended = 0;
  SHOAL_MPI_CHECK(MPI_Finalized(&ended));
  require(ended == 0, "mpi: MPI has ended (MPI_Finalize). Use ranks before that.");
}

/// Returns true also for a launcher that states the number of a process alone.
bool is_launched() {
  return launch().has_value() || std::getenv("PMIX_RANK") != nullptr || std::getenv("PMI_RANK") != nullptr;
}

/// Throws for copies of the program that do not find each other: each would do all the work.
void require_as_launched(int ranks) {
  const std::optional<Launch> started = launch();
  require(
      ranks > 1 || !started || started->size == 1, "mpi: ", started ? started->launcher : "", " has started ",
      started ? started->size : 1, " processes, but ", version(),
      " finds this one alone: it is not the MPI of that launcher. Use the mpirun of this MPI, or with srun the option "
      "--mpi that this MPI needs (srun --mpi=list).");
}

void end_mpi() {
  ranks_of_world().reset();
  int ended = 0;
  if (MPI_Finalized(&ended) == MPI_SUCCESS && !ended) MPI_Finalize();
}

void start_mpi() {
  int level = MPI_THREAD_SINGLE;
  SHOAL_MPI_CHECK(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level));
  std::atexit(end_mpi);
  require(level >= MPI_THREAD_FUNNELED,
          "mpi: this MPI does not allow threads in a process (MPI_THREAD_FUNNELED). Use a build of it that does.");
}

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING + 1> name{};
  int length = 0;
  SHOAL_MPI_CHECK(MPI_Get_library_version(name.data(), &length));
  return name.data();
}

std::string first_line(std::string_view lines) { return std::string(lines.substr(0, lines.find('\n'))); }

}  // namespace

Communicator world() {
  std::optional<Communicator>& ranks = ranks_of_world();
  if (ranks) return *ranks;
  require_not_ended();
  if (!is_started()) {
    if (!is_launched()) return Communicator::alone();
    start_mpi();
  }
  const auto group = std::make_shared<MpiGroup>(MPI_COMM_WORLD);
  require_as_launched(group->size());
  ranks.emplace(group);
  return *ranks;
}

Communicator of(const void* mpi_comm, std::string_view library) {
  library = library.substr(0, library.find('\0'));  // mpi4py passes the last character of a C string on
  require(library.empty() || library == library_version(), "mpi: the communicator is of \"", first_line(library),
          "\", and this build of shoal uses \"", version(),
          "\". Build both with one MPI: in Python, install mpi4py from source, with the mpicc of shoal's MPI.");
  require_not_ended();
  require(is_started(), "mpi: MPI has not been started. Call MPI_Init_thread before mpi::of(), or use mpi::world().");
  require(mpi_comm != nullptr, "mpi: the address of the communicator is null, expected that of an MPI_Comm.");
  MPI_Comm comm = *static_cast<const MPI_Comm*>(mpi_comm);
  require(comm != MPI_COMM_NULL, "mpi: the communicator is MPI_COMM_NULL, expected one with this process in it.");
  return Communicator(std::make_shared<MpiGroup>(comm));
}

std::string version() { return first_line(library_version()); }

}  // namespace shoal::mpi
