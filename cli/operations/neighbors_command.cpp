// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <shoal/io/neighbor_file.hpp>
#include <shoal/io/points_file.hpp>
#include <shoal/io/stopwatch.hpp>
#include <shoal/io/text.hpp>
#include <shoal/neighbors.hpp>

#include <iostream>
#include <optional>

#include "commands.hpp"
#include "reports/neighbors_report.hpp"
#include "support/arguments/options.hpp"
#include "support/message.hpp"

namespace shoal::cli {

namespace {

struct Options {
  std::filesystem::path points, sources;
  OutputOptions out;
  io::PointsFileOptions file;
  double radius = 0;
  std::vector<std::string> periodic;
  NeighborsOptions search;
  std::string precision = "file", reach = "symmetric", order = "ascending";
  DeviceOptions device;
  bool inclusive = false, histogram = false, json = false;
};

/// Input of the command.
struct Task {
  const Options& options;
  Queue queue;
  io::PointsFile points;
  std::optional<io::PointsFile> sources;
  Box box;
};

/// Neighbor list in host memory.
template <class Real>
struct HostList {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> indices;
  std::vector<Real> distances, displacements;
};

/// Makes an axis of the box periodic: x from 0 to 1 m by "x=0:1".
void add_period(Box& box, const std::string& period) {
  const std::size_t equals = period.find('='), colon = period.find(':');
  const std::size_t axis = std::string_view("xyz").find(period.substr(0, equals));
  const bool is_whole = equals == 1 && axis < 3 && colon != std::string::npos && colon > equals;
  require(is_whole && io::read_number(period.substr(equals + 1, colon - equals - 1), box.lower[axis]) &&
              io::read_number(period.substr(colon + 1), box.upper[axis]),
          "--periodic {}: expected an axis and its bounds in m, such as x=0:1.", period);
  require(axis < static_cast<std::size_t>(box.dimensions), "--periodic {}: the points have {} coordinate{}.", period,
          box.dimensions, box.dimensions == 1 ? "" : "s");
  require(!box.periodic[axis], "--periodic {}: this axis has bounds already.", period);
  box.periodic[axis] = true;
}

/// Reads the files and checks the options before the search.
Task read_task(const Options& options, double& reading) {
  const bool lengths = options.search.distances || options.search.displacements;
  require(!lengths || !options.out.file.empty(), "--distances and --displacements go into a file; add --out FILE.h5.");
  require(!options.search.half || options.sources.empty(),
          "--half is for pairs within one set; leave it or --sources out.");
  if (!options.out.file.empty()) io::require_neighbor_file(options.out.file);
  require_output(options.out, {options.points, options.sources});
  Task task{options, open_queue(options.device), {}, {}, {}};
  io::timed(reading, [&] {
    task.points = io::read_points(options.points, options.file);
    if (!options.sources.empty()) task.sources = io::read_points(options.sources, options.file);
  });
  task.box.dimensions = task.points.dimensions;
  require(!task.sources || task.sources->dimensions == task.box.dimensions,
          "{}: its points have {} coordinates, and those of {} {}. Expected the same number.", task.points.name,
          task.box.dimensions, options.sources.string(), task.sources ? task.sources->dimensions : 0);
  for (const std::string& period : options.periodic) add_period(task.box, period);
  return task;
}

bool is_in_float(const Task& task) {
  const std::string& precision = task.options.precision;
  return computes_in_float(precision, task.points) && (!task.sources || computes_in_float(precision, *task.sources));
}

/// Coordinates and radii on the device.
template <class Real>
struct DevicePoints {
  Array<Real> x, y, z, radius;

