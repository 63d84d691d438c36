// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "bench_options.hpp"
#include "commands.hpp"
#include "core/text.hpp"
#include "neighbors_contenders.hpp"

namespace shoal::cli {

namespace {

/// 10, 30, 100, 300, ... up to the largest.
std::vector<std::int64_t> sizes_up_to(std::int64_t largest) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t decade = 10; decade <= largest; decade *= 10) {
    sizes.push_back(decade);
    if (3 * decade <= largest) sizes.push_back(3 * decade);
  }
  return sizes;
}

int bench_neighbors(const BenchOptions& options) {
  const std::optional<Queue> gpu = preparing([&] {
    require_valid(options, "neighbors", 10, "particles");
    const Queue queue = Queue::parse(options.device);
    make_folder(options.out);
    return queue.on_cpu() ? std::nullopt : std::optional(queue);
  });
  std::cout << "Godbole (2014), figures 3 and 4, on " << Queue::cpu().name() << (gpu ? " and " + gpu->name() : "")
            << ".\nUniform particles in a unit box, 3-D, float, radius 2 h, h = 1.2 spacings: 58 neighbors inside.\n";
  if (!gpu) std::cout << "Left out, because they need a GPU: " << join(gpu_configurations()) << ".\n";
  const FigureOptions figure{options.each, sizes_up_to(options.largest)};
  const auto run = [&](const char* name, const std::string& what, const std::vector<Contender>& contenders) {
    std::cout << '\n';
    const Figure measured = measure_figure(fmt::format("{}: time of {} iterations [s]", what, options.each.iterations),
                                           contenders, figure, std::cout);
    if (!options.out.empty()) write_figure(measured, options.out, name);
  };
  run("figure3", "Binning and neighbor search", search_contenders(gpu));
  run("figure4", "Binning", binning_contenders(gpu));
  if (!options.out.empty())
    std::cout << "\nfigure3 and figure4, .csv and .svg, are in " << options.out.string() << '\n';
  return exit_done;
}

}  // namespace

void add_bench_neighbors(CLI::App& bench, Chosen& chosen) {
  auto options = std::make_shared<BenchOptions>();
  options->largest = 1'000'000;
  CLI::App* command = bench.add_subcommand("neighbors", "Neighbor search: figures 3 and 4 of Godbole (2014)");
  add_bench_options(*command, *options, "of binning and search in each time", "number of particles; the smallest is 10",
                    "folder for figure3 and figure4, as .csv and .svg");
  command->callback([&chosen, options] { chosen = [options] { return bench_neighbors(*options); }; });
}

}  // namespace shoal::cli
