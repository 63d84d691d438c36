// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_file.hpp>
#include <shoal/io/mesh_values.hpp>
#include <shoal/io/run.hpp>
#include <shoal/motion.hpp>
#include <shoal/wall_distance.hpp>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Cases of kind = "wall_distance": distances from the cells of a mesh to walls that move. Host only.
namespace shoal::io::wall_motion {

using Vector = std::array<double, 3>;

enum class MeshSource { file, o_grid };
enum class Around { circle, naca0012 };
enum class Shape { mesh, round };

/// Where distances are asked for.
struct Mesh {
  MeshSource source = MeshSource::file;
  std::filesystem::path file = {};            ///< of source = file; relative to the case file until it is read
  std::vector<std::string> walls = {};        ///< of the file, as MeshFile::walls() takes them
  std::vector<std::string> index_walls = {};  ///< of a Plot3D file, as index_wall() reads them
  std::string marker_array = {};              ///< of a VTK file, as MeshFileOptions has it
  Around around = Around::circle;             ///< of source = o_grid: circle_case() or naca0012_case()
  int points_around = 129, points_out = 49;
  MeshPart points = MeshPart::cells;
  CellCenter center = CellCenter::mean;
  std::string place = "mesh";  ///< for messages: "case.toml:9"
};

/// Walls that move as one.
struct Body {
  std::string name = {};
  Shape shape = Shape::mesh;
  std::vector<std::string> walls = {};  ///< of shape = mesh
  Vector center = {};                   ///< m, of shape = round: a circle in 2-D, a sphere in 3-D
  double radius = 0;                    ///< m
  int faces = 200;                      ///< about so many
  Motion motion = {};
  std::string place = "body";  ///< place in the case file, for messages: "case.toml:14"
};

struct Case {
  std::string title = {};
  std::string text = {};    ///< the case file as resolved, kept with the output
  double duration = 0;      ///< s
  double step = 0;          ///< s between two updates
  double output_every = 0;  ///< s between states that are written; 0: each step
  int compression = 0;      ///< deflate level, 0 to 9
  std::string method = "auto";
  int dimensions = 2;
  Mesh mesh = {};
  std::vector<Body> bodies = {};
};

/// Reads a case file of kind = "wall_distance" as io::read_case() does those of kind = "sph". Files that it names are
/// those beside it.
/// @throws Error  as io::read_case()
Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});
Case parse_case(std::string_view text, std::string_view name, const std::vector<std::string>& overrides = {});

/// A case as TOML text, every value given; parse_case() reads it back to the same case.
std::string case_text(const Case& simulation);

/// What a case comes to: the mesh, its points, and all walls, those of round bodies last.
struct Scene {
  MeshFile mesh;
  MeshPoints points;
  WallMesh walls;
  std::vector<WallBody> bodies;
  std::vector<std::int32_t> body_of_wall;  ///< [walls] -1: stands still
};

/// @throws Error  the mesh cannot be read, a wall or its body makes no sense
Scene make_scene(const Case& simulation);

/// The plan that answers about a scene.
/// @throws Error  no such method on the device
WallDistance open_plan(const Queue& queue, const Case& simulation, const Scene& scene);

/// Number of updates of a run: one at 0, one each step, one at the end.
std::int64_t update_count(const Case& simulation);

/// Result of a run of kind = "wall_distance". `updating`, `collecting` and `writing` are parts of `wall`.
struct Report : RunResult {
  std::string method;
  std::int64_t points = 0, faces = 0, updates = 0, states = 0;
  double time = 0;             ///< s, time of the last update
  double least = 0, most = 0;  ///< m, least and greatest distance of the last state
  double reused = 0;           ///< share of the distances after the first update that needed no search
  double updating = 0, collecting = 0, writing = 0;  ///< s

  double queries_per_second() const {
    return updating > 0 ? static_cast<double>(points) * static_cast<double>(updates) / updating : 0;
  }
};

/// Makes `folder` ready for a run, as io::prepare_output() does for sph.
void prepare_output(const std::filesystem::path& folder, bool force);

/// Runs a case on the device of a queue: moves bodies, updates all distances, and writes distance.vtkhdf (distance,
/// face, wall and body of every cell or node at every output time), distances.csv, case.toml and summary.json into the
/// folder of `options` (docs/output.md). `resume` and `restart_every` mean nothing here.
/// @throws Error  what the operation or an output threw; states written before stay
/// @param plan  of open_plan() on this queue
Report run(const Queue& queue, WallDistance& plan, const Case& simulation, const Scene& scene,
           const RunOptions& options);

/// The summary that a run ends with, some lines of text.
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
