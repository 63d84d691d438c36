// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_file.hpp>
#include <shoal/io/mesh_values.hpp>
#include <shoal/io/overrides.hpp>
#include <shoal/io/run.hpp>
#include <shoal/motion.hpp>
#include <shoal/wall_distance.hpp>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Cases of kind = "wall_distance": distances from the cells of a mesh to moving walls. Host only.
namespace shoal::io::wall_motion {

using Vector = std::array<double, 3>;

enum class MeshSource { file, o_grid };
enum class Around { circle, naca0012 };
enum class Shape { mesh, round };

/// Mesh whose cells or nodes receive wall distances.
struct Mesh {
  MeshSource source = MeshSource::file;
  /// Mesh file for source = file, relative to the case file before it is read.
  std::filesystem::path file = {};
  std::vector<std::string> walls = {};        ///< markers that are walls, as MeshFile::walls() takes them
  std::vector<std::string> index_walls = {};  ///< walls of a Plot3D file, as index_wall() reads them
  std::string marker_array = {};              ///< marker array of a VTK file, as MeshFileOptions::marker_array
  Around around = Around::circle;             ///< profile for source = o_grid: circle_case() or naca0012_case()
  int points_around = 129, points_out = 49;
  MeshPart points = MeshPart::cells;
  CellCenter center = CellCenter::mean;
  std::string place = "mesh";  ///< location in the case file, for messages: "case.toml:9"
};

/// Group of walls that move as one rigid body.
struct Body {
  std::string name = {};
  Shape shape = Shape::mesh;
  std::vector<std::string> walls = {};  ///< markers of the body for shape = mesh
  Vector center = {};                   ///< m, center for shape = round: a circle in 2-D, a sphere in 3-D
  double radius = 0;                    ///< radius for shape = round, m
  int faces = 200;                      ///< approximate number of faces for shape = round
  Motion motion = {};
  std::string place = "body";  ///< location in the case file, for messages: "case.toml:14"
};

struct Case {
  std::string title = {};
  std::string text = {};    ///< case file with all defaults filled in, stored with the output
  double duration = 0;      ///< duration, s
  double step = 0;          ///< time between updates, s
  double output_every = 0;  ///< time between written states, s; 0: every update
  int compression = 0;      ///< deflate level, 0 to 9
  std::string method = "auto";
  int dimensions = 2;
  Mesh mesh = {};
  std::vector<Body> bodies = {};
};

/// Reads a case file of kind = "wall_distance", as io::read_case() does for kind = "sph". Relative file names in the
/// case refer to its folder.
/// @throws Error  the errors of io::read_case()
Case read_case(const std::filesystem::path& file, const Overrides& overrides = {});
Case parse_case(std::string_view text, std::string_view name, const Overrides& overrides = {});

/// Returns a case as TOML text with every value. parse_case() reads it back to the same case.
std::string case_text(const Case& simulation);

/// Geometry of a case: mesh, query points and all walls; the walls of round bodies come last.
struct Scene {
  MeshFile mesh;
  MeshPoints points;
  WallMesh walls;
  std::vector<WallBody> bodies;
  std::vector<std::int32_t> body_of_wall;  ///< [walls] index of the body that moves the wall; -1: fixed
};

/// Builds the geometry of a case.
/// @throws Error  the mesh cannot be read; an invalid wall or body
Scene make_scene(const Case& simulation);

/// Creates the wall-distance plan of a scene.
/// @throws Error  the method does not exist on the device
WallDistance open_plan(const Queue& queue, const Case& simulation, const Scene& scene);

/// Returns the number of updates of a run: one at 0, one per step, one at the end.
std::int64_t update_count(const Case& simulation);

/// Result of a run of kind = "wall_distance". `updating`, `collecting` and `writing` are parts of `wall`.
struct Report : RunResult {
  std::string method;
  std::int64_t points = 0, faces = 0, updates = 0, states = 0;
  double time = 0;             ///< time of the last update, s
  double least = 0, most = 0;  ///< smallest and largest distance of the last state, m
  double reused = 0;           ///< fraction of the distances after the first update that needed no search
  double updating = 0, collecting = 0, writing = 0;  ///< wall times, s

  double queries_per_second() const {
    return updating > 0 ? static_cast<double>(points) * static_cast<double>(updates) / updating : 0;
  }
};

/// Returns the names of the files that a run writes into its folder.
std::vector<std::string> output_names();

/// Prepares `folder` for a run, as io::prepare_output() does for kind = "sph".
void prepare_output(const std::filesystem::path& folder, bool force);

/// Runs a case on the device of a queue: moves the bodies and updates all distances. Writes distance.vtkhdf,
/// distances.csv, case.toml and summary.json into the folder of `options` (docs/output.md). distance.vtkhdf has
/// distance, face, wall and body of every cell or node at every output time. The run ignores `resume` and
/// `restart_every`, because it writes no restarts. On several ranks each updates its share of the points.
/// @throws Error  an error of the operation or of an output, on all ranks; states written before remain
/// @param plan  result of open_plan() on this queue
Report run(const Queue& queue, WallDistance& plan, const Case& simulation, const Scene& scene,
           const RunOptions& options);

/// Returns the summary of a run, a few lines of text.
std::string summary_text(const Report& report);

}  // namespace shoal::io::wall_motion

namespace shoal {

template <>
inline constexpr auto enumerator_names<io::wall_motion::MeshSource> = std::array<std::string_view, 2>{"file", "o_grid"};
template <>
inline constexpr auto enumerator_names<io::wall_motion::Around> = std::array<std::string_view, 2>{"circle", "naca0012"};
template <>
inline constexpr auto enumerator_names<io::wall_motion::Shape> = std::array<std::string_view, 2>{"mesh", "round"};

}  // namespace shoal
