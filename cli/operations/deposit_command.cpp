// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <shoal/io/image_file.hpp>
#include <shoal/io/points_file.hpp>
#include <shoal/io/stopwatch.hpp>
#include <shoal/io/text.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "commands.hpp"
#include "reports/deposit_report.hpp"
#include "support/arguments/options.hpp"
#include "support/message.hpp"
#include "support/points/deposit_grid.hpp"

namespace shoal::cli {

namespace {

struct Options {
  std::filesystem::path points;
  OutputOptions out;
  io::PointsFileOptions file;
  GridOptions grid;
  DepositOptions deposit;
  std::string shape = "cic", outside = "error", precision = "file";
  DeviceOptions device;
  bool json = false;
};

/// Input of the command.
struct Task {
  const Options& options;
  Queue queue;
  io::PointsFile points;
  Grid grid;
};

void require_names(const std::vector<std::string>& names) {
  constexpr auto most = static_cast<std::size_t>(Deposit<double>::most_values);
  require(names.size() <= most, "--values has {} names, expected at most {}. Deposit them in several calls.",
          names.size(), most);
  for (auto name = names.begin(); name != names.end(); ++name)
    require(std::find(names.begin(), name, *name) == name, "--values: {} is there twice.", *name);
}

/// Reads the file and checks the options before the particles are binned.
Task read_task(const Options& options, double& reading) {
  require_names(options.file.values);
  require_output(options.out, {options.points});
  Task task{options, open_queue(options.device), {}, {}};
  io::timed(reading, [&] { task.points = io::read_points(options.points, options.file); });
  task.grid = make_grid(options.grid, task.points);
  if (!options.out.file.empty()) io::require_image_file(options.out.file, task.grid, options.file.values);
  return task;
}

/// Values of the particles on the device.
template <class Real>
std::vector<Array<Real>> upload_values(const Task& task) {
  std::vector<Array<Real>> values;
  for (const std::string& name : task.options.file.values) {
    const std::vector<double>& host = task.points.values.at(name);
    for (std::size_t i = 0; i < host.size(); ++i)
      require(std::isfinite(static_cast<Real>(host[i])),
              "{}: {} of particle {} is {}, expected a finite number{}. Repair or remove it.", task.points.name, name,
              i, host[i], std::isfinite(host[i]) ? " that float can hold" : "");
    values.push_back(upload<Real>(task.queue, host));
  }
  return values;
}

template <class Real>
std::vector<View<const Real>> views_of(const std::vector<Array<Real>>& arrays) {
  return {arrays.begin(), arrays.end()};
}

/// Arrays for the results, one for each value.
template <class Real>
struct Outputs {
  std::vector<Array<Real>> arrays;
  std::vector<View<Real>> views;
  std::vector<std::vector<Real>> host;

