// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <shoal/device.hpp>
#include <shoal/io/libraries.hpp>
#include <shoal/ranks/launch.hpp>
#ifdef SHOAL_WITH_MPI
#include <shoal/mpi.hpp>
#endif
#include <shoal/version.hpp>

#include <iomanip>
#include <iostream>

#include "commands.hpp"
#include "support/process/ranks.hpp"

namespace shoal::cli {

namespace {

/// Libraries of the operations, of files and of the command line.
std::vector<LibraryInfo> all_libraries() {
  std::vector<LibraryInfo> list = libraries();
  for (LibraryInfo& library : io::libraries()) list.push_back(std::move(library));
  list.push_back({"CLI11", CLI11_VERSION, "BSD-3-Clause", "command line", true});
  return list;
}

void print_libraries() {
  std::cout << "\nlibrary  used  version  license                 for\n";
  for (const LibraryInfo& library : all_libraries())
    std::cout << std::left << std::setw(9) << library.name << std::setw(6) << (library.is_used ? "yes" : "no")
              << std::setw(9) << (library.version.empty() ? "-" : library.version) << std::setw(24) << library.license
              << library.purpose << '\n';
}

/// "1", or "4, started by mpirun".
std::string ranks_text() {
  const std::optional<Launch> start = launch();
  return start ? std::to_string(start->size) + ", started by " + start->launcher : "1";
}

int info() {
  if (!is_reporting_process()) return exit_done;
  std::cout << "shoal      " << version() << ", commit " << commit() << '\n'
            << "compiler   " << compiler() << '\n'
            << "cuda       " << cuda_description() << '\n'
            << "devices    " << Queue::cpu().name() << '\n';
  for (int index = 0; index < cuda_device_count(); ++index)
    std::cout << "           " << Queue::cuda(index).name() << '\n';
#ifdef SHOAL_WITH_MPI
  std::cout << "mpi        " << mpi::version() << '\n' << "nccl       " << mpi::nccl_version() << '\n';
#else
  std::cout << "mpi        not in this build\n";
#endif
  std::cout << "hdf5       " << io::hdf5_kind() << '\n';
  std::cout << "ranks      " << ranks_text() << '\n';
  print_libraries();
  return exit_done;
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("info", "Print the version, the build and the devices");
  command->callback([&action] { action = info; });
}

}  // namespace shoal::cli