  DevicePoints(const Queue& queue, const io::PointsFile& file)
      : x(upload<Real>(queue, file.x)), y(upload<Real>(queue, file.y)), z(upload<Real>(queue, file.z)) {
    for (const auto& [name, radii] : file.values) radius = upload<Real>(queue, radii);
  }
  Points<Real> points() const { return {x, y, z, radius}; }
};

/// Columns x, y, z as one array with the coordinates of an entry next to each other.
template <class Real>
std::vector<Real> interleaved(const Queue& queue, const std::array<View<const Real>, 3>& columns, int count) {
  const auto width = static_cast<std::size_t>(count);
  std::vector<Real> entries(static_cast<std::size_t>(columns[0].count) * width);
  for (std::size_t axis = 0; axis < width; ++axis) {
    const std::vector<Real> column = to_host(queue, columns[axis]);
    for (std::size_t i = 0; i < column.size(); ++i) entries[i * width + axis] = column[i];
  }
  return entries;
}

template <class Real>
HostList<Real> search(const Task& task, NeighborsReport& report) {
  const Options& options = task.options;
  Neighbors<Real> plan =
      prepared([&] { return Neighbors<Real>(task.queue, options.radius, task.box, options.search); });
  report.method = plan.method().name;
  std::optional<DevicePoints<Real>> points, sources;
  io::timed(report.copying, [&] {
    points.emplace(task.queue, task.points);
    if (task.sources) sources.emplace(task.queue, *task.sources);
    task.queue.wait();
  });
  io::timed(report.searching, [&] {
    if (sources)
      plan.find(points->points(), sources->points());
    else
      plan.find(points->points());
  });
  HostList<Real> list;
  io::timed(report.copying, [&] {
    list.offsets = to_host(task.queue, plan.offsets());
    if (options.out.file.empty()) return;
    list.indices = to_host(task.queue, plan.indices());
    if (options.search.distances) list.distances = to_host(task.queue, plan.distances());
    if (options.search.displacements)
      list.displacements = interleaved(task.queue, plan.displacements(), task.box.dimensions);
  });
  return list;
}

template <class Real>
void write_list(const Task& task, const HostList<Real>& list, NeighborsReport& report) {
  io::NeighborFile file;
  file.offsets = list.offsets;
  file.indices = View<const std::int32_t>(list.indices);
  if (task.options.search.distances) file.distances = View<const Real>(list.distances);
  if (task.options.search.displacements) file.displacements = View<const Real>(list.displacements);
  file.radius = report.radius;
  file.box = report.box;
  file.options = report.options;
  file.method = report.method;
  file.device = report.device;
  io::timed(report.writing, [&] { io::write_neighbors(task.options.out.file, file); });
}

template <class Real>
NeighborsReport find_and_write(const Task& task, double reading) {
  NeighborsReport report;
  report.points = task.points.name;
  report.axes = task.points.coordinates;
  if (task.sources) report.sources = task.sources->name, report.source_count = task.sources->count();
  report.box = task.box;
  report.radius = task.options.radius;
  report.options = task.options.search;
  report.device = task.queue.name();
  report.precision = sizeof(Real) == sizeof(float) ? "float" : "double";
  report.reading = reading;
  report.out = task.options.out.file.string();
  const HostList<Real> list = search<Real>(task, report);
  report.counts = io::count_neighbors(list.offsets);
  if (!report.out.empty()) write_list(task, list, report);
  return report;
}

int neighbors(Options options) {
  options.search.predicate = options.inclusive ? Predicate::inclusive : Predicate::strict;
  if (!options.file.values.empty()) options.search.radius = from_name<Radius>(options.reach);
  options.search.order = from_name<RowOrder>(options.order);
  double reading = 0;
  const Task task = prepared([&] { return read_task(options, reading); });
  const NeighborsReport report =
      is_in_float(task) ? find_and_write<float>(task, reading) : find_and_write<double>(task, reading);
  std::cout << (options.json ? report_json(report).line() + "\n" : io::printable(report_text(report)));
  if (options.histogram && !options.json) std::cout << '\n' << histogram_text(report.counts, terminal(STDOUT_FILENO));
  std::cout << std::flush;
  return exit_done;
}

void add_file_options(CLI::App& command, Options& options) {
  command.add_option("POINTS", options.points, "points: .csv, .npy, .vtp, .vtu, .vtkhdf or .hdf")->required();
  command.add_option("--sources", options.sources, "search for neighbors among the points of this file instead");
  add_points_options(command, options.file);
  add_output_options(command, options.out, "write the list to this file: .h5, .hdf5 or .npz");
}

void add_search_options(CLI::App& command, Options& options) {
  command.add_option("--radius", options.radius, "search radius in m; with --radii the factor of each radius")
      ->required();
  CLI::Option* radii =
      command.add_option("--radii", options.file.values, "column or array with the radius of each point");
  radii->expected(1);
  add_choice(command, "--reach", options.reach, {"gather", "scatter", "symmetric"},
             "radius of a pair: gather (of the point), scatter (of the neighbor) or symmetric (the larger one)")
      ->needs(radii);
  command.add_flag("--inclusive", options.inclusive, "also neighbors at exactly the radius");
  command.add_flag("--include-self", options.search.include_self, "each point is its own neighbor");
  command.add_flag("--half", options.search.half, "each pair once");
  add_choice(command, "--order", options.order, {"ascending", "visit"},
             "entries of each row: ascending by number, or as the search visits them, which is faster on GPUs");
  add_list_option(command, "--periodic", options.periodic, "periodic axes with their bounds in m: x=0:1,y=-2:2");
  command.add_flag("--distances", options.search.distances, "also write the distances");
  command.add_flag("--displacements", options.search.displacements, "also write destination - source");
  add_method_option(command, options.search.method, "neighbors");
  add_precision_option(command, options.precision);
}

}  // namespace

void add_neighbors(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("neighbors", "Find all points of a file within a radius of each of its points");
  add_file_options(*command, *options);
  add_search_options(*command, *options);
  add_device_options(*command, options->device);
  command->add_flag("--histogram", options->histogram, "also print a histogram of the number of neighbors");
  command->add_flag("--json", options->json, "print everything as one JSON object");
  command->callback([&action, options] { action = [options] { return neighbors(*options); }; });
}

}  // namespace shoal::cli
