// SPDX-License-Identifier: Apache-2.0
// What the programs of this folder share: a command line that every rank parses, times of all ranks, and a result file that
// the first one writes.
#pragma once
#include <shoal/error.hpp>
#include <shoal/mpi.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "core/communication/rank_group.hpp"
#include "support/harness.hpp"
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

/// Largest value of all ranks. All ranks call it together.
inline double largest(const Communicator& ranks, double value) {
  std::vector<double> values(static_cast<std::size_t>(ranks.size()));
  ranks.group().all_gather(&value, sizeof value, values.data());
  return *std::max_element(values.begin(), values.end());
}

/// Returns on all ranks when all of them have called it.
inline void meet(const Communicator& ranks) { largest(ranks, 0); }

/// Time of work that all ranks begin together, s: that of the slowest one.
template <class Work>
double seconds_together(const Communicator& ranks, const Work& work) {
  meet(ranks);
  return largest(ranks, measure_once(work).seconds);
}

/// The middle one of an odd number of times.
inline double median(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

/// Median time of work that all ranks begin together, s: that of the slowest one.
/// @param repeats  number of measurements
/// @param prepare  called by each rank before a measurement
template <class Work, class Prepare>
double median_seconds(const Communicator& ranks, int repeats, const Work& work, const Prepare& prepare) {
  std::vector<double> seconds;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    prepare();
    seconds.push_back(seconds_together(ranks, work));
  }
  return median(seconds);
}
template <class Work>
double median_seconds(const Communicator& ranks, int repeats, const Work& work) {
  return median_seconds(ranks, repeats, work, [] {});
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
