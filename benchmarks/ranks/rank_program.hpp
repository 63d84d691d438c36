// SPDX-License-Identifier: Apache-2.0
// What the programs of this folder share: a command line that every rank parses, and a result file that the first one writes.
#pragma once
#include <shoal/error.hpp>
#include <shoal/mpi.hpp>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <string>

#include "support/result_header.hpp"

namespace shoal::benchmarks {

/// Writes the header and rows of a .csv result file. For the first rank.
/// @param output  file; empty: standard output
inline void write_result(const std::string& output, const std::string& rows) {
  std::ofstream file;
  if (!output.empty()) file.open(output);
  std::ostream& out = output.empty() ? std::cout : file;
  for (const std::string& line : result_header().lines()) out << "# " << line << '\n';
  out << rows;
  require(out.flush().good(), "ranks: cannot write ", output, '.');
}

/// Parses the command line and calls measure() on every rank.
/// @return  exit status
template <class Measure>
int run_on_ranks(const Communicator& ranks, CLI::App& app, int argc, char** argv, const Measure& measure) {
  return mpi::abort_on_exception(ranks, [&] {
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return ranks.rank() == 0 ? app.exit(error) : error.get_exit_code();
    }
    measure();
    return 0;
  });
}

}  // namespace shoal::benchmarks
