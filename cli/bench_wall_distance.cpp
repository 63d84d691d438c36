// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <shoal/io/text.hpp>
#include <shoal/methods.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "bench_options.hpp"
#include "commands.hpp"
#include "core/text.hpp"
#include "wall_distance_tables.hpp"

namespace shoal::cli {

namespace {

struct Options {
  BenchOptions bench;
  std::vector<std::string> methods;  ///< empty: all of the device
};

/// The rows of the paper's serial codes, on one CPU thread.
bool is_measured_anyway(const MethodInfo& row) {
  return row.device == DeviceKind::cpu && (row.name == "serial" || serial_advancing_boundary.starts_with(row.name));
}

/// The rows to measure: those asked for, or all but the serial ones, which are always measured.
std::vector<std::string> chosen_methods(const std::vector<std::string>& wanted, DeviceKind device) {
  std::vector<std::string> known, chosen;
  for (const MethodInfo& row : methods("wall_distance"))
    if (row.device == device && !is_measured_anyway(row)) known.push_back(row.name);
  for (const std::string& name : wanted)
    require(std::find(known.begin(), known.end(), name) != known.end(), "--methods: no method \"", name,
            "\" to measure on this device; it has ", join(known), ".");
  std::copy_if(known.begin(), known.end(), std::back_inserter(chosen), [&](const std::string& name) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
  });
  return chosen;
}

/// The paper's numbers of points around, all smaller or larger by one factor.
std::int64_t around(const PaperWallGrid& grid, std::int64_t largest) {
  const double factor = static_cast<double>(largest) / static_cast<double>(paper_wall_grids.back().around);
  return std::llround(static_cast<double>(grid.around) * factor);
}

WallTimings measure_grid(const Queue& queue, const PaperWallGrid& grid, const Options& options,
                         const std::vector<std::string>& methods) {
  const WallCase circle = circle_case(around(grid, options.bench.largest), paper_points_out);
  const WallTimings timings = measure_walls(queue, circle, methods, options.bench.each);
  std::cout << fmt::format("{}: {} cells, {} faces, {} pairs; serial on {} cells\n", grid.name,
                           io::grouped(timings.points), io::grouped(timings.faces), io::grouped(timings.pairs()),
                           io::grouped(timings.serial_points));
  for (const std::string& failure : timings.failures) std::cout << failure << '\n';
  std::cout << std::flush;
  return timings;
}

int bench_wall_distance(const Options& options) {
  const std::filesystem::path& out = options.bench.out;
  constexpr std::int64_t least_around = 100;  // of the largest circle, so that the smallest has 4
  WallBench bench;
  const Queue queue = preparing([&] {
    require_valid(options.bench, "wall_distance", least_around, "points around");
    Queue chosen = Queue::parse(options.bench.device);
    bench.methods = chosen_methods(options.methods, chosen.device().kind);
    make_folder(out);
    return chosen;
  });
  std::cout << fmt::format(
      "Wukie, Ganapathy and Park (2014), tables 1 to 3, on {}; serial on 1 CPU thread.\n"
      "Exact distances to faces and the numbers of the faces, double; points and answers on the device.\n\n",
      queue.name());
  for (const PaperWallGrid& grid : paper_wall_grids)
    bench.grids.push_back(measure_grid(queue, grid, options, bench.methods));
  print_tables(bench, std::cout);
  if (out.empty()) return exit_done;
  write_tables(bench, out);
  std::cout << "\ntables.csv, and table1 and table3, .csv and .svg, are in " << out.string() << '\n';
  return exit_done;
}

}  // namespace

void add_bench_wall_distance(CLI::App& bench, Chosen& chosen) {
  auto options = std::make_shared<Options>();
  options->bench.each = {20, 2};
  options->bench.largest = paper_wall_grids.back().around;
  CLI::App* command =
      bench.add_subcommand("wall_distance", "Distances to a circle: tables 1 to 3 of Wukie, Ganapathy and Park (2014)");
  add_bench_options(*command, options->bench, "of each method, and of each build, in each time",
                    "points around the largest circle; the others in proportion",
                    "folder for tables.csv, and table1 and table3, as .csv and .svg");
  command->add_option("--methods", options->methods, "rows of `shoal methods`: bvh,thread_2c; default: all")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->callback([&chosen, options] { chosen = [options] { return bench_wall_distance(*options); }; });
}

}  // namespace shoal::cli
