// SPDX-License-Identifier: Apache-2.0
#include "io/run/folder/stored_inputs.hpp"

#include <shoal/io/case_file.hpp>

#include <map>
#include <string>

#include "core/text.hpp"
#include "io/case/shapes/case_shape.hpp"
#include "io/formats/whole_file.hpp"

namespace shoal::io {

namespace {

namespace fs = std::filesystem;

constexpr const char* inputs_folder = "inputs";

/// Calls `visit(path)` for each file that a case reads, with the path to change.
template <class Visit>
void for_each_input(sph::Case& simulation, Visit visit) {
  const auto visit_surface = [&](sph::Shape& shape) { visit(shape.file); };
  for (sph::Body& body : simulation.bodies) {
    if (body.shape) for_each_surface(*body.shape, visit_surface);
    if (!body.particle_file.file.empty()) visit(body.particle_file.file);
  }
  const auto visit_motion = [&](Motion& motion) {
    if (motion.kind == MotionKind::file) visit(motion.file);
  };
  for (sph::Wall& wall : simulation.walls) {
    if (wall.shape) for_each_surface(*wall.shape, visit_surface);
    visit_motion(wall.motion);
  }
  for (sph::WallMotion& added : simulation.motions) visit_motion(added.motion);
}

/// Copies files into a folder under names that do not clash.
class Store {
 public:
  explicit Store(const fs::path& folder) : folder_(folder) {}

  /// Returns the path of the copy, relative to the output folder.
  std::string add(const fs::path& file) {
    const auto known = stored_.find(file);
    if (known != stored_.end()) return known->second;
    const std::string name = name_for(file);
    const fs::path copy = folder_ / name;
    if (!fs::exists(copy) || !fs::equivalent(copy, file)) {
      fs::create_directories(copy.parent_path());
      write_whole(copy,
                  [&](const fs::path& partial) { fs::copy_file(file, partial, fs::copy_options::overwrite_existing); });
    }
    stored_[file] = name;
    return name;
  }

 private:
  /// The name of the file, or "2-NAME" and so on if another file has that name.
  std::string name_for(const fs::path& file) const {
    const auto is_taken = [&](const std::string& name) {
      for (const auto& [source, taken] : stored_)
        if (taken == name) return true;
      return false;
    };
    const std::string name = file.filename().string();
    std::string stored = text(inputs_folder, '/', name);
    for (int number = 2; is_taken(stored); ++number) stored = text(inputs_folder, '/', number, '-', name);
    return stored;
  }

  fs::path folder_;
  std::map<fs::path, std::string> stored_;
};

/// Calls `visit` with the path of each file that a case reads.
template <class Visit>
void for_each_input(relaxation::Case& simulation, Visit visit) {
  if (!simulation.initial.file.empty()) visit(simulation.initial.file);
  if (simulation.second_initial && !simulation.second_initial->file.empty()) visit(simulation.second_initial->file);
}

/// Runs `work` and turns errors of the file system into an Error.
template <class Work>
void storing(const fs::path& folder, const Work& work) {
  try {
    work();
  } catch (const fs::filesystem_error& error) {
    throw Error(text(folder.string(), ": cannot store the input file ", error.path1().string(), ": ",
                     error.code().message(), "."));
  }
}

}  // namespace

std::vector<fs::path> input_files(const sph::Case& simulation) {
  std::vector<fs::path> files;
  sph::Case copy = simulation;  // for_each_input() lets its callers change the paths
  for_each_input(copy, [&](const std::string& file) { files.emplace_back(file); });
  return files;
}

std::vector<fs::path> input_files(const wall_motion::Case& simulation) {
  std::vector<fs::path> files;
  if (simulation.mesh.source == wall_motion::MeshSource::file) files.push_back(simulation.mesh.file);
  for (const wall_motion::Body& body : simulation.bodies)
    if (body.motion.kind == MotionKind::file) files.emplace_back(body.motion.file);
  return files;
}

std::vector<fs::path> input_files(const relaxation::Case& simulation) {
  std::vector<fs::path> files;
  relaxation::Case copy = simulation;  // for_each_input() lets its callers change the paths
  for_each_input(copy, [&](const fs::path& file) { files.push_back(file); });
  return files;
}

void store_inputs(const fs::path& folder, sph::Case& simulation) {
  Store store(folder);
  storing(folder, [&] { for_each_input(simulation, [&](std::string& file) { file = store.add(file); }); });
  simulation.text = case_text(simulation);
}

void store_inputs(const fs::path& folder, wall_motion::Case& simulation) {
  Store store(folder);
  storing(folder, [&] {
    if (simulation.mesh.source == wall_motion::MeshSource::file) simulation.mesh.file = store.add(simulation.mesh.file);
    for (wall_motion::Body& body : simulation.bodies)
      if (body.motion.kind == MotionKind::file) body.motion.file = store.add(body.motion.file);
  });
  simulation.text = wall_motion::case_text(simulation);
}

void store_inputs(const fs::path& folder, relaxation::Case& simulation) {
  storing(folder, [&] {
    Store store(folder);
    for_each_input(simulation, [&](fs::path& file) { file = store.add(file); });
  });
  simulation.text = relaxation::case_text(simulation);
}

void use_stored_inputs(const fs::path& folder, sph::Case& simulation) {
  for_each_input(simulation, [&](std::string& file) {
    const std::string name = text(inputs_folder, '/', fs::path(file).filename().string());
    if (fs::exists(folder / name) && read_whole(folder / name) == read_whole(file)) file = name;
  });
  simulation.text = case_text(simulation);
}

}  // namespace shoal::io
