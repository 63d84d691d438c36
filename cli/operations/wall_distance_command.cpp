// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <shoal/io/mesh_file.hpp>
#include <shoal/io/mesh_values.hpp>
#include <shoal/io/openfoam_field.hpp>
#include <shoal/io/output_file.hpp>
#include <shoal/io/solver_fields.hpp>
#include <shoal/io/stopwatch.hpp>
#include <shoal/io/text.hpp>
#include <shoal/wall_distance.hpp>

#include <iostream>

#include "commands.hpp"
#include "reports/wall_distance_report.hpp"
#include "support/arguments/options.hpp"
#include "support/message.hpp"
#include "support/points/points_for_mesh.hpp"

namespace shoal::cli {

namespace {

struct Options {
  std::filesystem::path mesh, points_file;  ///< points_file: that of --at; empty: points of the mesh
  io::PointsFileOptions points_columns;
  OutputOptions out;
  std::vector<std::string> walls, index_walls;
  std::string marker_array, points = "cells", center = "mean", target = "face", inside = "closed";
  std::string field, field_format = "mesh";      ///< field: TIME/NAME of a field of OpenFOAM; empty: none
  std::filesystem::path cgns, su2_restart, su2;  ///< files of --cgns, --su2-restart and --su2; empty: none
  WallDistanceOptions search;
  DeviceOptions device;
  bool decomposed = false, gradient = false, json = false;
};

/// Input of the command.
struct Task {
  const Options& options;
  Queue queue;
  io::MeshFile mesh;
  WallMesh walls;
  io::MeshPart part;
  io::MeshPoints points;
};

/// Names of the arrays in the output file.
constexpr const char* distance_name = "wall_distance";
constexpr const char* face_name = "nearest_face";
constexpr const char* wall_name = "wall";
constexpr const char* point_name = "nearest_point";
constexpr const char* lower_name = "lower";  ///< only with a far field
constexpr const char* gradient_name = "gradient";

/// Points of the mesh, or of the file that --at names.
io::MeshPoints read_points(const Options& options, const io::MeshFile& mesh) {
  if (!options.points_file.empty()) return read_points_for(mesh, options.points_file, options.points_columns);
  if (from_name<io::MeshPart>(options.points) == io::MeshPart::nodes) return mesh.nodes;
  require(mesh.cell_count() > 0,
          "{}: this is a surface without cells. Name a file of points with --at, give a mesh with cells, or --points "
          "nodes.",
          mesh.name);
  return mesh.cell_centers(from_name<io::CellCenter>(options.center));
}

/// Field of OpenFOAM that --field names, on the walls of the command.
io::OpenFoamField field_of(const Options& options) {
  const std::size_t slash = options.field.find_last_of('/');
  require(slash != std::string::npos, "--field {}: expected TIME/NAME, such as 0/wallDistance.", options.field);
  return {.time = options.field.substr(0, slash),
          .name = options.field.substr(slash + 1),
          .format = from_name<io::OpenFoamFormat>(options.field_format)};
}

/// Checks a field before the search: its values are those at the centroids of cells.
void require_field(const Options& options) {
  require(options.points == "cells", "--field {}: a field of OpenFOAM has values of cells. Leave --points away.",
          options.field);
  require(options.center == "centroid", "--field {}: a field of OpenFOAM has values at centroids. Leave --center away.",
          options.field);
  for (const auto& file : io::openfoam_field_files(options.mesh, field_of(options), options.decomposed))
    io::require_output_file(file, {}, options.out.force);
}

/// Checks files of solvers before the search.
void require_solver_files(const Options& options) {
  for (const auto& file : {options.cgns, options.su2})
    if (!file.empty()) io::require_output_file(file, {options.mesh, options.su2_restart}, options.out.force);
  require(options.su2.empty() || options.points == "nodes",
          "--su2 {}: a restart file of SU2 has values of nodes. Add --points nodes.", options.su2.string());
}

/// Reads the mesh and checks the options before the search.
Task read_task(const Options& options, double& reading) {
  require_output(options.out, {options.mesh, options.points_file});
  if (!options.out.file.empty())
    io::require_mesh_values_file(options.out.file,
                                 {distance_name, face_name, wall_name, point_name, lower_name, gradient_name});
  if (!options.field.empty()) require_field(options);
  require_solver_files(options);
  Task task{options, open_queue(options.device), {}, {}, from_name<io::MeshPart>(options.points), {}};
  io::MeshFileOptions file{.marker_array = options.marker_array, .decomposed = options.decomposed};
  for (const std::string& wall : options.index_walls) file.index_walls.push_back(io::index_wall(wall));
  io::timed(reading, [&] {
    task.mesh = io::read_mesh(options.mesh, file);
    task.walls = task.mesh.walls(options.walls);
    if (!options.out.file.empty() && options.points_file.empty()) io::require_cells_fit(options.out.file, task.mesh);
    task.points = read_points(options, task.mesh);
  });
  return task;
}

/// Results in host memory.
struct Results {
  std::vector<double> distance, point;  ///< point: [points, 3]
  std::vector<double> lower;            ///< empty without a far field
  std::vector<double> gradient;         ///< [points, 3]; empty unless wanted
  std::vector<std::int64_t> face;
  std::vector<std::int32_t> wall;
};

/// Results on the device.
struct DeviceResults {
  Array<double> distance, point, lower, gradient;
  Array<std::int64_t> face;
  Array<std::int32_t> wall;

