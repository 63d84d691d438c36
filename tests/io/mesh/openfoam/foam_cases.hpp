// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/formats/binary/gzip.hpp"
#include "io/mesh/mesh_cases.hpp"

namespace shoal::testing_support {

/// Form of a file of OpenFOAM.
struct FoamStyle {
  const char* name = "text";
  bool binary = false, compact = false, compressed = false, swapped = false;
  bool arch = true;  ///< false: the header does not state the sizes of numbers
  int label = 32, scalar = 64;
};

inline const FoamStyle foam_styles[] = {
    {"text", false, false},
    {"compact_text", false, true},
    {"packed_text", false, false, true},
    {"binary", true, true},
    {"binary_of_lists", true, false},
    {"packed_binary", true, true, true},
    {"other_bytes", true, true, false, true},
    {"long_labels", true, true, false, false, true, 64},
    {"long_labels_of_lists", true, false, false, false, true, 64},
    {"short_scalars", true, true, false, false, true, 32, 32},
    {"no_arch", true, true, false, false, false},
    {"no_arch_and_long_labels", true, true, false, false, false, 64},
};

/// Mesh of OpenFOAM.
struct FoamMesh {
  std::vector<std::vector<double>> points;
  std::vector<std::vector<std::int64_t>> faces;
  std::vector<std::int64_t> owner, neighbor;
  std::string boundary;
};

/// Two unit cubes side by side in x. The floor is the wall at z = 0.
inline FoamMesh two_cubes() {
  FoamMesh mesh;
  for (const double z : {0, 1})
    for (const double y : {0, 1})
      for (const double x : {0, 1, 2}) mesh.points.push_back({x, y, z});
  mesh.faces = {
      {1, 4, 10, 7},                                                // between the cells
      {0, 3, 4, 1},  {1, 4, 5, 2},                                  // floor
      {6, 7, 10, 9}, {7, 8, 11, 10},                                // roof
      {0, 6, 9, 3},  {2, 5, 11, 8},                                 // ends
      {0, 1, 7, 6},  {1, 2, 8, 7},   {3, 9, 10, 4}, {4, 10, 11, 5}  // sides
  };
  mesh.owner = {0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
  mesh.neighbor = {1};
  mesh.boundary = R"(4
(
    floor { type wall; inGroups 1(wall); nFaces 2; startFace 1; }
    roof  { type patch; nFaces 2; startFace 3; }
    ends  { type patch; nFaces 2; startFace 5; }
    sides { type symmetryPlane; nFaces 4; startFace 7; }
)
)";
  return mesh;
}

/// The same with the end of the second cube in two triangles, so that this cube is a polyhedron of seven faces.
inline FoamMesh cube_and_polyhedron() {
  FoamMesh mesh = two_cubes();
  mesh.faces[6] = {2, 5, 11};
  mesh.faces.insert(mesh.faces.begin() + 7, {2, 11, 8});
  mesh.owner.insert(mesh.owner.begin() + 7, 1);
  mesh.boundary =
      replaced(replaced(mesh.boundary, "nFaces 2; startFace 5", "nFaces 3; startFace 5"), "startFace 7", "startFace 8");
  return mesh;
}

/// A cube that is the mesh of one of two processors.
/// @param x           position of the cube
/// @param wall_faces  number of its faces that are walls, "0" or "1"
inline FoamMesh foam_part(double x, const std::string& wall_faces) {
  FoamMesh mesh;
  for (const double z : {0, 1})
    for (const double y : {0, 1})
      for (const double dx : {0, 1}) mesh.points.push_back({x + dx, y, z});
  mesh.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  mesh.owner = {0, 0, 0, 0, 0, 0};
  mesh.boundary = "4 (\nfloor { type wall; nFaces " + wall_faces + "; startFace 0; }\nrest { type patch; nFaces " +
                  (wall_faces == "1" ? "4; startFace 1" : "5; startFace 0") +
                  "; }\nprocBoundary { type processor; nFaces 1; startFace 5; myProcNo 0; }\n"
                  "throughCyclic { type processorCyclic; nFaces 0; startFace 6; }\n)\n";
  return mesh;
}

inline std::string foam_header(const std::string& class_name, const FoamStyle& style = {}) {
  const std::string arch = std::string("    arch \"") + (style.swapped ? "MSB" : "LSB") +
                           ";label=" + std::to_string(style.label) + ";scalar=" + std::to_string(style.scalar) +
                           "\";\n";
  return "/*--- a mesh ---*/\nFoamFile\n{\n    version 2.0;\n    format " +
         std::string(style.binary ? "binary" : "ascii") + ";\n" + (style.arch ? arch : "") + "    class " + class_name +
         ";\n}\n// * * *\n";
}

inline std::string foam_raw(const std::vector<std::int64_t>& labels, const FoamStyle& style) {
  return style.label == 64 ? bytes_of(labels, style.swapped)
                           : bytes_of(std::vector<std::int32_t>(labels.begin(), labels.end()), style.swapped);
}
inline std::string foam_raw(const std::vector<double>& scalars, const FoamStyle& style) {
  return style.scalar == 64 ? bytes_of(scalars, style.swapped)
                            : bytes_of(std::vector<float>(scalars.begin(), scalars.end()), style.swapped);
}

/// A list of numbers: "3\n(1 2 3)\n", or its raw form.
inline std::string foam_list(const std::vector<std::int64_t>& labels, const FoamStyle& style) {
  std::string list = std::to_string(labels.size()) + "\n(";
  if (style.binary) return list + foam_raw(labels, style) + ")\n";
  for (const std::int64_t label : labels) list += std::to_string(label) + " ";
  return list + ")\n";
}

inline std::string foam_points(const FoamMesh& mesh, const FoamStyle& style = {}) {
  std::string list = foam_header("vectorField", style) + std::to_string(mesh.points.size()) + "\n(";
  for (const std::vector<double>& point : mesh.points) {
    if (style.binary)
      list += foam_raw(point, style);
    else
      list += "(" + std::to_string(point[0]) + " " + std::to_string(point[1]) + " " + std::to_string(point[2]) + ")\n";
  }
  return list + ")\n";
}

inline std::string foam_faces(const FoamMesh& mesh, const FoamStyle& style = {}) {
  std::string list = foam_header(style.compact ? "faceCompactList" : "faceList", style);
  if (style.compact) {
    std::vector<std::int64_t> start = {0}, corners;
    for (const auto& face : mesh.faces) {
      corners.insert(corners.end(), face.begin(), face.end());
      start.push_back(static_cast<std::int64_t>(corners.size()));
    }
    return list + foam_list(start, style) + foam_list(corners, style);
  }
  list += std::to_string(mesh.faces.size()) + "\n(\n";
  for (const auto& face : mesh.faces) list += foam_list(face, style);
  return list + ")\n";
}

inline std::string foam_labels(const std::vector<std::int64_t>& labels, const FoamStyle& style = {}) {
  return foam_header("labelList", style) + foam_list(labels, style);
}

inline std::string foam_boundary(const FoamMesh& mesh) { return foam_header("polyBoundaryMesh") + mesh.boundary; }

/// Name and content of each file of a polyMesh folder.
inline std::vector<std::pair<std::string, std::string>> foam_files(const FoamMesh& mesh, const FoamStyle& style = {}) {
  return {{"points", foam_points(mesh, style)},
          {"faces", foam_faces(mesh, style)},
          {"owner", foam_labels(mesh.owner, style)},
          {"neighbour", foam_labels(mesh.neighbor, style)},
          {"boundary", foam_boundary(mesh)}};
}

/// Writes a file that is no seed of tests/fuzz: alone it is no mesh.
inline void write_part_of_mesh(const std::filesystem::path& file, std::string_view content) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
}

