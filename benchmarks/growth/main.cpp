// SPDX-License-Identifier: Apache-2.0
// Time and memory of each operation against the size of the problem, until it fits no longer or takes too long. The
// exponent is that between a size and the one before: a jump of it is a size at which an operation changes its way.
#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <optional>

#include "core/memory/memory.hpp"
#include "growth/growth.hpp"
#include "io/validation/svg_plot.hpp"
#include "papers/result_csv.hpp"
#include "papers/tables.hpp"
#include "support/harness.hpp"
#include "support/program.hpp"

namespace shoal::benchmarks {

namespace {

struct Options {
  std::string device = "best";
  std::vector<std::string> operations;  ///< Operations in the order of their measurement
  std::int64_t largest = std::int64_t{1} << 40U;
  double most_seconds = 10;             ///< s, for one size with its input
  std::filesystem::path output, plots;  ///< result file and folder; empty: none
  bool allow_dirty = false;
};

/// Memory in use: on CUDA that of the device, on the CPU that of this process.
double used_bytes(const Queue& queue) {
  if (!queue.on_cpu()) {
    const MemoryInfo info = memory_info(queue);
    return static_cast<double>(info.total - info.free);
  }
#ifdef __GLIBC__
  malloc_trim(0);  // gives back what earlier problems left
#endif
  std::ifstream pages("/proc/self/statm");
  double size = 0, resident = 0;
  constexpr double bytes_of_page = 4096;
  return pages >> size >> resident ? resident * bytes_of_page : std::nan("");
}

/// Measurement at a size.
struct Point {
  std::int64_t size = 0;
  double seconds = 0;  ///< s, of the work
  double bytes = 0;    ///< B, memory of plan and arrays

  double nanoseconds_each() const { return 1e9 * seconds / static_cast<double>(size); }
  double bytes_each() const { return bytes / static_cast<double>(size); }
  double exponent_after(const Point& before) const {
    return std::log(seconds / before.seconds) / std::log(static_cast<double>(size) / static_cast<double>(before.size));
  }
};

/// The measurements of a kind of problem, in ascending sizes, and why there is no larger one.
struct Curve {
  std::vector<Point> points;
  std::string end;

