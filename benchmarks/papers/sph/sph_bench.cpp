// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <shoal/io/text.hpp>
#include <shoal/methods.hpp>

#include <algorithm>
#include <iostream>
#include <optional>

#include "core/text.hpp"
#include "io/validation/svg_plot.hpp"
#include "papers/bench.hpp"
#include "papers/sph/sph_tables.hpp"
#include "support/sph_cases.hpp"

namespace shoal::benchmarks {

namespace {

struct Options {
  BenchOptions bench;
  std::vector<std::string> methods;  ///< empty: every method of the device but serial
  std::vector<int> cases{1, 2, 3};   ///< numbers of the cases of tables 1 and 3
  std::int64_t most_steps = 0;       ///< largest number of steps of tables 1 and 3; 0: all
  double core_seconds = 10;          ///< s, limit of a measurement on one CPU core; 0: none
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

void measure_throughput(const SphTables& tables, const Options& options) {
  std::cout << fmt::format(
      "\nThroughput: a column of water, whole steps with sort and walls\n"
      "{:<4}{:<8}{:<14}{:>13}{:>14}{:>16}\n",
      "", "", "method", "particles", "ms a step", "evaluations/s");
  std::optional<ResultCsv> csv = tables.file(
      "throughput", {"dimensions", "precision", "method", "particles", "time a step [ms]", "evaluations/s"});
  io::Plot plot{"Column of water", "particles", "evaluations/s", {}};
  for (const int dimensions : {2, 3})
    for (const sph::Precision precision : {sph::Precision::float_, sph::Precision::double_})
      for (const std::string& method : tables.methods) {
        io::PlotSeries series{fmt::format("{}-D {} {}", dimensions, to_name(precision), method), {}, {}};
        for (std::int64_t size = 10'000; size <= options.bench.largest; size *= 10) {
          sph::Case column = column_case(size, dimensions);
          column.precision = precision;
          const SphTiming timing = measure_sph(tables.queue, column, method, options.bench.each);
          std::cout << fmt::format("{}-D {:<8}{:<14}", dimensions, to_name(precision), method);
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
  if (csv) io::write_svg(options.bench.out / "throughput.svg", plot);
}

void run_comparison(const Options& options) {
  constexpr std::int64_t least = 10'000;
  std::vector<std::string> chosen;
  const Queue queue = prepared([&] {
    require_valid(options.bench, "sph", least, "particles");
    Queue opened = Queue::parse(options.bench.device);
    chosen = chosen_methods(options, opened.device().kind);
    require(options.most_steps >= 0, "--most-steps = ", options.most_steps, ", expected a positive number, or 0.");
    require(options.core_seconds >= 0, "--core-seconds = ", options.core_seconds, ", expected a time in s, or 0.");
    make_folder(options.bench.out);
    return opened;
  });
  const SphTables tables{.queue = queue,
                         .methods = chosen,
                         .cases = options.cases,
                         .out = options.bench.out,
                         .most_steps = options.most_steps,
                         .core_seconds = options.core_seconds,
                         .most_seconds = options.bench.each.most_seconds};
  std::cout << fmt::format(
      "Massidda, tables 1 to 3, on {}; float. A step has three evaluations of each particle. Whole steps of the\n"
      "solver are measured, from the start of the case. Scheme \"paper\" is that of cases/armando_dam_break; "
      "\"shoal\"\n"
      "is that of cases/dam_break and cases/pressure_wave.\n",
      queue.name());
  measure_times(tables);
  measure_profiles(tables);
  measure_throughput(tables, options);
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
  command->add_option("--cases", options->cases, "the paper's cases to measure; table 2 takes the last one")
      ->delimiter(',')
      ->check(CLI::Range(1, 3))
      ->allow_extra_args(false)
      ->capture_default_str();
  command
      ->add_option("--most-steps", options->most_steps,
                   "largest number of steps of tables 1 and 3, from which all are extrapolated; 0: measure all steps")
      ->capture_default_str();
  command
      ->add_option("--core-seconds", options->core_seconds,
                   "time after which a measurement on one CPU core stops, in s; 0: measure all steps")
      ->capture_default_str();
  command->callback([&action, options] { action = [options] { run_comparison(*options); }; });
}

}  // namespace shoal::benchmarks