/// Files of a polyMesh folder as one text: each begins after a line with its name.
inline std::string as_one_file(const std::filesystem::path& poly_mesh) {
  std::string content;
  for (const char* const name : {"points", "faces", "owner", "neighbour", "boundary"})
    if (std::filesystem::is_regular_file(poly_mesh / name))
      content += std::string("=== ") + name + '\n' + read_text(poly_mesh / name);
  return content;
}

inline void write_foam_mesh(const std::filesystem::path& poly_mesh, const FoamMesh& mesh, const FoamStyle& style = {}) {
  std::filesystem::create_directories(poly_mesh);
  for (const auto& [name, content] : foam_files(mesh, style))
    if (style.compressed)
      write_part_of_mesh(poly_mesh / (name + ".gz"), io::pack_gzip(content));
    else
      write_part_of_mesh(poly_mesh / name, content);
}

/// Block of a collated file: comment, number of bytes, and the bytes in parentheses.
inline std::string foam_block(const std::string& content) {
  return "\n// Processor\n\n" + std::to_string(content.size()) + "\n(" + content + ")\n";
}

/// Writes collated files, in which only the first block has a header.
inline void write_collated_mesh(const std::filesystem::path& poly_mesh, const std::vector<FoamMesh>& parts,
                                const FoamStyle& style = {}) {
  std::filesystem::create_directories(poly_mesh);
  for (std::size_t file = 0; file < 5; ++file) {
    std::string name, collated = foam_header("decomposedBlockData", {"raw", true});
    for (std::size_t part = 0; part < parts.size(); ++part) {
      std::string content;
      std::tie(name, content) = foam_files(parts[part], style)[file];
      collated += foam_block(part == 0 ? content : content.substr(content.find("// * * *")));
    }
    write_part_of_mesh(poly_mesh / (style.compressed ? name + ".gz" : name),
                       style.compressed ? io::pack_gzip(collated) : collated);
  }
}

}  // namespace shoal::testing_support
