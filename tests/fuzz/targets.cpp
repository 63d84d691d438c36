// SPDX-License-Identifier: Apache-2.0
#include "targets.hpp"

#include <unistd.h>
#include <shoal/error.hpp>
#include <shoal/io/case_file.hpp>
#include <shoal/io/mesh_file.hpp>
#include <shoal/io/points_file.hpp>
#include <shoal/io/relaxation.hpp>
#include <shoal/io/restart.hpp>
#include <shoal/io/validation.hpp>
#include <shoal/io/wall_motion.hpp>

#include <algorithm>
#include <fstream>
#include <functional>

#include "described_hdf5.hpp"
#include "io/formats/file_checksum.hpp"

namespace shoal::fuzz {

namespace {

using Path = std::filesystem::path;

/// Calls `read`; an Error is a good answer. Exhausted memory is none: the input asked for too much.
void accept_refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const OutOfMemory&) {
    throw;
  } catch (const Error&) {
  }
}

void write_input(const Path& file, Bytes input) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(input.size()));
}

/// Writes a restart with the checksum of its content, without which HDF5 would not open it.
void write_restart_input(const Path& file, Bytes input) {
  constexpr std::size_t trailer = 24;
  const std::string_view content(reinterpret_cast<const char*>(input.data()), input.size());
  const bool has_trailer = content.size() > trailer && content.substr(content.size() - trailer).starts_with("shoalcrc");
  io::write_with_checksum(file, content.substr(0, content.size() - (has_trailer ? trailer : 0)));
}

/// Writes the files of a polyMesh folder: in the input each begins after a line "=== NAME". `file` is the folder.
void write_poly_mesh_input(const Path& file, Bytes input) {
  constexpr std::string_view mark = "=== ";
  std::filesystem::create_directories(file);
  const std::string_view content(reinterpret_cast<const char*>(input.data()), input.size());
  for (const char* const name : {"points", "faces", "owner", "neighbour", "boundary"}) {
    const std::string line = std::string(mark) + name + '\n';
    const std::size_t begin = content.find(line);
    const std::string_view rest = begin == content.npos ? "" : content.substr(begin + line.size());
    std::ofstream(file / name, std::ios::binary | std::ios::trunc) << rest.substr(0, rest.find(mark));
  }
}

/// Writes the files of a collated case of two processors. `file` is the folder of the case.
void write_collated_input(const Path& file, Bytes input) {
  write_poly_mesh_input(file / "processors2" / "constant" / "polyMesh", input);
}

void read_mesh_with(const Path& file, const io::MeshFileOptions& options) {
  const io::MeshFile mesh = io::read_mesh(file, options);
  std::vector<std::string> names;
  for (const io::MeshMarker& marker : mesh.markers) names.push_back(marker.name);
  accept_refusal([&] { mesh.walls(names); });
  accept_refusal([&] { mesh.cell_centers(); });
  accept_refusal([&] { mesh.cell_centers(io::CellCenter::centroid); });
}

void read_plain_mesh(const Path& file) { read_mesh_with(file, {}); }

void read_marked_mesh(const Path& file) {
  accept_refusal([&] { read_mesh_with(file, {.marker_array = "marker"}); });
  read_mesh_with(file, {});
}

void read_plot3d(const Path& file) {
  accept_refusal([&] { read_mesh_with(file, {.index_walls = {io::index_wall("wall=1/1/:/:")}}); });
  read_mesh_with(file, {});
}

void read_table(const Path& file) {
  accept_refusal([&] { io::read_points(file, {.columns = {"x", "y", "z", "mass"}, .values = {"mass"}}); });
  io::read_points(file);
}

void read_arrays(const Path& file) {
  for (const char* name : {"mass", "velocity:1"}) accept_refusal([&] { io::read_points(file, {.values = {name}}); });
  io::read_points(file);
}

void read_steps(const Path& file) {
  accept_refusal([&] { io::read_points(file, {.step = 0}); });
  read_arrays(file);
}

constexpr int distribution_nodes = 8;

constexpr bool raw = false, described = true, own = false, by_library = true;

constexpr Target all_targets[] = {
    {"gmsh", "input.msh", write_input, read_plain_mesh, raw, own},
    {"fluent", "input.cas", write_input, read_plain_mesh, raw, own},
    {"vtk_legacy", "input.vtk", write_input, read_marked_mesh, raw, own},
    {"plot3d", "input.x", write_input, read_plot3d, raw, own},
    {"vtk_xml_points", "input.vtp", write_input, read_arrays, raw, own},
    {"vtk_xml_mesh", "input.vtu", write_input, read_marked_mesh, raw, own},
    {"npy", "input.npy", write_input, read_table, raw, own},
    {"su2", "input.su2", write_input, read_plain_mesh, raw, own},
    {"stl", "input.stl", write_input, read_plain_mesh, raw, own},
    {"obj", "input.obj", write_input, read_plain_mesh, raw, own},
    {"ply", "input.ply", write_input, read_plain_mesh, raw, own},
    {"openfoam", "input.polymesh", write_poly_mesh_input, read_plain_mesh, raw, own},
    {"openfoam_collated", "input.collated", write_collated_input, read_plain_mesh, raw, own},
    {"csv", "input.csv", write_input, read_table, raw, own},
    {"case_sph", "input.toml", write_input, [](const Path& file) { io::read_case(file); }, raw, own},
    {"case_wall_distance", "input.toml", write_input, [](const Path& file) { io::wall_motion::read_case(file); }, raw,
     own},
    {"case_relaxation", "input.toml", write_input, [](const Path& file) { io::relaxation::read_case(file); }, raw, own},
    {"case_validation", "validation.toml", write_input,
     [](const Path& file) { io::validation::read(file.parent_path()); }, raw, own},
    {"distribution", "input.npy", write_input,
     [](const Path& file) { io::relaxation::read_distribution(file, "", distribution_nodes); }, raw, own},
    {"vtkhdf", "input.vtkhdf", write_input, read_steps, raw, by_library},
    {"restart", "restart.h5", write_restart_input, [](const Path& file) { io::read_restart(file); }, raw, by_library},
    {"described_vtkhdf", "input.vtkhdf", write_described_vtkhdf, read_steps, described, by_library},
    {"described_restart", "restart.h5", write_described_restart, [](const Path& file) { io::read_restart(file); },
     described, by_library},
    {"described_distribution", "input.h5", write_described_distribution,
     [](const Path& file) { io::relaxation::read_distribution(file, "f", distribution_nodes); }, described, by_library},
    {"described_cgns", "input.cgns", write_described_cgns, read_plain_mesh, described, by_library},
};

/// Folder of the files that are read, in memory where the system has such a folder. It is removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    const Path memory = "/dev/shm";
    path_ = (std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path()) /
            ("shoal_fuzz_" + std::to_string(::getpid()));
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const Path& path() const { return path_; }

 private:
  Path path_;
};

}  // namespace

std::span<const Target> targets() { return all_targets; }

Outcome try_input(const Target& target, Bytes input) {
  static const ScratchFolder folder;
  const Path file = folder.path() / target.file_name;
  target.write(file, input);
  try {
    target.read(file);
    return Outcome::read;
  } catch (const OutOfMemory&) {
    return Outcome::out_of_memory;
  } catch (const Error&) {
    return Outcome::refused;
  }
}

}  // namespace shoal::fuzz
