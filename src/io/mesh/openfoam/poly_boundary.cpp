// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/openfoam/poly_boundary.hpp"

#include <set>

namespace shoal::io {

namespace {

constexpr std::string_view classes[] = {"polyBoundaryMesh"};

class PolyBoundary {
 public:
  PolyBoundary(const PolyMeshPart& part, std::int64_t internal_faces, std::int64_t faces)
      : file_(part.open("boundary", classes)), next_(internal_faces), faces_(faces) {}

  std::vector<PolyPatch> read() {
    const std::int64_t count = file_.count("the number of patches", file_.most_entries());
    file_.expect('(', "before the patches");
    for (std::int64_t i = 0; i < count; ++i) read_patch();
    file_.expect(')', text("after ", count, " patches"));
    require(next_ == faces_, file_.name(), ": its patches end at face ", next_, ", expected ", faces_,
            ", the number of faces.");
    file_.expect_end();
    return std::move(patches_);
  }

 private:
  void read_patch() {
    PolyPatch& patch = patches_.emplace_back();
    patch.name = file_.token("the name of a patch");
    if (patch.name == ")") file_.refuse("cut short: the list ends after ", patches_.size() - 1, " patches.");
    if (!names_.insert(patch.name).second) file_.refuse("two patches are called ", patch.name, ", expected one.");
    file_.expect('{', "after the name of a patch");
    patch.first = patch.faces = -1;
    while (!file_.take('}')) read_entry(patch, file_.token("an entry of a patch or }"));
    if (patch.type.empty() || patch.first < 0 || patch.faces < 0)
      file_.refuse("patch ", patch.name, " lacks ",
                   patch.type.empty() ? "type"
                   : patch.first < 0  ? "startFace"
                                      : "nFaces",
                   ".");
    next_ += patch.faces;
  }

  void read_entry(PolyPatch& patch, std::string_view key) {
    if (key == "startFace") {
      patch.first = file_.integer("the first face of a patch");
      if (patch.first != next_)
        file_.refuse("patch ", patch.name, " begins at face ", patch.first, ", expected ", next_,
                     ", where the faces before it end.");
    } else if (key == "nFaces") {
      patch.faces = file_.count("the number of faces of a patch", faces_ - next_);
    } else if (key == "type") {
      patch.type = file_.token("the type of a patch");
      patch.is_wall = patch.is_wall || patch.type == "wall" || patch.type == "mappedWall";
    } else if (key == "inGroups") {
      return read_groups(patch);
    }
    skip_entry();
  }

  /// Reads `1(wall);` or `List<word> 1(wall);`.
  void read_groups(PolyPatch& patch) {
    while (!file_.take(';')) patch.is_wall = file_.token("a group of a patch or ;") == "wall" || patch.is_wall;
  }

  /// Skips the rest of an entry: up to ";", or a dictionary in braces.
  void skip_entry() {
    std::int64_t depth = 0;
    while (true) {
      const std::string_view token = file_.token("; after an entry");
      if (token == "{") ++depth;
      if (token == "}") --depth;
      if (depth < 0) file_.refuse("}, expected ; after an entry.");
      if (depth == 0 && (token == ";" || token == "}")) return;
    }
  }

  FoamFile file_;
  std::int64_t next_;  ///< face at which the next patch begins
  std::int64_t faces_;
  std::vector<PolyPatch> patches_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<PolyPatch> read_poly_boundary(const PolyMeshPart& part, std::int64_t internal_faces, std::int64_t faces) {
  return PolyBoundary(part, internal_faces, faces).read();
}

}  // namespace shoal::io
