// SPDX-License-Identifier: Apache-2.0
// shoal-bench: repeats the comparisons of the papers. `shoal bench` executes it.
#include <shoal/openmp.hpp>
#include <shoal/version.hpp>

#include <iostream>

#include "papers/bench.hpp"

namespace {

constexpr int exit_done = 0;
constexpr int exit_failed = 1;
constexpr int exit_bad_input = 2;

int run(int argc, char** argv) {
  using namespace shoal::benchmarks;
  CLI::App app("Measures the comparison of a paper on this machine", "shoal-bench");
  app.set_version_flag("--version", "shoal-bench " + std::string(shoal::version()));
  app.require_subcommand(1);
  app.footer("Exit codes: 0 done, 1 error while measuring, 2 bad arguments.");
  Action action;
  for (const auto add : {add_neighbors, add_deposit, add_wall_distance, add_collision, add_sph}) add(app, action);
  try {
    app.parse(argc, argv);
    action();
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_done : exit_bad_input;
  } catch (const BadInput& error) {
    std::cerr << "shoal-bench: " << error.what() << '\n';
    return exit_bad_input;
  }
  return exit_done;
}

}  // namespace

int main(int argc, char** argv) {
  shoal::limit_openmp_spinning(argv);
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "shoal-bench: " << error.what() << '\n';
    return exit_failed;
  }
}
