// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <shoal/io/stopwatch.hpp>
#include <shoal/io/text.hpp>
#include <shoal/methods.hpp>

#include <algorithm>
#include <iostream>
#include <limits>
#include <numeric>
#include <optional>

#include "core/text.hpp"
#include "io/validation/svg_plot.hpp"
#include "papers/bench.hpp"
#include "papers/result_csv.hpp"
#include "papers/sph/sph_measure.hpp"
#include "support/sph_cases.hpp"

namespace shoal::benchmarks {

namespace {

struct Options {
  BenchOptions bench;
  std::vector<std::string> methods;  ///< empty: every method of the device but serial
};

/// Methods to measure: those of the command line, or every method but `serial`.
std::vector<std::string> chosen_methods(const Options& options, DeviceKind device) {
  std::vector<std::string> available;
  for (const MethodInfo& method : methods("sph"))
    if (method.device == device) available.push_back(method.name);
  for (const std::string& name : options.methods)
    require(std::find(available.begin(), available.end(), name) != available.end(), "--methods: no method \"", name,
            "\" on this device; it has ", join(available), ".");
  if (!options.methods.empty()) return options.methods;
  std::erase(available, "serial");
  return available;
}

/// Settings of every table.
struct Bench {
  Queue queue;
  std::vector<std::string> methods;
  const Options& options;

