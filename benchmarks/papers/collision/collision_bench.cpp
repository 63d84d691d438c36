// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>

#include "core/text.hpp"
#include "io/validation/svg_plot.hpp"
#include "papers/bench.hpp"
#include "papers/collision/collision_measure.hpp"
#include "papers/result_csv.hpp"
#include "papers/tables.hpp"

namespace shoal::benchmarks {

namespace {

struct Options {
  BenchOptions bench;
  std::vector<std::string> methods;  ///< empty: all of the device
  int figure_nodes = 0;              ///< nodes along an axis for figure 1; 0: as many as for the table
  double slowest = 60;               ///< s, largest time of one evaluation of the table
  double slowest_curve = 60;         ///< s, largest time of one curve of the figure, except by the paper's own method
  std::int64_t figure_evaluations = 0;  ///< largest number of evaluations of a curve; 0: all 16 collision times
};

constexpr const char* moment_names[] = {"m2", "m4", "m6", "m8", "m10"};

/// Moment normalized by energy, as in the paper.
double by_energy(const EvenMoments& moments, std::size_t i) {
  return moments[i] / std::pow(moments[0], static_cast<double>(i + 1));
}

void print_line(const CollisionConfiguration& configuration, int nodes, const CollisionTimings& timings) {
  std::cout << fmt::format("{:<35}{:<10}{:>6}{:>11}{:>14}{:>10}{:>10.1e}{:>10.1e}{:>10.1e}{:>10.1e}",
                           configuration.name, configuration.options.method, nodes,
                           or_dash(timings.each.milliseconds()), or_dash(timings.serial.milliseconds()),
                           or_dash(timings.serial.milliseconds() / timings.each.milliseconds()), timings.error,
                           timings.v4_error, timings.mass, timings.energy)
            << (timings.failure.empty() ? "" : "  " + timings.failure) << std::endl;
}

void measure_table(const Queue& queue, const Options& options,
                   const std::vector<CollisionConfiguration>& configurations) {
  const auto most = static_cast<int>(options.bench.largest);
  std::cout << fmt::format("{:<35}{:<10}{:>6}{:>11}{:>14}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "approach", "method",
                           "nodes", "ms", "serial ms", "speed-up", "error", "d<v4>/dt", "mass", "energy");
  std::optional<ResultCsv> csv;
  if (!options.bench.out.empty())
    csv.emplace(options.bench.out / "evaluation.csv",
                std::vector<std::string>{"approach", "method", "nodes", "time [ms]", "serial [ms]", "serial nodes",
                                         "error", "error of d<v4>/dt", "mass defect", "energy defect"});
  for (const CollisionConfiguration& configuration : configurations) {
    const int nodes = affordable_nodes(queue, configuration, most, options.slowest);
    const CollisionTimings timings = measure_collision(queue, configuration, nodes, options.bench.each);
    print_line(configuration, nodes, timings);
    if (csv)
      csv->append(configuration.name, configuration.options.method, nodes, or_nothing(timings.each.milliseconds()),
                  or_nothing(timings.serial.milliseconds()), timings.serial_nodes, timings.error, timings.v4_error,
                  timings.mass, timings.energy);
  }
}

void write_plot(const std::filesystem::path& folder, const MomentCurves& curves) {
  io::Plot plot{
      "Normalized moments: " + curves.name, "time [collision times]", "m_p / m_2^(p/2); m2", {}, io::PlotScale::linear};
  for (const bool exact : {true, false})
    for (std::size_t i = 0; i < even_moment_count; ++i) {
      io::PlotSeries series{moment_names[i] + std::string(exact ? " exact" : ""), curves.time, {}};
      for (const EvenMoments& moments : exact ? curves.exact : curves.moments)
        series.y.push_back(i == 0 ? moments[0] : by_energy(moments, i));
      plot.series.push_back(std::move(series));
    }
  std::string name = "figure1_" + curves.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ' ' || c == '/'; }, '_');
  io::write_svg(folder / (name + ".svg"), plot);
}

/// Largest difference to an exact curve, m4 to m10, normalized by energy.
double largest_error(const MomentCurves& curves) {
  double most = 0;
  for (std::size_t k = 0; k < curves.time.size(); ++k)
    for (std::size_t i = 1; i < even_moment_count; ++i)
      most = std::max(most, std::abs(by_energy(curves.moments[k], i) - by_energy(curves.exact[k], i)));
  return most;
}

