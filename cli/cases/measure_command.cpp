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
  auto surface = std::make_shared<sph::Isosurface>();
  auto isosurface = std::make_shared<bool>(false);
  CLI::App* command =
      app.add_subcommand("measure", "Measure probes, vorticity and isosurface in the fields of a run that has ended");
  command->add_option("DIR", options->folder, "output folder of the run")->required();
  command
      ->add_option("--probe", options->probes,
                   "probe to measure: its keys, as in { kind = 'pressure', at = [0.1, 0] }, or the name of one of the "
                   "case; may be repeated; by default all of the case, or none with --vorticity or --isosurface")
      ->allow_extra_args(false);
  command->add_flag("--vorticity", options->vorticity,
                    "write the fields with their vorticity, to the file fields.vtkhdf");
  command->add_flag("--isosurface", *isosurface, "write the surface of the fluid, to the file isosurface.vtkhdf");
  command->add_option("--spacing", surface->spacing, "spacing of the isosurface's grid in m; 0: that of the case");
  command->add_option("--level", surface->level, "share of the space that fluid fills at the isosurface");
  command->add_option("--out", options->out, "folder of the tables; by default `measured` in DIR");
  command->add_flag("--force", options->force, "replace tables that exist");
  command->add_option("--threads", *threads, "number of CPU threads; 0: one for each core");
  command->callback([&action, options, threads, surface, isosurface] {
    if (*isosurface) options->isosurface = *surface;
    action = [options, threads] { return measure(*options, *threads); };
  });
}

}  // namespace shoal::cli
