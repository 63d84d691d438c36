// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/openfoam/poly_mesh.hpp"

#include <algorithm>

namespace shoal::io {

namespace {

constexpr std::string_view point_classes[] = {"vectorField"};
constexpr std::string_view face_classes[] = {"faceCompactList", "faceList"};
constexpr std::string_view label_classes[] = {"labelList"};

void read_points(const PolyMeshPart& part, PolyMesh& mesh) {
  FoamFile file = part.open("points", point_classes);
  mesh.header = file.header();
  file.append_vectors(mesh.points.x, mesh.points.y, mesh.points.z);
  file.expect_end();
}

/// Reads the offsets of all faces, then the corners of all faces.
void read_compact_faces(FoamFile& file, const LabelRange& corners, PolyMesh& mesh) {
  std::vector<std::int64_t> start;
  const std::int64_t most = file.most_entries();
  file.append_labels({"the number of offsets of faces", most, "an offset of a face", most}, start);
  if (start.empty()) start = {0};
  if (start.front() != 0) file.refuse("the corners of face 0 begin at ", start.front(), ", expected 0.");
  for (std::size_t face = 1; face < start.size(); ++face)
    if (start[face] < start[face - 1] + 3)
      file.refuse("face ", face - 1, " has ", start[face] - start[face - 1], " corners, expected 3 or more.");
  const std::int64_t count = file.append_labels(corners, mesh.face_corners);
  if (count != start.back())
    file.refuse(count, " corners of faces, expected ", start.back(), ", where the last offset points.");
  mesh.face_start = std::move(start);
}

void read_listed_faces(FoamFile& file, const LabelRange& corners, PolyMesh& mesh) {
  const std::int64_t count = file.count("the number of faces", file.most_entries());
  file.expect('(', "before the faces");
  for (std::int64_t face = 0; face < count; ++face) {
    const std::int64_t added = file.append_labels(corners, mesh.face_corners);
    if (added < 3) file.refuse("face ", face, " has ", added, " corners, expected 3 or more.");
    mesh.face_start.push_back(static_cast<std::int64_t>(mesh.face_corners.size()));
  }
  file.expect(')', text("after ", count, " faces"));
}

void read_faces(const PolyMeshPart& part, PolyMesh& mesh) {
  FoamFile file = part.open("faces", face_classes);
  const LabelRange corners{"the number of corners", file.most_entries(), "a point of a face", mesh.points.count()};
  if (file.header().class_name == "faceCompactList")
    read_compact_faces(file, corners, mesh);
  else
    read_listed_faces(file, corners, mesh);
  file.expect_end();
}

/// Reads the owners, or neighbors, of faces.
std::vector<std::int64_t> read_cells(const PolyMeshPart& part, const char* name, const LabelRange& range) {
  FoamFile file = part.open(name, label_classes);
  std::vector<std::int64_t> cells;
  file.append_labels(range, cells);
  file.expect_end();
  return cells;
}

void read_owners(const PolyMeshPart& part, PolyMesh& mesh) {
  const auto faces = static_cast<std::int64_t>(mesh.face_start.size()) - 1;
  mesh.owner = read_cells(part, "owner", {"the number of owners", faces, "the owner of a face", faces});
  require(mesh.face_count() == faces, part.name_of("owner"), ": ", mesh.face_count(), " owners, expected ", faces,
          ", one for each face.");
}

/// Reads the neighbors. Old files have one for each face, which is -1 for those of the boundary.
void read_neighbors(const PolyMeshPart& part, PolyMesh& mesh) {
  const std::int64_t faces = mesh.face_count();
  mesh.neighbor =
      read_cells(part, "neighbour", {"the number of neighbors", faces, "the neighbor of a face", faces, -1});
  while (!mesh.neighbor.empty() && mesh.neighbor.back() == -1) mesh.neighbor.pop_back();
  for (std::size_t face = 0; face < mesh.neighbor.size(); ++face) {
    require(mesh.neighbor[face] >= 0, part.name_of("neighbour"), ": face ", face,
            " has no neighbor, and later faces have one. ", "Expected the faces between cells first.");
    require(mesh.neighbor[face] != mesh.owner[face], part.name_of("neighbour"), ": face ", face, " has cell ",
            mesh.owner[face], " on both sides, expected two cells.");
  }
}

/// Counts the cells, and requires that each has the faces of a solid. Most numbers of cells out of range leave a gap.
void count_cells(const PolyMeshPart& part, PolyMesh& mesh) {
  for (const auto* const cells : {&mesh.owner, &mesh.neighbor})
    for (const std::int64_t cell : *cells) mesh.cells = std::max(mesh.cells, cell + 1);
  std::vector<std::int64_t> faces(static_cast<std::size_t>(mesh.cells));
  for (const auto* const cells : {&mesh.owner, &mesh.neighbor})
    for (const std::int64_t cell : *cells) ++faces[static_cast<std::size_t>(cell)];
  constexpr std::int64_t fewest = 4;
  const auto open = std::find_if(faces.begin(), faces.end(), [](std::int64_t count) { return count < fewest; });
  require(open == faces.end(), part.name_of("owner"), ": cell ", open - faces.begin(), " of ", mesh.cells, " has ",
          open == faces.end() ? 0 : *open, " faces, expected ", fewest, " or more.");
}

}  // namespace

PolyMesh read_poly_mesh(const PolyMeshPart& part) {
  PolyMesh mesh;
  read_points(part, mesh);
  read_faces(part, mesh);
  read_owners(part, mesh);
  read_neighbors(part, mesh);
  mesh.patches = read_poly_boundary(part, static_cast<std::int64_t>(mesh.neighbor.size()), mesh.face_count());
  count_cells(part, mesh);
  return mesh;
}

}  // namespace shoal::io