void measure_figure_1(const Queue& queue, const Options& options,
                      const std::vector<CollisionConfiguration>& configurations) {
  constexpr int evaluations = 100;  // approximate number of evaluations of a curve
  const int most = options.figure_nodes > 0 ? options.figure_nodes : static_cast<int>(options.bench.largest);
  std::cout << fmt::format(
      "\nFigure 1: 16 collision times from BKW at K = 0.6; m4 to m10, over powers of m2.\n"
      "{:<49}{:>6}{:>8}{:>13}{:>15}{:>15}\n",
      "", "nodes", "time", "evaluations", "largest error", "m2 at the end");
  std::optional<ResultCsv> csv;
  if (!options.bench.out.empty())
    csv.emplace(options.bench.out / "figure1.csv",
                std::vector<std::string>{"method", "nodes", "time [collision times]", "m2", "m4", "m6", "m8", "m10",
                                         "exact m4", "exact m6", "exact m8", "exact m10", "entropy", "evaluations"});
  for (const CollisionConfiguration& configuration : configurations) {
    const int nodes = configuration.is_the_papers()
                          ? most
                          : affordable_nodes(queue, configuration, most, options.slowest_curve / evaluations);
    const MomentCurves curves = measure_moments(queue, configuration, nodes, options.figure_evaluations);
    if (!curves.failure.empty()) {
      std::cout << fmt::format("{:<49}{:>6}  {}", curves.name, nodes, curves.failure) << std::endl;
      continue;
    }
    std::cout << fmt::format("{:<49}{:>6}{:>8.4g}{:>13}{:>15.2e}{:>15.6f}", curves.name, nodes, curves.time.back(),
                             curves.evaluations.back(), largest_error(curves), curves.moments.back()[0])
              << std::endl;
    if (!csv) continue;
    for (std::size_t k = 0; k < curves.time.size(); ++k) {
      const EvenMoments &m = curves.moments[k], &exact = curves.exact[k];
      csv->append(curves.name, nodes, curves.time[k], m[0], by_energy(m, 1), by_energy(m, 2), by_energy(m, 3),
                  by_energy(m, 4), exact[1], exact[2], exact[3], exact[4], or_nothing(curves.entropy[k]),
                  curves.evaluations[k]);
    }
    write_plot(options.bench.out, curves);
  }
}

void require_seconds(const char* option, double seconds) {
  require(seconds > 0, option, " = ", seconds, ", expected a time in s, more than 0.");
}

/// Configurations of the methods of the command line, or of all methods of the device.
std::vector<CollisionConfiguration> chosen_configurations(const Options& options, DeviceKind device) {
  std::vector<CollisionConfiguration> configurations = collision_configurations(device);
  if (options.methods.empty()) return configurations;
  for (const std::string& name : options.methods)
    require(std::any_of(configurations.begin(), configurations.end(),
                        [&](const CollisionConfiguration& c) { return c.options.method == name; }),
            "--methods: no method \"", name, "\" to measure on this device.");
  std::erase_if(configurations, [&](const CollisionConfiguration& c) {
    return std::find(options.methods.begin(), options.methods.end(), c.options.method) == options.methods.end();
  });
  return configurations;
}

void run_comparison(const Options& options) {
  constexpr std::int64_t least = 8, most = 128;
  std::vector<CollisionConfiguration> configurations;
  const Queue queue = prepared([&] {
    require_valid(options.bench, "collision", least, "nodes along an axis");
    require(options.bench.largest <= most, "--largest = ", options.bench.largest, ", expected ", least, " to ", most,
            " nodes along an axis.");
    require(options.figure_nodes == 0 || (options.figure_nodes >= least && options.figure_nodes <= most),
            "--figure-nodes = ", options.figure_nodes, ", expected ", least, " to ", most, ", or 0.");
    constexpr int stages = 3;  // evaluations of a step
    require(options.figure_evaluations == 0 || options.figure_evaluations >= stages,
            "--figure-evaluations = ", options.figure_evaluations, ", expected ", stages, " or more, or 0 for all.");
    require_seconds("--slowest", options.slowest);
    require_seconds("--slowest-curve", options.slowest_curve);
    Queue chosen = Queue::parse(options.bench.device);
    configurations = chosen_configurations(options, chosen.device().kind);
    make_folder(options.bench.out);
    return chosen;
  });
  std::cout << fmt::format(
      "Malkov and Ivanov: the collision integral on {0}^3 nodes, on {1}. Maxwell molecules, double, 16 directions.\n"
      "BKW at K = 0.66153; errors against its exact right-hand side. serial: one CPU thread on 8^3 nodes, times\n"
      "(nodes / 8)^6, of Fourier methods times (nodes / 8)^4. An evaluation of more than {2} s has fewer nodes.\n\n",
      options.bench.largest, queue.name(), options.slowest);
  measure_table(queue, options, configurations);
  measure_figure_1(queue, options, configurations);
  if (!options.bench.out.empty())
    std::cout << "\nevaluation.csv, figure1.csv and a figure1 for each method, .svg, are in "
              << options.bench.out.string() << '\n';
}

}  // namespace

void add_collision(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  options->bench.each = {10, 20};
  options->bench.largest = 64;
  CLI::App* command =
      app.add_subcommand("collision", "The collision integral of BKW and its relaxation: Malkov and Ivanov, figure 1");
  add_bench_options(*command, options->bench, "evaluations of each method", "nodes along an axis",
                    "folder for evaluation.csv, figure1.csv and a figure1 for each method, .svg");
  command->add_option("--methods", options->methods, "methods that `shoal methods` lists: spheres,lerp; default: all")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--figure-nodes", options->figure_nodes,
                      "nodes along an axis of figure 1, which takes about 100 evaluations; 0: as many as the table");
  command->add_option("--figure-evaluations", options->figure_evaluations,
                      "largest number of evaluations of a curve of figure 1, which then ends early; figure1.csv says "
                      "how many were done; 0: 16 collision times");
  command
      ->add_option(
          "--slowest", options->slowest,
          "largest time of an evaluation, in s; a slower method is measured on half as many nodes along an axis, or "
          "a quarter")
      ->capture_default_str();
  command
      ->add_option(
          "--slowest-curve", options->slowest_curve,
          "largest time of a curve of figure 1, in s, likewise; the paper's own method, texture with trilinear "
          "interpolation in the box, has all nodes however long it takes")
      ->capture_default_str();
  command->callback([&action, options] { action = [options] { run_comparison(*options); }; });
}

}  // namespace shoal::benchmarks
