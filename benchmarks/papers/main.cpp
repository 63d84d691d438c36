// SPDX-License-Identifier: Apache-2.0
// shoal-bench: repeats the comparisons of the papers. `shoal bench` executes it.
#include <fmt/format.h>
#include <shoal/io/text.hpp>
#include <shoal/version.hpp>

#include <iostream>
#include <string>
#include <vector>

#include "papers/bench.hpp"
#include "support/program.hpp"
#include "support/result_header.hpp"

namespace {

constexpr int exit_done = 0;
constexpr int exit_bad_input = 2;  // 1 after other errors: run_program()

/// Message for a first word that is no comparison.
std::string unknown_comparison(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  const std::string expected = fmt::format("expected one of {}. See `shoal-bench --help`.", fmt::join(names, ", "));
  const std::vector<std::string> words = app.remaining();
  if (words.empty()) return "there is no comparison; " + expected;
  const auto similar = shoal::io::nearest(words[0], names);
  return fmt::format("unknown comparison `{}`; {}{}", words[0], similar ? "did you mean `" + *similar + "`? " : "",
                     expected);
}

int run(int argc, char** argv) {
  using namespace shoal::benchmarks;
  CLI::App app("Measures the comparison of a paper on this machine", "shoal-bench");
  app.set_version_flag("--version",
                       fmt::format("shoal-bench {} (commit {})", shoal::version(), result_header().commit));
  app.add_flag_callback(
      "--origin",
      [] {
        std::cout << fmt::format("{}\n", fmt::join(result_header().lines(), "\n"));
        throw CLI::Success();
      },
      "print the header of result files, for programs that write some, and do nothing else");
  app.require_subcommand(1);
  app.footer("Exit codes: 0 done, 1 error while measuring, 2 bad arguments.");
  Action action;
  for (const auto add : {add_neighbors, add_deposit, add_wall_distance, add_collision, add_sph}) add(app, action);
  try {
    app.parse(argc, argv);
    action();
  } catch (const CLI::RequiredError& error) {
    if (!app.get_subcommands().empty()) return app.exit(error), exit_bad_input;
    std::cerr << "shoal-bench: " << unknown_comparison(app) << '\n';
    return exit_bad_input;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_done : exit_bad_input;
  } catch (const BadInput& error) {
    std::cerr << "shoal-bench: " << error.what() << '\n';
    return exit_bad_input;
  }
  return exit_done;
}

}  // namespace

int main(int argc, char** argv) { return shoal::benchmarks::run_program("shoal-bench", argc, argv, run); }
