// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>
#include <shoal/io/neighbor_file.hpp>
#include <shoal/io/points_file.hpp>
#include <shoal/io/stopwatch.hpp>
#include <shoal/io/text.hpp>
#include <shoal/neighbors.hpp>

#include <iostream>
#include <optional>

#include "commands.hpp"
#include "core/text.hpp"
#include "device_options.hpp"
#include "neighbors_report.hpp"
#include "points_options.hpp"

namespace shoal::cli {

namespace {

struct Options {
  std::filesystem::path points, sources, out;
  io::PointsFileOptions file;
  double radius = 0;
  std::vector<std::string> periodic;
  NeighborsOptions search;
  std::string precision = "file", reach = "symmetric";
  DeviceOptions device;
  bool inclusive = false, histogram = false, json = false;
};

/// What was read, and where to look for neighbors.
struct Task {
  const Options& options;
  Queue queue;
  io::PointsFile points;
  std::optional<io::PointsFile> sources;
  Box box;
};

/// The list in host memory.
template <class Real>
struct HostList {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> indices;
  std::vector<Real> distances, displacements;
};

/// "x=0:1" makes x periodic from 0 to 1 m.
void add_period(Box& box, const std::string& period) {
  const std::size_t equals = period.find('='), colon = period.find(':');
  const std::size_t axis = std::string_view("xyz").find(period.substr(0, equals));
  const bool is_whole = equals == 1 && axis < 3 && colon != std::string::npos && colon > equals;
  require(is_whole && io::read_number(period.substr(equals + 1, colon - equals - 1), box.lower[axis]) &&
              io::read_number(period.substr(colon + 1), box.upper[axis]),
          "--periodic ", period, ": expected an axis and its bounds in m, such as x=0:1.");
  require(axis < static_cast<std::size_t>(box.dimensions), "--periodic ", period, ": the points have ", box.dimensions,
          box.dimensions == 1 ? " coordinate." : " coordinates.");
  require(!box.periodic[axis], "--periodic ", period, ": this axis has bounds already.");
  box.periodic[axis] = true;
}

/// Reads the files and checks what can be checked before the search.
Task read_task(const Options& options, double& reading) {
  const bool lengths = options.search.distances || options.search.displacements;
  require(!lengths || !options.out.empty(), "--distances and --displacements go into a file; add --out FILE.h5.");
  require(!options.search.half || options.sources.empty(),
          "--half is for pairs within one set; leave it or --sources out.");
  if (!options.out.empty()) io::require_neighbor_file(options.out);
  Task task{options, open_queue(options.device), {}, {}, {}};
  io::timed(reading, [&] {
    task.points = io::read_points(options.points, options.file);
    if (!options.sources.empty()) task.sources = io::read_points(options.sources, options.file);
  });
  task.box.dimensions = task.points.dimensions;
  require(!task.sources || task.sources->dimensions == task.box.dimensions, task.points.name, ": its points have ",
          task.box.dimensions, " coordinates, and those of ", options.sources.string(), " ",
          task.sources ? task.sources->dimensions : 0, ". Expected the same.");
  for (const std::string& period : options.periodic) add_period(task.box, period);
  return task;
}

bool all_in_float(const Task& task) {
  const std::string& precision = task.options.precision;
  return computes_in_float(precision, task.points) && (!task.sources || computes_in_float(precision, *task.sources));
}

/// The coordinates on the device.
template <class Real>
struct DevicePoints {
  Array<Real> x, y, z, radius;

