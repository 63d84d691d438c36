// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

#include "deposit/paper/paper_kernels.hpp"
#include "papers/bench.hpp"
#include "papers/deposit/deposit_paper.hpp"
#include "papers/deposit/deposit_tables.hpp"
#include "papers/kernels.hpp"

namespace shoal::benchmarks {

namespace {

struct Options {
  BenchOptions bench;
  std::vector<std::string> particles;  ///< names of distributions; empty: every distribution
};

/// Numbers of particles and cells of the paper, multiplied by one factor.
struct Scale {
  double factor;

  explicit Scale(std::int64_t largest)
      : factor(static_cast<double>(largest) / (paper_deposit_lines.back().millions * 1e6)) {}
  std::int64_t particles(const PaperDepositLine& line) const { return std::llround(line.millions * 1e6 * factor); }
  double cells() const { return 330'000 * factor; }
};

bool is_chosen(const Options& options, const DepositDistribution& distribution) {
  const std::vector<std::string>& names = options.particles;
  return names.empty() || std::find(names.begin(), names.end(), distribution.name) != names.end();
}

std::vector<std::string> distribution_names() {
  std::vector<std::string> names;
  for (const DepositDistribution& distribution : deposit_distributions()) names.emplace_back(distribution.name);
  return names;
}

/// Shared memory that the paper states. It does not state the other resources.
std::vector<KernelLine> paper_kernel_lines() {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  return {{"paper: Zhao's method", unknown, unknown, unknown, 24'576},
          {"paper: Corners method", unknown, unknown, unknown, 6'144}};
}

/// Measures a distribution with the paper's numbers of particles, and prints each line as soon as it is measured.
DepositBlock measure_block(const DepositDistribution& distribution, const Queue& queue, const Scale& scale,
                           const Options& options) {
  DepositBlock block{std::string(distribution.name), measured_methods(queue.device().kind), {}};
  std::cout << '\n' << distribution.name << ": " << distribution.meaning << '\n';
  print_heading(block, block.times(), std::cout);
  for (const PaperDepositLine& line : paper_deposit_lines) {
    block.sizes.push_back(
        measure_deposit(queue, distribution.make(scale.particles(line), scale.cells()), options.bench.each));
    print_line(block, block.times(), block.sizes.size() - 1, std::cout);
    for (const std::string& failure : block.sizes.back().failures) std::cout << failure << std::endl;
  }
  return block;
}

void print_table(const DepositBlock& block, const PaperTable& table) {
  print_heading(block, table, std::cout);
  for (std::size_t size = 0; size < block.sizes.size(); ++size) print_line(block, table, size, std::cout);
}

void write_files(const std::filesystem::path& folder, const std::vector<DepositBlock>& blocks, double bandwidth) {
  write_table1(folder, blocks, bandwidth);
  const DepositBlock& first = blocks.front();
  const std::string title = first.name + " particles";
  write_curves(folder, "figure3", title, first.counts(), first.times());
  write_curves(folder, "figure4", title, first.counts(), first.with_sort());
}

void run_comparison(const Options& options) {
  const std::filesystem::path& out = options.bench.out;
  const Queue queue = prepared([&] {
    require_valid(options.bench, "deposit", 1000, "particles");
    make_folder(out);
    return Queue::parse(options.bench.device);
  });
  const double bandwidth = copy_bandwidth(queue);
  const Scale scale(options.bench.largest);
  std::cout << fmt::format(
      "Larson, Carver and Zhao (2015), table 1 and figures 3 and 4, on {}; serial on 1 CPU thread.\n"
      "Three values in double; particles and nodes on the device. The ceiling is its copy bandwidth, {:.4g} GB/s.\n",
      queue.name(), bandwidth / 1e9);
  if (!queue.on_cpu()) report_kernels(deposit::paper::paper_kernels(queue), paper_kernel_lines(), out);
  std::vector<DepositBlock> blocks;
  for (const DepositDistribution& distribution : deposit_distributions()) {
    if (!is_chosen(options, distribution)) continue;
    blocks.push_back(measure_block(distribution, queue, scale, options));
    print_table(blocks.back(), blocks.back().with_sort());
    print_table(blocks.back(), blocks.back().without_sort());
    print_table(blocks.back(), blocks.back().ceiling_shares(bandwidth));
    if (!out.empty()) write_files(out, blocks, bandwidth);
  }
  if (!out.empty())
    std::cout << "\ntable1.csv" << (queue.on_cpu() ? "" : ", kernels.csv")
              << ", and figure3 and figure4, .csv and .svg, are in " << out.string() << '\n';
}

}  // namespace

void add_deposit(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  options->bench.each = {20, 2};
  options->bench.largest = 11'700'000;
  CLI::App* command =
      app.add_subcommand("deposit", "Particles to grid: table 1 and figures 3 and 4 of Larson, Carver and Zhao (2015)");
  add_bench_options(*command, options->bench, "iterations of sort, reordering and interpolation in each measurement",
                    "largest number of particles; the others and the cells in proportion",
                    "folder for table1.csv, kernels.csv, and figure3 and figure4, as .csv and .svg");
  command
      ->add_option("--particles", options->particles, "distribution of the particles; default: each of these in turn")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(distribution_names()));
  command->callback([&action, options] { action = [options] { run_comparison(*options); }; });
}

}  // namespace shoal::benchmarks