  DeviceResults(const Queue& queue, std::int64_t count, bool bounds, bool gradients)
      : distance(queue, count),
        point(queue, 3 * count),
        lower(queue, bounds ? count : 0),
        gradient(queue, gradients ? 3 * count : 0),
        face(queue, count),
        wall(queue, count) {
    for (Array<double>* const vectors : {&point, &gradient})  // z in 2-D
      fill_bytes(queue, vectors->data(), 0, static_cast<std::size_t>(vectors->count()) * sizeof(double));
  }
  WallDistanceOutputs outputs(int dimensions) {
    const auto along = [&](Array<double>& vectors, int axis) {
      return axis < dimensions && vectors.count() > 0
                 ? View<double>(vectors.data() + axis, distance.count(), vectors.device(), 3)
                 : View<double>();
    };
    WallDistanceOutputs outputs{distance, face, wall, along(point, 0), along(point, 1), along(point, 2)};
    if (lower.count() > 0) outputs.lower = lower;
    outputs.gradient_x = along(gradient, 0);
    outputs.gradient_y = along(gradient, 1);
    outputs.gradient_z = along(gradient, 2);
    return outputs;
  }
  Results download(const Queue& queue) const {
    return {to_host(queue, distance), to_host(queue, point), to_host(queue, lower),
            to_host(queue, gradient), to_host(queue, face),  to_host(queue, wall)};
  }
};

Results find(const Task& task, WallDistance& plan, WallDistanceReport& report) {
  const Queue& queue = task.queue;
  const std::int64_t count = task.points.count();
  Array<double> x, y, z;
  io::timed(report.copying, [&] {
    x = to_device(queue, task.points.x);
    y = to_device(queue, task.points.y);
    z = to_device(queue, task.points.z);
    queue.wait();
  });
  DeviceResults results(queue, count, task.options.search.far_field.tolerance > 0, task.options.gradient);
  queue.wait();
  const WallDistanceOutputs outputs = results.outputs(task.mesh.dimensions);
  io::timed(report.finding, [&] {
    if (task.mesh.dimensions == 3)
      plan.find(x, y, z, outputs);
    else
      plan.find(x, y, outputs);
    queue.wait();
  });
  return io::timed(report.copying, [&] { return results.download(queue); });
}

std::vector<WallFaces> faces_of(const WallMesh& mesh) {
  std::vector<WallFaces> walls;
  for (const std::string& name : mesh.wall_names) walls.push_back({name, 0});
  for (const std::int32_t wall : mesh.wall) ++walls[static_cast<std::size_t>(wall)].faces;
  return walls;
}

void describe(const Task& task, WallDistanceReport& report) {
  report.mesh = task.mesh.name;
  report.dimensions = task.mesh.dimensions;
  report.cells = task.mesh.cell_count();
  report.nodes = task.mesh.nodes.count();
  report.walls = faces_of(task.walls);
  report.points = task.options.points_file.empty() ? task.options.points : "points";
  report.points_file = task.options.points_file.string();
  report.target = task.options.target;
  report.is_signed = task.options.search.signs;
  report.far_field = task.options.search.far_field;
  report.device = task.queue.name();
  report.out = task.options.out.file.string();
}

void write(const Task& task, const Results& results, WallDistanceReport& report) {
  const bool has_file = !task.options.points_file.empty();
  const io::MeshFile vertices = has_file ? io::mesh_of_points(task.mesh.dimensions, task.points) : io::MeshFile();
  io::MeshValues values{has_file ? vertices : task.mesh, has_file ? io::MeshPart::nodes : task.part, task.points};
  values.arrays = {{distance_name, View<const double>(results.distance)},
                   {face_name, View<const std::int64_t>(results.face)},
                   {wall_name, View<const std::int32_t>(results.wall)},
                   {point_name, View<const double>(results.point), 3}};
  if (report.has_far_field()) values.arrays.push_back({lower_name, View<const double>(results.lower)});
  if (task.options.gradient) values.arrays.push_back({gradient_name, View<const double>(results.gradient), 3});
  io::timed(report.writing, [&] { io::write_mesh_values(task.options.out.file, values); });
}

void write_field(const Task& task, const Results& results, WallDistanceReport& report) {
  io::OpenFoamField field = field_of(task.options);
  field.zero_patches = task.walls.wall_names;
  const bool decomposed = task.options.decomposed;
  for (const auto& file : io::openfoam_field_files(task.options.mesh, field, decomposed))
    report.fields.push_back(file.string());
  io::timed(report.writing, [&] {
    io::write_openfoam_field(task.options.mesh, field, View<const double>(results.distance), decomposed);
  });
}

void write_solver_files(const Task& task, const Results& results, WallDistanceReport& report) {
  const View<const double> distance(results.distance);
  const Options& options = task.options;
  for (const auto& file : {options.cgns, options.su2})
    if (!file.empty()) report.fields.push_back(file.string());
  io::timed(report.writing, [&] {
    if (!options.cgns.empty())
      io::write_cgns_field(options.mesh, options.cgns, "TurbulentDistance", task.part, distance);
    if (!options.su2.empty()) io::write_su2_field(options.su2_restart, options.su2, "Wall_Distance", distance);
  });
}

int wall_distance(Options options) {
  options.search.to = from_name<WallDistanceTo>(options.target);
  options.search.inside = from_name<WallInside>(options.inside);
  options.search.count_faces = true;
  WallDistanceReport report;
  const Task task = prepared([&] { return read_task(options, report.reading); });
  describe(task, report);
  WallDistance plan = prepared(
      [&] { return io::timed(report.building, [&] { return WallDistance(task.queue, task.walls, options.search); }); });
  report.method = plan.method().name;
  report.plan_bytes = plan.bytes();
  const Results results = find(task, plan, report);
  report.query_bytes = plan.bytes() - report.plan_bytes;
  report.tested = plan.faces_tested();
  report.distance = io::count_distances(results.distance);
  if (report.has_far_field()) report.far_field_counts = io::count_far_field(results.distance, results.lower);
  if (!report.out.empty()) write(task, results, report);
  if (!options.field.empty()) write_field(task, results, report);
  write_solver_files(task, results, report);
  if (options.json)
    std::cout << report_json(report).line() << '\n';
  else
    std::cout << io::printable(report_text(report)) << '\n' << histogram_text(report.distance, terminal(STDOUT_FILENO));
  std::cout << std::flush;
  return exit_done;
}

void add_file_options(CLI::App& command, Options& options) {
  command
      .add_option("MESH", options.mesh,
                  fmt::format("mesh: {}, or the folder of an OpenFOAM case", fmt::join(io::mesh_extensions(), ", ")))
      ->required();
  add_list_option(command, "--wall", options.walls,
                  "names of the walls: airfoil,flap; default: the only wall of the mesh, or patches of type wall");
  command
      .add_option("--index-wall", options.index_walls,
                  "a wall of a Plot3D mesh: name=block/i/j/k, each a number, from:to, or : for all")
      ->allow_extra_args(false);
  command.add_option("--marker-array", options.marker_array,
                     "array of a VTK mesh with an integer for each face, the name of its wall");
  command.add_flag("--decomposed", options.decomposed,
                   "read processor0, processor1, ... of an OpenFOAM case that also has a mesh of its own");
  add_output_options(command, options.out,
                     "write mesh or points with the distances to this file: .vtkhdf, .vtu, .csv, or .vtp for points or "
                     "polygons");
}

void add_field_options(CLI::App& command, Options& options) {
  CLI::Option* field = command.add_option("--field", options.field,
                                          "write the distance as a field of the OpenFOAM case, TIME/NAME: "
                                          "0/wallDistance; points of cells are then centroids");
  add_choice(command, "--field-format", options.field_format, {"mesh", "ascii", "binary"},
             "numbers of the field: mesh (as in the mesh), ascii or binary")
      ->needs(field);
  field->excludes(command.get_option("--at"));
  command.add_option("--cgns", options.cgns, "write a copy of the CGNS mesh with the distance, as TurbulentDistance")
      ->excludes(command.get_option("--at"));
  CLI::Option* su2 =
      command.add_option("--su2", options.su2, "write a copy of the restart file with the distance, as Wall_Distance")
          ->excludes(command.get_option("--at"));
  command.add_option("--su2-restart", options.su2_restart, "restart file of SU2 for --su2: .csv or .dat")->needs(su2);
  su2->needs(command.get_option("--su2-restart"));
  CLI::Option* force = command.get_option("--force");
  force->remove_needs(command.get_option("--out"));
  force->description("replace the files of --out, --field, --cgns and --su2 if they exist");
}

void add_point_options(CLI::App& command, Options& options) {
  CLI::Option* points =
      add_choice(command, "--points", options.points, {"cells", "nodes"}, "points of the mesh: cells or nodes");
  CLI::Option* center = add_choice(command, "--center", options.center, {"mean", "centroid"},
                                   "point of a cell: mean (of its corners) or centroid");
  CLI::Option* file =
      command
          .add_option("--at", options.points_file,
                      "measure at the points of this file instead: .csv, .npy, .vtp, .vtu, .vtkhdf or .hdf")
          ->excludes(points)
          ->excludes(center);
  add_points_options(command, options.points_columns);
  for (const char* option : {"--columns", "--coordinates", "--step"}) command.get_option(option)->needs(file);
}

void add_search_options(CLI::App& command, Options& options) {
  add_choice(command, "--to", options.target, {"face", "face_center"},
             "distances to: face (its nearest point) or face_center (mean of its corners)");
  auto* is_signed =
      command.add_flag("--signed", options.search.signs, "negative distances inside the walls, which must be closed");
  add_choice(command, "--inside", options.inside, {"closed", "winding_number"},
             "rule for --signed: closed walls, or winding_number for walls with holes or duplicate faces")
      ->needs(is_signed);
  command
      .add_flag("--gradient", options.gradient, "also write the derivative of the distance with respect to the point")
      ->needs(command.get_option("--out"));
  auto* tolerance = command.add_option("--tolerance", options.search.far_field.tolerance,
                                       "largest relative error of distances far from the walls: 0.01; default: 0");
  command
      .add_option("--beyond", options.search.far_field.beyond,
                  "distance in m below which distances are exact despite --tolerance; default: 0")
      ->needs(tolerance);
  add_method_option(command, options.search.method, "wall_distance");
  command.add_option(
      "--auxiliary-cells", options.search.auxiliary_cells,
      "cells of the auxiliary grid along each axis, for methods advancing_boundary_*: 20; default: 0, for 79 "
      "in 2-D and 31 in 3-D");
}

}  // namespace

void add_wall_distance(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "wall_distance", "Find the distance from each cell of a mesh, or from any points, to the nearest wall");
  add_file_options(*command, *options);
  add_point_options(*command, *options);
  add_field_options(*command, *options);
  add_search_options(*command, *options);
  add_device_options(*command, options->device);
  command->add_flag("--json", options->json, "print everything as one JSON object");
  command->callback([&action, command, options] {
    if (!options->field.empty() && command->count("--center") == 0) options->center = "centroid";
    action = [options] { return wall_distance(*options); };
  });
}

}  // namespace shoal::cli