  Outputs(const Queue& queue, std::size_t values, std::int64_t count) {
    for (std::size_t k = 0; k < values; ++k) arrays.emplace_back(queue, count);
    views.assign(arrays.begin(), arrays.end());
  }
  void download(const Queue& queue) {
    for (const Array<Real>& array : arrays) host.push_back(to_host(queue, array));
  }
};

template <class Real>
ValueTotals totals_of(const Task& task, const std::string& name, const std::vector<Real>& nodes) {
  long double particles = 0, magnitudes = 0, on_nodes = 0;
  for (const double value : task.points.values.at(name)) {
    particles += static_cast<Real>(value);
    magnitudes += std::abs(static_cast<Real>(value));
  }
  for (const Real value : nodes) on_nodes += value;
  return {name, static_cast<double>(particles), static_cast<double>(magnitudes), 0, static_cast<double>(on_nodes)};
}

template <class Real>
void bin(const Task& task, Deposit<Real>& plan, DepositReport& report) {
  Array<Real> x, y, z;
  io::timed(report.copying, [&] {
    x = upload<Real>(task.queue, task.points.x);
    y = upload<Real>(task.queue, task.points.y);
    if (task.grid.dimensions == 3) z = upload<Real>(task.queue, task.points.z);
    task.queue.wait();
  });
  io::timed(report.binning, [&] {
    if (task.grid.dimensions == 3)
      plan.bin(x, y, z);
    else
      plan.bin(x, y);
    task.queue.wait();
  });
}

template <class Real>
void write(const Task& task, const Outputs<Real>& nodes, const Outputs<Real>& cells, DepositReport& report) {
  io::ImageFile image{task.grid};
  for (std::size_t k = 0; k < nodes.host.size(); ++k)
    image.nodes.push_back({report.values[k].name, View<const Real>(nodes.host[k])});
  for (std::size_t k = 0; k < cells.host.size(); ++k)
    image.cells.push_back({report.values[k].name, View<const Real>(cells.host[k])});
  io::timed(report.writing, [&] { io::write_image(task.options.out.file, image); });
}

template <class Real>
void deposit_and_write(const Task& task, DepositReport& report) {
  const Queue& queue = task.queue;
  const std::vector<std::string>& names = task.options.file.values;
  Deposit<Real> plan = prepared([&] { return Deposit<Real>(queue, task.grid, task.options.deposit); });
  report.method = plan.method().name;
  std::vector<Array<Real>> arrays;
  io::timed(report.copying, [&] { arrays = prepared([&] { return upload_values<Real>(task); }); });
  bin(task, plan, report);
  const std::vector<View<const Real>> values = views_of(arrays);
  Outputs<Real> nodes(queue, names.size(), task.grid.node_count());
  const bool has_cells = !report.out.empty() && report.shape == DepositShape::cic;
  Outputs<Real> cells(queue, has_cells ? names.size() : 0, task.grid.cell_count());
  io::timed(report.depositing, [&] {
    plan.to_nodes(values, nodes.views);
    if (has_cells) plan.to_cells(values, cells.views);
    queue.wait();
  });
  io::timed(report.copying, [&] {
    nodes.download(queue);
    cells.download(queue);
    report.cells = io::count_particles(to_host(queue, plan.cell_start()));
    report.skipped = plan.skipped();
  });
  for (std::size_t k = 0; k < names.size(); ++k) {
    report.values.push_back(totals_of(task, names[k], nodes.host[k]));
    if (report.skipped > 0) report.values.back().lost = plan.lost(values[k]);
  }
  if (!report.out.empty()) write(task, nodes, cells, report);
}

int deposit(Options options) {
  options.deposit.shape = from_name<DepositShape>(options.shape);
  options.deposit.outside = from_name<DepositOutside>(options.outside);
  DepositReport report;
  const Task task = prepared([&] { return read_task(options, report.reading); });
  const bool in_float = computes_in_float(options.precision, task.points);
  report.points = task.points.name;
  report.axes = task.points.coordinates;
  report.particles = task.points.count();
  report.grid = task.grid;
  report.shape = options.deposit.shape;
  report.outside = options.deposit.outside;
  report.device = task.queue.name();
  report.precision = in_float ? "float" : "double";
  report.out = options.out.file.string();
  (in_float ? deposit_and_write<float> : deposit_and_write<double>)(task, report);
  std::cout << (options.json ? report_json(report).line() + "\n" : io::printable(report_text(report))) << std::flush;
  return exit_done;
}

}  // namespace

void add_deposit(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("deposit", "Deposit values of the particles of a file on the nodes of a grid");
  command->add_option("PARTICLES", options->points, "particles: .csv, .npy, .vtp, .vtu, .vtkhdf or .hdf")->required();
  add_points_options(*command, options->file);
  add_list_option(*command, "--values", options->file.values, "columns or arrays to deposit: mass,volume")->required();
  add_grid_options(*command, options->grid);
  add_choice(*command, "--shape", options->shape, {"cic", "tsc", "pcs"},
             "shape of the particles: cic (linear), tsc (quadratic) or pcs (cubic)");
  add_choice(*command, "--outside", options->outside, {"error", "clamp", "skip"},
             "treatment of particles outside the grid: error, clamp or skip");
  add_method_option(*command, options->deposit.method, "deposit");
  add_precision_option(*command, options->precision);
  add_output_options(*command, options->out,
                     "write the values of nodes, and of cells for shape cic, to this file: .vtkhdf");
  add_device_options(*command, options->device);
  command->add_flag("--json", options->json, "print everything as one JSON object");
  command->callback([&action, options] { action = [options] { return deposit(*options); }; });
}

}  // namespace shoal::cli
