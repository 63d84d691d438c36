// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <shoal/device.hpp>
#include <shoal/io/measure.hpp>
#include <shoal/io/text.hpp>

#include <iostream>

#include "commands.hpp"

namespace shoal::cli {

namespace {

int measure(const io::MeasureOptions& options, int threads) {
  const Queue queue = prepared([&] { return Queue::cpu(threads); });
  const io::MeasureReport report = prepared([&] { return io::measure(queue, options); });
  std::string lines = fmt::format("{} states measured\n", report.states);
  for (const std::filesystem::path& file : report.files) lines += "  " + file.string() + "\n";
  std::cout << io::printable(lines);
  return exit_done;
}

}  // namespace

void add_measure(CLI::App& app, Action& action) {
  auto options = std::make_shared<io::MeasureOptions>();
  auto threads = std::make_shared<int>(0);
  CLI::App* command = app.add_subcommand("measure", "Measure probes in the fields of a run that has ended");
  command->add_option("DIR", options->folder, "output folder of the run")->required();
  command
      ->add_option("--probe", options->probes,
                   "probe to measure: its keys, as in { kind = 'pressure', at = [0.1, 0] }, or the name of one of the "
                   "case; may be repeated; by default all of the case")
      ->allow_extra_args(false);
  command->add_option("--out", options->out, "folder of the tables; by default `measured` in DIR");
  command->add_flag("--force", options->force, "replace tables that exist");
  command->add_option("--threads", *threads, "number of CPU threads; 0: one for each core");
  command->callback(
      [&action, options, threads] { action = [options, threads] { return measure(*options, *threads); }; });
}

}  // namespace shoal::cli