  std::optional<ResultCsv> table(const std::string& name, const std::vector<std::string>& columns) const {
    const std::filesystem::path& out = options.bench.out;
    return out.empty() ? std::nullopt : std::optional<ResultCsv>(std::in_place, out / (name + ".csv"), columns);
  }
};

template <std::size_t n>
void measure_table(const Bench& bench, const char* file, const char* title, const PaperSphCase (&cases)[n],
                   sph::Case (*made)(int)) {
  std::cout << fmt::format(
      "\n{}: seconds of all steps; the paper's on one core of a Xeon and on a Tesla C1060\n"
      "{:<18}{:>10}{:>8}{:>11}{:>11}  {:<8}{:>10}{:>12}{:>12}\n",
      title, "case", "particles", "steps", "paper core", "paper GPU", "method", "s", "over core", "over GPU");
  std::optional<ResultCsv> csv = bench.table(
      file, {"case", "particles", "steps", "paper core [s]", "paper GPU [s]", "method", "time [s]", "measured steps"});
  for (const PaperSphCase& paper : cases)
    for (const std::string& method : bench.methods) {
      const MeasureOptions each{paper.steps, bench.options.bench.each.most_seconds};
      const SphTiming timing = measure_sph(bench.queue, made(paper.size), method, each);
      if (!timing.failure.empty()) {
        std::cout << fmt::format("{:<18}{} {}\n", paper.name, method, timing.failure);
        continue;
      }
      const double seconds = timing.step_seconds() * static_cast<double>(paper.steps);
      std::cout << fmt::format("{:<18}{:>10}{:>8}{:>11}{:>11}  {:<8}{:>10.4g}{:>12.4g}{:>12.4g}", paper.name,
                               io::grouped(timing.particles), io::grouped(paper.steps), paper.cpu, paper.gpu, method,
                               seconds, paper.cpu / seconds, paper.gpu / seconds)
                << (timing.steps.iterations < paper.steps
                        ? fmt::format("   from {} steps", io::grouped(timing.steps.iterations))
                        : std::string())
                << std::endl;
      if (csv)
        csv->append(paper.name, timing.particles, paper.steps, paper.cpu, paper.gpu, method, seconds,
                    timing.steps.iterations);
    }
}

void measure_profile(const Bench& bench) {
  std::cout
      << "\nTable 2: where the time of a step goes, dam break 3. The paper: balanceMassMomentum 63.7 %, updateList\n"
         "20.8 %, updateParticles 3.5 %, balanceEnergy 0.5 %.\n";
  std::optional<ResultCsv> csv = bench.table(
      "table2", {"method", "kernel", "share", "time a step [us]", "launches a step", "registers", "occupancy"});
  constexpr std::int64_t most_steps = 100;
  for (const std::string& method : bench.methods) {
    sph::Case dam = dam_break_case(4);
    dam.method = method;
    sph::Solver solver(bench.queue, dam);
    const double most_seconds = bench.options.bench.each.most_seconds;
    const io::Stopwatch watch;
    const std::vector<sph::KernelProfile> kernels =
        solver.profile(most_steps, std::numeric_limits<double>::infinity(),
                       [&](const sph::Clock&) { return most_seconds <= 0 || watch.seconds() < most_seconds; });
    const auto steps = static_cast<double>(solver.clock().step);
    const double total = std::accumulate(kernels.begin(), kernels.end(), 0.0,
                                         [](double sum, const sph::KernelProfile& k) { return sum + k.seconds; });
    std::cout << fmt::format("{:<10}{:<24}{:>9}{:>12}{:>10}{:>11}{:>11}\n", "method", "kernel", "share", "us a step",
                             "launches", "registers", "occupancy");
    for (const sph::KernelProfile& k : kernels) {
      const double share = k.seconds / total, us = 1e6 * k.seconds / steps;
      const double launches = static_cast<double>(k.launches) / steps;
      std::cout << fmt::format("{:<10}{:<24}{:>8.1f}%{:>12.3g}{:>10.3g}", method, k.name, 100 * share, us, launches)
                << (k.registers > 0 ? fmt::format("{:>11}{:>10.0f}%\n", k.registers, 100 * k.occupancy) : "\n");
      if (csv) csv->append(method, k.name, share, us, launches, k.registers, k.occupancy);
    }
  }
}

void measure_throughput(const Bench& bench) {
  std::cout << fmt::format(
      "\nThroughput: a column of water, whole steps with sort and walls\n"
      "{:<4}{:<8}{:<8}{:>13}{:>14}{:>16}\n",
      "", "", "method", "particles", "ms a step", "evaluations/s");
  std::optional<ResultCsv> csv = bench.table(
      "throughput", {"dimensions", "precision", "method", "particles", "time a step [ms]", "evaluations/s"});
  io::Plot plot{"Column of water", "particles", "evaluations/s", {}};
  for (const int dimensions : {2, 3})
    for (const sph::Precision precision : {sph::Precision::float_, sph::Precision::double_})
      for (const std::string& method : bench.methods) {
        io::PlotSeries series{fmt::format("{}-D {} {}", dimensions, to_name(precision), method), {}, {}};
        for (std::int64_t size = 10'000; size <= bench.options.bench.largest; size *= 10) {
          sph::Case column = column_case(size, dimensions);
          column.precision = precision;
          const SphTiming timing = measure_sph(bench.queue, column, method, bench.options.bench.each);
          std::cout << fmt::format("{}-D {:<8}{:<8}", dimensions, to_name(precision), method);
          if (!timing.failure.empty()) {
            std::cout << fmt::format("{:>13}  {}", io::grouped(size), timing.failure) << std::endl;
            continue;
          }
          const double rate = timing.evaluations_per_second();
          std::cout << fmt::format("{:>13}{:>14.4g}{:>16}", io::grouped(timing.particles), 1e3 * timing.step_seconds(),
                                   io::scientific(rate))
                    << std::endl;
          if (csv)
            csv->append(dimensions, to_name(precision), method, timing.particles, 1e3 * timing.step_seconds(), rate);
          series.x.push_back(static_cast<double>(timing.particles));
          series.y.push_back(rate);
        }
        plot.series.push_back(std::move(series));
      }
  if (csv) io::write_svg(bench.options.bench.out / "throughput.svg", plot);
}

void run_comparison(const Options& options) {
  constexpr std::int64_t least = 10'000;
  std::vector<std::string> chosen;
  const Queue queue = prepared([&] {
    require_valid(options.bench, "sph", least, "particles");
    Queue opened = Queue::parse(options.bench.device);
    chosen = chosen_methods(options, opened.device().kind);
    make_folder(options.bench.out);
    return opened;
  });
  const Bench bench{queue, chosen, options};
  std::cout << fmt::format(
      "Massidda, tables 1 to 3, on {}; float. A step has three evaluations of each particle. Whole steps of the\n"
      "solver are measured, from the start of the case.\n",
      queue.name());
  measure_table(bench, "table1", "Table 1, dam break", paper_dam_breaks, dam_break_case);
  measure_profile(bench);
  measure_table(bench, "table3", "Table 3, pressure wave", paper_pressure_waves, pressure_wave_case);
  measure_throughput(bench);
  if (!options.bench.out.empty())
    std::cout << "\ntable1, table2 and table3, .csv, and throughput, .csv and .svg, are in "
              << options.bench.out.string() << '\n';
}

}  // namespace

void add_sph(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  options->bench.each = {1000, 5};
  options->bench.largest = 100'000'000;
  CLI::App* command =
      app.add_subcommand("sph", "Dam breaks and pressure waves: tables 1 to 3 of Massidda, and throughput");
  add_bench_options(*command, options->bench, "largest number of steps for a throughput",
                    "largest number of particles for the throughput",
                    "folder for table1, table2, table3 and throughput, as .csv, and throughput.svg");
  command
      ->add_option("--methods", options->methods,
                   "methods that `shoal methods` lists: rows,list; default: all but serial")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->callback([&action, options] { action = [options] { run_comparison(*options); }; });
}

}  // namespace shoal::benchmarks
