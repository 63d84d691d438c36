// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <shoal/openmp.hpp>
#include <shoal/version.hpp>

#include <csignal>
#include <iostream>

#include "commands.hpp"

namespace {

int command_line(int argc, char** argv) {
  using namespace shoal::cli;
  CLI::App app("shoal: fluid simulation on CPUs and GPUs", "shoal");
  app.set_version_flag("--version", std::string("shoal ") + std::string(shoal::version()) + " (commit " +
                                        std::string(shoal::commit()) + ")");
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 error while running, 2 bad case or arguments, 130 interrupted (a restart is written).");
  Action action;
  for (const auto add : {add_run, add_resume, add_check, add_validate, add_report, add_plot, add_neighbors, add_deposit,
                         add_wall_distance, add_info, add_methods, add_keys, add_bench, add_manual, add_completion})
    add(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_done : exit_bad_input;
  }
  try {
    return action();
  } catch (const BadInput& error) {
    std::cerr << "shoal: " << error.what() << '\n';
    return exit_bad_input;
  }
}

}  // namespace

int main(int argc, char** argv) {
  shoal::limit_openmp_spinning(argv);
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);  // a file that exceeds its size limit is reported as an error
#endif
  try {
    return command_line(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "shoal: " << error.what() << '\n';
    return shoal::cli::exit_failed;
  }
}
