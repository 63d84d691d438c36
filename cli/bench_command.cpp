// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "commands.hpp"
#include "core/text.hpp"
#include "neighbors_contenders.hpp"

namespace shoal::cli {

namespace {

struct Options {
  bool paper = false;
  std::string device = "best";
  std::int64_t iterations = 100;
  std::int64_t largest = 1'000'000;
  double most_seconds = 0;
  std::filesystem::path out;
};

/// 10, 30, 100, 300, ... up to the largest.
std::vector<std::int64_t> sizes_up_to(std::int64_t largest) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t decade = 10; decade <= largest; decade *= 10) {
    sizes.push_back(decade);
    if (3 * decade <= largest) sizes.push_back(3 * decade);
  }
  return sizes;
}

void require_valid(const Options& options) {
  require(options.paper, "bench neighbors: there is one comparison so far, say --paper.");
  require(options.iterations > 0, "--iterations = ", options.iterations, ", expected a positive number.");
  require(options.largest >= 10 && options.largest <= 1'000'000'000, "--largest = ", options.largest,
          ", expected 10 to 1000000000 particles.");
  require(options.most_seconds >= 0, "--most-seconds = ", options.most_seconds, ", expected a time in s, or 0.");
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  require(!failed && std::filesystem::is_directory(folder), folder.string(), ": cannot make this folder",
          failed ? ": " + failed.message() : std::string(), ".");
}

int bench_neighbors(const Options& options) {
  const std::optional<Queue> gpu = preparing([&] {
    require_valid(options);
    const Queue queue = Queue::parse(options.device);
    if (!options.out.empty()) make_folder(options.out);
    return queue.on_cpu() ? std::nullopt : std::optional(queue);
  });
  std::cout << "Godbole (2014), figures 3 and 4, on " << Queue::cpu().name() << (gpu ? " and " + gpu->name() : "")
            << ".\nUniform particles in a unit box, 3-D, float, radius 2 h, h = 1.2 spacings: 58 neighbours inside.\n";
  if (!gpu) std::cout << "Left out, because they need a GPU: " << join(gpu_configurations()) << ".\n";
  const FigureOptions figure{options.iterations, sizes_up_to(options.largest), options.most_seconds};
  const auto run = [&](const char* name, const std::string& what, const std::vector<Contender>& contenders) {
    std::cout << '\n';
    const Figure measured = measure_figure(fmt::format("{}: time of {} iterations [s]", what, options.iterations),
                                           contenders, figure, std::cout);
    if (!options.out.empty()) write_figure(measured, options.out, name);
  };
  run("figure3", "Binning and neighbour search", search_contenders(gpu));
  run("figure4", "Binning", binning_contenders(gpu));
  if (!options.out.empty())
    std::cout << "\nfigure3 and figure4, .csv and .svg, are in " << options.out.string() << '\n';
  return exit_done;
}

}  // namespace

void add_bench(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* bench = app.add_subcommand("bench", "Measure a paper's comparison again");
  bench->require_subcommand(1);
  CLI::App* command = bench->add_subcommand("neighbors", "Neighbour search: figures 3 and 4 of Godbole (2014)");
  command->add_flag("--paper", options->paper, "the paper's configurations, with ours beside them");
  command->add_option("--device", options->device, "cpu, cuda, cuda:1, or best: a GPU if there is one")
      ->capture_default_str();
  command->add_option("--iterations", options->iterations, "of binning and search in each time")->capture_default_str();
  command->add_option("--largest", options->largest, "number of particles; the smallest is 10")->capture_default_str();
  command
      ->add_option("--most-seconds", options->most_seconds,
                   "stop a measurement after this time and work its total out from the iterations that ran; 0: never")
      ->capture_default_str();
  command->add_option("--out", options->out, "folder for figure3 and figure4, as .csv and .svg");
  command->callback([&chosen, options] { chosen = [options] { return bench_neighbors(*options); }; });
}

}  // namespace shoal::cli
