// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <shoal/io/text.hpp>
#include <shoal/methods.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "core/text.hpp"
#include "papers/bench.hpp"
#include "papers/kernels.hpp"
#include "papers/wall_distance/wall_distance_sweep.hpp"
#include "wall_distance/wall_distance_method.hpp"

namespace shoal::benchmarks {

namespace {

struct Options {
  BenchOptions bench;
  std::vector<std::string> methods;  ///< empty: every method of the device
};

/// Returns true for the paper's codes for CPUs, which are always measured.
bool is_always_measured(const MethodInfo& method) {
  const std::vector<WallMethod> always = cpu_methods();
  return method.device == DeviceKind::cpu &&
         (method.name == "serial" || std::any_of(always.begin(), always.end(), [&](const WallMethod& measured) {
            return measured.name == method.name;
          }));
}

/// Methods to measure besides `serial`: the other ones for CPUs, and those of the command line, or every one of the device.
std::vector<WallMethod> chosen_methods(const std::vector<std::string>& wanted, DeviceKind device) {
  std::vector<std::string> available;
  std::vector<WallMethod> chosen = cpu_methods();
  for (const MethodInfo& method : methods("wall_distance"))
    if (method.device == device && !is_always_measured(method)) available.push_back(method.name);
  for (const std::string& name : wanted)
    require(std::find(available.begin(), available.end(), name) != available.end(), "--methods: no method \"", name,
            "\" to measure on this device; it has ", join(available), ".");
  for (const std::string& name : available)
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end()) chosen.push_back({name});
  return chosen;
}

/// Number of points around, that of the paper multiplied by the factor of the largest grid.
std::int64_t around(const PaperWallGrid& grid, std::int64_t largest) {
  const double factor = static_cast<double>(largest) / static_cast<double>(paper_wall_grids.back().around);
  return std::llround(static_cast<double>(grid.around) * factor);
}

void print_failures(const WallTimings& timings) {
  for (const std::string& failure : timings.failures) std::cout << failure << '\n';
}

WallCase circle(const PaperWallGrid& grid, const Options& options) {
  return wall_distance::circle_case(around(grid, options.bench.largest), paper_points_out);
}

WallTimings measure_grid(const Queue& queue, const PaperWallGrid& grid, const Options& options,
                         const std::vector<WallMethod>& methods) {
  const WallTimings timings = measure_walls(queue, circle(grid, options), methods, options.bench.each);
  std::cout << fmt::format("{}: {} cells, {} faces, {} pairs; serial on {} cells\n", grid.name,
                           io::grouped(timings.points), io::grouped(timings.faces), io::grouped(timings.pairs()),
                           io::grouped(timings.serial_points));
  print_failures(timings);
  std::cout << std::flush;
  return timings;
}

/// Resources of the kernels of methods on this kind of device that state them.
std::vector<KernelResources> kernels_on(DeviceKind device) {
  std::vector<KernelResources> kernels;
  for (const wall_distance::WallDistanceMethod& method : wall_distance::wall_distance_method_table())
    if (method.device == device && method.kernel != nullptr) kernels.push_back(method.kernel());
  return kernels;
}

void run_comparison(const Options& options) {
  const std::filesystem::path& out = options.bench.out;
  constexpr std::int64_t least_around = 100;  // of the largest circle, so that the smallest has 4
  WallBench bench;
  const Queue queue = prepared([&] {
    require_valid(options.bench, "wall_distance", least_around, "points around");
    Queue chosen = Queue::parse(options.bench.device);
    bench.methods = chosen_methods(options.methods, chosen.device().kind);
    make_folder(out);
    return chosen;
  });
  std::cout << fmt::format(
      "Wukie, Ganapathy and Park (2014), tables 1 to 3, on {}; serial codes on 1 CPU thread.\n"
      "Exact distances to faces and the numbers of the faces, in double; points and results on the device.\n\n",
      queue.name());
  for (const PaperWallGrid& grid : paper_wall_grids)
    bench.grids.push_back(measure_grid(queue, grid, options, bench.methods));
  print_tables(bench, std::cout);
  const WallSweep sweep = measure_sweep(queue, circle(paper_wall_grids[1], options), bench.methods, options.bench.each);
  print_failures(sweep.timings);
  print_sweep(sweep, std::cout);
  const std::vector<KernelResources> kernels = kernels_on(queue.device().kind);
  if (!kernels.empty()) report_kernels(kernels, {}, out);
  if (out.empty()) return;
  write_tables(bench, out);
  write_sweep(sweep, out);
  std::cout << "\ntables.csv, table1, table3 and auxiliary_grid, .csv and .svg"
            << (kernels.empty() ? "" : ", and kernels.csv") << ", are in " << out.string() << '\n';
}

}  // namespace

void add_wall_distance(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  options->bench.each = {20, 2};
  options->bench.largest = paper_wall_grids.back().around;
  CLI::App* command =
      app.add_subcommand("wall_distance", "Distances to a circle: tables 1 to 3 of Wukie, Ganapathy and Park (2014)");
  add_bench_options(*command, options->bench, "searches, and builds, of each method",
                    "points around the largest circle; the others in proportion",
                    "folder for tables.csv, table1, table3 and auxiliary_grid, as .csv and .svg, and kernels.csv");
  command->add_option("--methods", options->methods, "methods that `shoal methods` lists: bvh,thread_2c; default: all")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->callback([&action, options] { action = [options] { run_comparison(*options); }; });
}

}  // namespace shoal::benchmarks
