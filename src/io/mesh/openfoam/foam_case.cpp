// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/openfoam/foam_case.hpp"

#include <algorithm>
#include <map>

#include "core/text.hpp"
#include "io/formats/text/strings.hpp"

namespace shoal::io {

namespace {

namespace fs = std::filesystem;

/// Returns true if one of the files of a mesh is in the folder, so that a missing one is reported by name.
bool holds_mesh(const fs::path& folder) {
  std::error_code ignored;
  for (const char* const name : {"faces", "owner", "points", "boundary"})
    for (const char* const ending : {"", ".gz"})
      if (fs::exists(folder / (std::string(name) + ending), ignored)) return true;
  return false;
}

/// Number behind `prefix` in the name of a folder; -1 if the name has another form.
std::int64_t number_behind(std::string_view prefix, const std::string& name) {
  std::int64_t number = -1;
  if (!name.starts_with(prefix) || name.size() == prefix.size()) return -1;
  const std::string_view digits = std::string_view(name).substr(prefix.size());
  const bool are_digits = std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  return are_digits && read_number(digits, number) ? number : -1;
}

/// Meshes of the folders processor0, processor1, ... by number.
std::map<std::int64_t, fs::path> meshes_by_processor(const fs::path& folder) {
  std::map<std::int64_t, fs::path> parts;
  try {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      require(number_behind("processors", name) < 0, entry.path().string(),
              ": the case is decomposed in collated files, which are not supported. Decompose it with ",
              "-fileHandler uncollated.");
      const std::int64_t number = number_behind("processor", name);
      if (number >= 0) parts.emplace(number, entry.path() / "constant" / "polyMesh");
    }
  } catch (const fs::filesystem_error& error) {
    throw Error(text(folder.string(), ": the folder cannot be read: ", error.code().message(), "."));
  }
  return parts;
}

std::vector<fs::path> meshes_of_processors(const fs::path& folder) {
  std::vector<fs::path> meshes;
  for (const auto& [number, mesh] : meshes_by_processor(folder)) {
    require(number == static_cast<std::int64_t>(meshes.size()), folder.string(), ": processor", meshes.size(),
            " is missing, and there is processor", number, ". Decompose the case again.");
    meshes.push_back(mesh);
  }
  return meshes;
}

}  // namespace

std::vector<fs::path> find_poly_meshes(const fs::path& path, bool decomposed) {
  std::error_code ignored;
  const bool is_folder = fs::is_directory(path, ignored);
  require(is_folder || lower_case(path.extension().string()) == ".foam", path.string(),
          ": this is no case of OpenFOAM, expected a folder, or a file such as case.foam in it.");
  const fs::path folder = is_folder ? path : path.has_parent_path() ? path.parent_path() : ".";
  if (!decomposed)
    for (const fs::path& candidate : {folder, folder / "polyMesh", folder / "constant" / "polyMesh"})
      if (holds_mesh(candidate)) return {candidate};
  std::vector<fs::path> meshes = meshes_of_processors(folder);
  require(!meshes.empty(), folder.string(), ": there is no mesh of OpenFOAM in this folder, expected ",
          decomposed ? "processor0/constant/polyMesh." : "constant/polyMesh, or processor0/constant/polyMesh.");
  return meshes;
}

fs::path folder_of_fields(const fs::path& poly_mesh, const std::string& time) {
  const fs::path whole = fs::absolute(poly_mesh).lexically_normal();  // a link to the mesh of another case stays a link
  const fs::path parent = (whole.has_filename() ? whole : whole.parent_path()).parent_path();
  const bool is_region = parent.filename() != "constant" && parent.parent_path().filename() == "constant";
  if (is_region) return parent.parent_path().parent_path() / time / parent.filename();
  return parent.parent_path() / time;
}

}  // namespace shoal::io
