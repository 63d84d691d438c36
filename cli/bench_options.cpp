// SPDX-License-Identifier: Apache-2.0
#include "bench_options.hpp"

#include "core/text.hpp"

namespace shoal::cli {

void add_bench_options(CLI::App& command, BenchOptions& options, const char* iterations, const char* largest,
                       const char* files) {
  command.add_flag("--paper", options.paper, "the paper's configurations, with ours beside them");
  command.add_option("--device", options.device, "cpu, cuda, cuda:1, or best: a GPU if there is one")
      ->capture_default_str();
  command.add_option("--iterations", options.each.iterations, iterations)->capture_default_str();
  command.add_option("--largest", options.largest, largest)->capture_default_str();
  command
      .add_option("--most-seconds", options.each.most_seconds,
                  "stop a measurement after this time and work with the iterations that ran; 0: never")
      ->capture_default_str();
  command.add_option("--out", options.out, files);
}

void require_valid(const BenchOptions& options, const char* name, std::int64_t least, const char* of) {
  constexpr std::int64_t most = 1'000'000'000;
  require(options.paper, "bench ", name, ": there is one comparison so far, say --paper.");
  require(options.each.iterations > 0, "--iterations = ", options.each.iterations, ", expected a positive number.");
  require(options.largest >= least && options.largest <= most, "--largest = ", options.largest, ", expected ", least,
          " to ", most, " ", of, ".");
  require(options.each.most_seconds >= 0, "--most-seconds = ", options.each.most_seconds,
          ", expected a time in s, or 0.");
}

void make_folder(const std::filesystem::path& folder) {
  if (folder.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  require(!failed && std::filesystem::is_directory(folder), folder.string(), ": cannot make this folder",
          failed ? ": " + failed.message() : std::string(), ".");
}

}  // namespace shoal::cli
