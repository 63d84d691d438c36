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

/// Folders of a decomposed case: processor0, processor1, ... by number, or collated ones by their first processor.
struct ProcessorFolders {
  std::map<std::int64_t, fs::path> single;
  std::map<std::int64_t, std::pair<CollatedName, fs::path>> collated;
};

ProcessorFolders find_processors(const fs::path& folder) {
  ProcessorFolders processors;
  try {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      const std::optional<CollatedName> collated = collated_name(name);
      const std::int64_t number = number_behind("processor", name);
      if (number >= 0) processors.single.emplace(number, entry.path());
      if (!collated) continue;
      const auto [same, is_new] = processors.collated.try_emplace(collated->first, *collated, entry.path());
      require(is_new, entry.path().string(), ": the case is decomposed twice, also in ",
              same->second.second.filename().string(), ". Remove one of them.");
    }
  } catch (const fs::filesystem_error& error) {
    throw Error(text(folder.string(), ": the folder cannot be read: ", error.code().message(), "."));
  }
  require(processors.single.empty() || processors.collated.empty(), folder.string(),
          ": the case is decomposed twice, in processor folders and in collated ones. Remove one of them.");
  return processors;
}

/// Parts of a folder that is, or lies in, a collated one.
std::vector<PolyMeshPart> collated_parts(const fs::path& poly_mesh, const CollatedName& name) {
  const auto collated = std::make_shared<CollatedFolder>(poly_mesh, name);
  std::vector<PolyMeshPart> parts;
  for (std::size_t block = 0; block < static_cast<std::size_t>(name.count()); ++block)
    parts.push_back({poly_mesh, collated, block});
  return parts;
}

/// Parts of a polyMesh folder: one, or several if a folder above it is collated.
std::vector<PolyMeshPart> parts_of(const fs::path& poly_mesh) {
  fs::path folder = fs::absolute(poly_mesh).lexically_normal();
  for (; folder.has_relative_path(); folder = folder.parent_path())
    if (const auto name = collated_name(folder.filename().string())) return collated_parts(poly_mesh, *name);
  return {{poly_mesh, nullptr, 0}};
}

std::vector<PolyMeshPart> meshes_of_processors(const fs::path& folder) {
  const fs::path mesh = fs::path("constant") / "polyMesh";
  const ProcessorFolders processors = find_processors(folder);
  std::vector<PolyMeshPart> parts;
  const auto require_next = [&](std::int64_t number) {
    require(number == static_cast<std::int64_t>(parts.size()), folder.string(), ": processor", parts.size(),
            " is missing, and there is processor", number, ". Decompose the case again.");
  };
  for (const auto& [number, path] : processors.single) {
    require_next(number);
    parts.push_back({path / mesh, nullptr, 0});
  }
  for (const auto& [first, entry] : processors.collated) {
    require_next(first);
    for (PolyMeshPart& part : collated_parts(entry.second / mesh, entry.first)) parts.push_back(std::move(part));
  }
  const std::int64_t expected = processors.collated.empty() ? 0 : processors.collated.begin()->second.first.processors;
  for (const auto& [first, entry] : processors.collated)
    require(entry.first.processors == expected && static_cast<std::int64_t>(parts.size()) == expected,
            entry.second.string(), ": a case of ", entry.first.processors, " processors, and there are ", parts.size(),
            ", expected all of one decomposition. Decompose the case again.");
  return parts;
}

}  // namespace

FoamFile PolyMeshPart::open(const char* file, std::span<const std::string_view> classes) const {
  return collated ? collated->open(file, block, classes) : FoamFile(folder / file, classes);
}

std::string PolyMeshPart::name_of(const char* file) const {
  const std::string name = (folder / file).string();
  if (!collated) return name;
  return text(name, ", processor ", collated->name().first + static_cast<std::int64_t>(block));
}

std::vector<PolyMeshPart> find_poly_meshes(const fs::path& path, bool decomposed) {
  std::error_code ignored;
  const bool is_folder = fs::is_directory(path, ignored);
  require(is_folder || lower_case(path.extension().string()) == ".foam", path.string(),
          ": this is no case of OpenFOAM, expected a folder, or a file such as case.foam in it.");
  const fs::path folder = is_folder ? path : path.has_parent_path() ? path.parent_path() : ".";
  if (!decomposed)
    for (const fs::path& candidate : {folder, folder / "polyMesh", folder / "constant" / "polyMesh"})
      if (holds_mesh(candidate)) return parts_of(candidate);
  std::vector<PolyMeshPart> meshes = meshes_of_processors(folder);
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
