// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <shoal/openmp.hpp>
#include <shoal/version.hpp>

#include <csignal>
#include <filesystem>
#include <iostream>
#include <new>
#include <stdexcept>

#include "commands.hpp"
#include "support/arguments/usage.hpp"
#include "support/process/ranks.hpp"

namespace {

constexpr const char* out_of_memory =
    "the memory is exhausted. Compute with fewer points, cells or particles, or use a machine with more memory.";

int command_line(int argc, char** argv) {
  using namespace shoal::cli;
  CLI::App app("Fluid simulation on CPUs and GPUs", "shoal");
  app.set_version_flag("--version", std::string("shoal ") + std::string(shoal::version()) + " (commit " +
                                        std::string(shoal::commit()) + ")");
  app.require_subcommand(1);
  Action action;
  for (const auto add : {add_run, add_resume, add_check, add_measure, add_validate, add_report, add_plot, add_movie,
                         add_view, add_neighbors, add_deposit, add_wall_distance, add_info, add_methods, add_keys,
                         add_bench, add_manual, add_completion})
    add(app, action);
  app.footer("Exit codes: " + exit_codes());  // after the commands, which would inherit it
  refuse_empty_values(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return is_reporting_process() ? app.exit(help) : exit_done;
  } catch (const CLI::ParseError& error) {
    throw BadInput(usage_message(app, error));
  }
  if (const std::string reason = wrong_start(app.get_subcommands().front()->get_name()); !reason.empty())
    throw BadInput(reason);
  return action();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace shoal::cli;
  shoal::limit_openmp_spinning(argv);
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);  // a file that exceeds its size limit is reported as an error
#endif
  try {
    return command_line(argc, argv);
  } catch (const BadInput& error) {
    return report_error(error.what(), error.cause(), exit_bad_input);
  } catch (const std::filesystem::filesystem_error& error) {
    return report_error(file_message(error), error.what(), exit_failed);
  } catch (const std::bad_alloc& error) {
    return report_error(out_of_memory, error.what(), exit_failed);
  } catch (const std::length_error& error) {
    return report_error(out_of_memory, error.what(), exit_failed);
  } catch (const std::exception& error) {
    return report_error(error.what(), error.what(), exit_failed);
  }
}
