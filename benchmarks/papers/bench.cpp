// SPDX-License-Identifier: Apache-2.0
#include "papers/bench.hpp"

#include "core/text.hpp"
#include "support/result_header.hpp"

namespace shoal::benchmarks {

void add_bench_options(CLI::App& command, BenchOptions& options, const char* iterations, const char* largest,
                       const char* files) {
  command.add_flag("--paper", options.paper, "the paper's comparison, with the methods of this build beside it");
  command.add_option("--device", options.device, "cpu, cuda, cuda:1, or best: a GPU if there is one")
      ->capture_default_str();
  command.add_option("--iterations", options.each.iterations, iterations)->capture_default_str();
  command.add_option("--largest", options.largest, largest)->capture_default_str();
  command
      .add_option("--most-seconds", options.each.most_seconds,
                  "stop a measurement after this time, in s, and use the iterations so far; 0: never")
      ->capture_default_str();
  command.add_option("--out", options.out, files);
  command.add_flag("--allow-dirty", options.allow_dirty,
                   "write files although the sources differ from their commit; the files say so");
}

void require_valid(const BenchOptions& options, const char* command, std::int64_t least, const char* unit) {
  constexpr std::int64_t most = 1'000'000'000;
  require(options.paper, command, ": there is one comparison, that of the paper. Add --paper.");
  require(options.each.iterations > 0, "--iterations = ", options.each.iterations, ", expected a positive number.");
  require(options.largest >= least && options.largest <= most, "--largest = ", options.largest, ", expected ", least,
          " to ", most, " ", unit, ".");
  require(options.each.most_seconds >= 0, "--most-seconds = ", options.each.most_seconds,
          ", expected a time in s, or 0.");
  if (!options.out.empty()) require_clean(result_header().commit, options.allow_dirty);
}

void make_folder(const std::filesystem::path& folder) {
  if (folder.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  require(!failed && std::filesystem::is_directory(folder), folder.string(), ": cannot make this folder",
          failed ? ": " + failed.message() : std::string(), ".");
}

}  // namespace shoal::benchmarks
