// SPDX-License-Identifier: Apache-2.0
// Ranks with MPI: component `mpi`, library shoal_mpi. No type of MPI is in this header.
#pragma once
#include <shoal/device.hpp>
#include <shoal/ranks/communicator.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace shoal::mpi {

/// The processes that a launcher (mpirun, srun) started; Communicator::alone() without one.
///
///     mpirun -n 4 ./program
///
/// The first call starts MPI with MPI_THREAD_FUNNELED, unless the program has done so. Then only the thread that makes
/// this call may use ranks, and MPI ends when the process exits. Later calls return the same ranks.
/// @throws Error  MPI has ended, the launcher is one of another MPI (each process would be alone), or the variable
///                SHOAL_RANKS_TIMEOUT is not a number of seconds
Communicator world();

/// A duplicate of the caller's communicator.
/// @param mpi_comm  address of an `MPI_Comm` of the MPI that this build uses; in Python MPI._addressof(comm)
/// @param library   what MPI_Get_library_version returns to the caller; empty: not compared. A process with two MPIs, as
///                  with an mpi4py of another MPI, would crash; this makes it an error
/// @throws Error    `library` is another MPI, or MPI has not been started or has ended
Communicator of(const void* mpi_comm, std::string_view library = {});

/// A queue on the device of this rank. All ranks call it together.
///
/// CUDA: rank k of a machine takes device k of those that it can use, or its only one where the launcher gives each rank
/// a device.
/// @param device   "cpu", "cuda" or "best"; "cuda:1" only with one rank
/// @param threads  number of CPU threads of each rank, also beside a CUDA device; 0: OMP_NUM_THREADS, else this rank's share
///                 of the cores that the launcher left to it
/// @throws Error   on all ranks: fewer devices than ranks on a machine, unless the variable SHOAL_RANKS_SHARE_DEVICES is 1;
///                 not the same kind of device on all ranks; a device with a number on several ranks
Queue queue(const Communicator& ranks, std::string_view device = "best", int threads = 0);

/// Runs a program on all ranks, and returns its exit code.
///
///     int main() {
///       const shoal::Communicator ranks = shoal::mpi::world();
///       return shoal::mpi::abort_on_exception(ranks, [&] { return work(ranks); });
///     }
///
/// Rank 0 prints an error that all ranks have agreed on, and the exit code is 1. For an exception that leaves `program` on
/// one rank alone, it calls abort(): the other ranks wait for this one and would do so forever.
int abort_on_exception(const Communicator& ranks, const std::function<int()>& program);

/// Prints "shoal: rank 3 of 8 on node17 (cuda:3): <message>" to the standard error, and ends all ranks.
[[noreturn]] void abort(const Communicator& ranks, std::string_view message, int exit_code = 1);

/// First line of MPI_Get_library_version: "Open MPI v4.1.4, ..."
std::string version();

/// "2.27.3"; "not in this build" without NCCL.
std::string nccl_version();

}  // namespace shoal::mpi