  /// First of the larger half of the sizes.
  std::size_t middle() const { return points.size() / 2; }
  /// Exponent over the larger half of the sizes; NaN for a single size.
  double exponent() const {
    return points.size() < 2 ? std::nan("")
                             : points.back().exponent_after(points[std::min(middle(), points.size() - 2)]);
  }
  /// Largest exponent between two sizes of the larger half; NaN for a single size.
  double steepest() const {
    double most = std::nan("");
    for (std::size_t k = std::max<std::size_t>(1, middle()); k < points.size(); ++k)
      most = std::fmax(most, points[k].exponent_after(points[k - 1]));
    return most;
  }
};

Point measure_size(const Queue& queue, const Growth& growth, std::int64_t size) {
  const double before = used_bytes(queue);
  const Work work = growth.make(queue, size);
  const Timing timing = measure(work, {.iterations = 20, .most_seconds = 0.3});
  return {size, timing.milliseconds() / 1000, used_bytes(queue) - before};
}

Curve measure_growth(const Queue& queue, const Growth& growth, const Options& options) {
  Curve curve;
  for (std::int64_t size = growth.least;; size = growth.next(size)) {
    const auto begin = std::chrono::steady_clock::now();
    try {
      curve.points.push_back(measure_size(queue, growth, size));
    } catch (const Error& error) {
      curve.end = error.what();
      return curve;
    }
    const Point& point = curve.points.back();
    std::cout << fmt::format(
                     "{:<15}{:<24}{:>13} {:<20}{:>12}{:>10}{:>10}{:>8}", growth.operation, growth.work, size,
                     growth.unit, or_dash(1e3 * point.seconds), or_dash(point.nanoseconds_each()),
                     or_dash(point.bytes_each()),
                     or_dash(curve.points.size() < 2 ? std::nan("") : point.exponent_after(curve.points.rbegin()[1])))
              << std::endl;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    if (growth.next(size) > options.largest) curve.end = "largest size that was asked for";
    if (passed.count() > options.most_seconds) curve.end = fmt::format("{:.0f} s with the input", passed.count());
    if (!curve.end.empty()) return curve;
  }
}

/// Writes a row for each size. The last one has what follows from all sizes.
void append(const Growth& growth, const Curve& curve, ResultCsv& csv) {
  std::string end = curve.end;
  std::replace(end.begin(), end.end(), ',', ';');  // commas separate columns
  for (std::size_t k = 0; k < curve.points.size(); ++k) {
    const Point& point = curve.points[k];
    const bool is_last = k + 1 == curve.points.size();
    csv.append(growth.operation, growth.work, growth.unit, point.size, is_last ? "last" : "before", 1e3 * point.seconds,
               point.nanoseconds_each(), point.bytes, point.bytes_each(),
               k == 0 ? "" : or_nothing(point.exponent_after(curve.points[k - 1])),
               is_last ? or_nothing(curve.exponent()) : "", is_last ? or_nothing(curve.steepest()) : "",
               is_last ? end : "");
  }
}

/// Adds a curve to the plot of time and to that of memory.
void plot(const Growth& growth, const Curve& curve, io::Plot& time, io::Plot& memory) {
  io::PlotSeries seconds{growth.work, {}, {}}, bytes{growth.work, {}, {}};
  for (const Point& point : curve.points) {
    seconds.x.push_back(static_cast<double>(point.size));
    seconds.y.push_back(point.nanoseconds_each());
    if (point.bytes <= 0) continue;  // less than the process had left of an earlier problem
    bytes.x.push_back(static_cast<double>(point.size));
    bytes.y.push_back(point.bytes_each());
  }
  time.series.push_back(std::move(seconds));
  memory.series.push_back(std::move(bytes));
}

/// The kinds of problem of one operation.
void measure_operation(const Queue& queue, const std::string& operation, const std::vector<Growth>& growths,
                       const Options& options, ResultCsv* csv) {
  io::Plot time{operation, "size", "time each [ns]", {}}, memory{operation, "size", "memory each [B]", {}};
  for (const Growth& growth : growths) {
    if (growth.operation != operation) continue;
    const Curve curve = measure_growth(queue, growth, options);
    std::cout << "  " << curve.end << std::endl;
    plot(growth, curve, time, memory);
    if (csv) append(growth, curve, *csv);
  }
  if (options.plots.empty()) return;
  io::write_svg(options.plots / (operation + "_time.svg"), time);
  io::write_svg(options.plots / (operation + "_memory.svg"), memory);
}

const std::vector<std::string> operations = {"cells", "neighbors", "deposit", "wall_distance", "collision", "sph"};

void measure_growths(const Options& options) {
  const Queue queue = Queue::parse(options.device);
  std::optional<ResultCsv> csv =
      open_result(options.output,
                  {"operation", "work", "unit", "size", "place", "time [ms]", "time each [ns]", "memory [B]",
                   "memory each [B]", "exponent", "exponent of the larger half", "steepest of the larger half", "end"},
                  options.allow_dirty);
  std::vector<Growth> growths = particle_growths();
  for (Growth& growth : grid_growths()) growths.push_back(std::move(growth));
  std::cout << fmt::format("{:<15}{:<24}{:>13} {:<20}{:>12}{:>10}{:>10}{:>8}\n", "operation", "work", "size", "", "ms",
                           "ns each", "B each", "expon.");
  for (const std::string& operation : options.operations)
    measure_operation(queue, operation, growths, options, csv ? &*csv : nullptr);
}

int run(int argc, char** argv) {
  Options options;
  options.operations = operations;
  CLI::App app("Measures time and memory of each operation against the size of the problem", "shoal_growth");
  app.add_option("--device", options.device, "cpu, cuda or best");
  app.add_option("--operations", options.operations, "operations; default: all")->check(CLI::IsMember(operations));
  app.add_option("--largest", options.largest, "largest size");
  app.add_option("--most-seconds", options.most_seconds,
                 "time of a size with its input after which no larger one follows");
  app.add_option("--output", options.output, "result file; empty: none");
  app.add_option("--plots", options.plots, "folder for OPERATION_time.svg and OPERATION_memory.svg; empty: none");
  app.add_flag("--allow-dirty", options.allow_dirty, "write a result file of changed sources, which says so");
  CLI11_PARSE(app, argc, argv);
  measure_growths(options);
  return 0;
}

}  // namespace

}  // namespace shoal::benchmarks

int main(int argc, char** argv) {
  return shoal::benchmarks::run_program("shoal_growth", argc, argv, shoal::benchmarks::run);
}
