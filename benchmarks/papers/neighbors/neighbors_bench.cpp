// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "core/text.hpp"
#include "neighbors/paper/paper_neighbors.hpp"
#include "papers/bench.hpp"
#include "papers/kernels.hpp"
#include "papers/neighbors/neighbors_configurations.hpp"
#include "papers/neighbors/neighbors_dam_break.hpp"

namespace shoal::benchmarks {

namespace {

/// The kernel `getneighbors` after GPU binning, from the output of ptxas for sm_20 in section 7 of the paper.
const KernelLine paper_search_after_gpu_binning{"paper: getneighbors after GPU binning; 43 registers wanted", 32, 32, 8,
                                                0};

constexpr std::int64_t largest_dam_break = 100'000;  // particles
constexpr std::int64_t largest_cpu_dam_break = 10'000;

/// Numbers of particles: 10, 30, 100, 300, ... up to the largest.
std::vector<std::int64_t> sizes_up_to(std::int64_t largest) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t decade = 10; decade <= largest; decade *= 10) {
    sizes.push_back(decade);
    if (3 * decade <= largest) sizes.push_back(3 * decade);
  }
  return sizes;
}

void run_dam_break(const BenchOptions& options, const std::optional<Queue>& gpu) {
  std::cout << '\n';
  const std::int64_t particles = std::min(options.largest, gpu ? largest_dam_break : largest_cpu_dam_break);
  const DamBreak dam =
      measure_dam_break(gpu.value_or(Queue::cpu()), particles, search_configurations(gpu), options.each, std::cout);
  if (!options.out.empty()) write_dam_break(dam, options.out);
}

void run_comparison(const BenchOptions& options) {
  const std::optional<Queue> gpu = prepared([&] {
    require_valid(options, "neighbors", 10, "particles");
    const Queue queue = Queue::parse(options.device);
    make_folder(options.out);
    return queue.on_cpu() ? std::nullopt : std::optional(queue);
  });
  std::cout << "Godbole (2014), figures 3 and 4, on " << Queue::cpu().name() << (gpu ? " and " + gpu->name() : "")
            << ".\nUniform particles in a unit box, 3-D, float, radius 2 h, h = 1.2 spacings; 58 neighbors far from "
               "the faces.\n";
  if (!gpu) std::cout << "Left out, because they need a GPU: " << join(gpu_configurations()) << ".\n";
  if (gpu) report_kernels(neighbors::paper_kernels<float>(*gpu), {paper_search_after_gpu_binning}, options.out);
  const FigureOptions figure{options.each, sizes_up_to(options.largest)};
  const auto run = [&](const char* name, const std::string& what, const std::vector<Configuration>& configurations) {
    std::cout << '\n';
    const Figure measured = measure_figure(fmt::format("{}: time of {} iterations [s]", what, options.each.iterations),
                                           configurations, figure, std::cout);
    if (!options.out.empty()) write_figure(measured, options.out, name);
  };
  run("figure3", "Binning and neighbor search", search_configurations(gpu));
  run("figure4", "Binning", binning_configurations(gpu));
  const bool has_dam_break = options.largest >= least_dam_break;
  if (has_dam_break) run_dam_break(options, gpu);
  if (!options.out.empty())
    std::cout << fmt::format("\nfigure3 and figure4, .csv and .svg{}{}, are in {}\n", gpu ? ", kernels.csv" : "",
                             has_dam_break ? ", dam_break.csv" : "", options.out.string());
}

}  // namespace

void add_neighbors(CLI::App& app, Action& action) {
  auto options = std::make_shared<BenchOptions>();
  options->largest = 1'000'000;
  CLI::App* command = app.add_subcommand("neighbors", "Neighbor search: figures 3 and 4 of Godbole (2014)");
  add_bench_options(*command, *options, "iterations of binning and search in each measurement",
                    "largest number of particles; the smallest is 10. The dam break has up to 100,000 (CPU: 10,000)",
                    "folder for figure3 and figure4, as .csv and .svg, kernels.csv and dam_break.csv");
  command->callback([&action, options] { action = [options] { run_comparison(*options); }; });
}

}  // namespace shoal::benchmarks