  DevicePoints(const Queue& queue, const io::PointsFile& file)
      : x(upload<Real>(queue, file.x)), y(upload<Real>(queue, file.y)), z(upload<Real>(queue, file.z)) {
    for (const auto& [name, radii] : file.values) radius = upload<Real>(queue, radii);
  }
  Points<Real> points() const { return {x, y, z, radius}; }
};

/// The columns side by side: x, y, z of one entry after the other.
template <class Real>
std::vector<Real> interleaved(const Queue& queue, const std::array<View<const Real>, 3>& columns, int count) {
  const auto width = static_cast<std::size_t>(count);
  std::vector<Real> rows(static_cast<std::size_t>(columns[0].count) * width);
  for (std::size_t axis = 0; axis < width; ++axis) {
    const std::vector<Real> column = to_host(queue, columns[axis]);
    for (std::size_t i = 0; i < column.size(); ++i) rows[i * width + axis] = column[i];
  }
  return rows;
}

template <class Real>
HostList<Real> search(const Task& task, NeighborsReport& report) {
  const Options& options = task.options;
  Neighbors<Real> plan =
      preparing([&] { return Neighbors<Real>(task.queue, options.radius, task.box, options.search); });
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
    if (options.out.empty()) return;
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
  io::timed(report.writing, [&] { io::write_neighbors(task.options.out, file); });
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
  report.out = task.options.out.string();
  const HostList<Real> list = search<Real>(task, report);
  report.counts = count_neighbors(list.offsets);
  if (!report.out.empty()) write_list(task, list, report);
  return report;
}

int neighbors(Options options) {
  options.search.predicate = options.inclusive ? Predicate::inclusive : Predicate::strict;
  if (!options.file.values.empty()) options.search.radius = from_name<Radius>(options.reach);
  double reading = 0;
  const Task task = preparing([&] { return read_task(options, reading); });
  const NeighborsReport report =
      all_in_float(task) ? find_and_write<float>(task, reading) : find_and_write<double>(task, reading);
  std::cout << (options.json ? report_json(report).line() + "\n" : report_text(report));
  if (options.histogram && !options.json)
    std::cout << '\n' << histogram_text(report.counts, terminal_of(STDOUT_FILENO));
  std::cout << std::flush;
  return exit_done;
}

void add_file_options(CLI::App& command, Options& options) {
  command.add_option("POINTS", options.points, "points: .csv, .npy, .vtp, .vtu, .vtkhdf or .hdf")->required();
  command.add_option("--sources", options.sources, "look for neighbors among the points of this file instead");
  add_points_options(command, options.file);
  command.add_option("--out", options.out, "write the list to this file: .h5, .hdf5 or .npz");
}

void add_search_options(CLI::App& command, Options& options) {
  command.add_option("--radius", options.radius, "m; with --radii the factor that each of these is multiplied by")
      ->required();
  CLI::Option* radii =
      command.add_option("--radii", options.file.values, "column or array with a radius of each point");
  radii->expected(1);
  command
      .add_option("--reach", options.reach,
                  "whose radius counts: gather (the point's own), scatter (the neighbor's)"
                  " or symmetric (the larger)")
      ->check(CLI::IsMember({"gather", "scatter", "symmetric"}))
      ->needs(radii)
      ->capture_default_str();
  command.add_flag("--inclusive", options.inclusive, "points at the radius are neighbors, too");
  command.add_flag("--include-self", options.search.include_self, "each point is its own neighbor");
  command.add_flag("--half", options.search.half, "each pair once");
  command.add_option("--periodic", options.periodic, "axes that repeat, with their bounds in m: x=0:1,y=-2:2")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_flag("--distances", options.search.distances, "also write the distances");
  command.add_flag("--displacements", options.search.displacements, "also write destination - source");
  command.add_option("--method", options.search.method, "a method that `shoal methods` lists")->capture_default_str();
  add_precision_option(command, options.precision);
}

}  // namespace

void add_neighbors(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("neighbors", "Every point within a radius of every point of a file");
  add_file_options(*command, *options);
  add_search_options(*command, *options);
  add_device_options(*command, options->device);
  command->add_flag("--histogram", options->histogram, "show how many points have how many neighbors");
  command->add_flag("--json", options->json, "print everything as one JSON object");
  command->callback([&chosen, options] { chosen = [options] { return neighbors(*options); }; });
}

}  // namespace shoal::cli
