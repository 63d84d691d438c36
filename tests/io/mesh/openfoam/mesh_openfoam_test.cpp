// SPDX-License-Identifier: Apache-2.0
// Meshes of OpenFOAM that are written here: two cubes, or a cube and a polyhedron, in every form of its files.
#include <shoal/io/mesh_values.hpp>

#include <cmath>

#include "io/mesh/openfoam/foam_cases.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct OpenFoamMeshes : MeshFiles {
  std::filesystem::path poly_mesh = folder / "case" / "constant" / "polyMesh";

  /// Leaves the mesh of the test as one file, a seed of tests/fuzz.
  void TearDown() override { write_text(folder / "mesh.polymesh", as_one_file(poly_mesh)); }
  MeshFile read_case(const FoamMesh& mesh, const FoamStyle& style = {}) const {
    write_foam_mesh(poly_mesh, mesh, style);
    return read_mesh(folder / "case");
  }
  /// Message of the error if one file of the mesh has this content.
  std::string message(const std::string& file, const std::string& content) const {
    write_foam_mesh(poly_mesh, two_cubes());
    write_part_of_mesh(poly_mesh / file, content);
    return refusal_of([&] { read_mesh(poly_mesh); });
  }
};

void expect_two_cubes(const MeshFile& mesh) {
  EXPECT_EQ(mesh.dimensions, 3);
  EXPECT_THAT(mesh.nodes.x, ElementsAre(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2));
  EXPECT_THAT(mesh.nodes.z, ElementsAre(0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1));
  EXPECT_THAT(mesh.cell_shape, ElementsAre(CellShape::hexahedron, CellShape::hexahedron));
  for (const CellCenter center : {CellCenter::mean, CellCenter::centroid}) {
    EXPECT_THAT(mesh.cell_centers(center).x, ElementsAre(0.5, 1.5));
    EXPECT_THAT(mesh.cell_centers(center).z, ElementsAre(0.5, 0.5));
  }
  EXPECT_THAT(marker_names(mesh), ElementsAre("floor", "roof", "ends", "sides"));
  EXPECT_THAT(mesh.markers[0].corners, ElementsAre(0, 3, 4, 1, 1, 4, 5, 2));
  EXPECT_EQ(mesh.markers[3].face_count(), 4);
}

TEST_F(OpenFoamMeshes, HaveCellsAndPatchesInEveryForm) {
  for (const FoamStyle& style : foam_styles) {
    SCOPED_TRACE(style.name);
    std::filesystem::remove_all(poly_mesh);
    expect_two_cubes(read_case(two_cubes(), style));
  }
}

TEST_F(OpenFoamMeshes, GivePatchesOfTypeWallUnlessOthersAreNamed) {
  const MeshFile mesh = read_case(two_cubes());
  EXPECT_THAT(mesh.walls().wall_names, ElementsAre("floor"));
  EXPECT_THAT(mesh.walls().z, Each(0));
  EXPECT_THAT(mesh.walls({"roof", "ends"}).wall_names, ElementsAre("roof", "ends"));
  EXPECT_EQ(refusal_of([&] { mesh.walls({"flor"}); }),
            "case: there is no wall `flor`; did you mean `floor`? It has floor, roof, ends, sides.");
  FoamMesh changed_mesh = two_cubes();
  changed_mesh.boundary =
      replaced(replaced(changed_mesh.boundary, "type wall; inGroups 1(wall)", "type patch; inGroups 1(low)"),
               "{ type symmetryPlane;", "{ type mappedWall; sampleRegion { a 1; } offset (0 0 0);");
  EXPECT_THAT(read_case(changed_mesh).walls().wall_names, ElementsAre("sides"));
  changed_mesh.boundary = replaced(changed_mesh.boundary, "1(low)", "List<word> 2(low wall)");
  EXPECT_THAT(read_case(changed_mesh).walls().wall_names, ElementsAre("floor", "sides"));
  changed_mesh.boundary =
      replaced(replaced(changed_mesh.boundary, "mappedWall", "mappedPatch"), "2(low wall)", "1(low)");
  EXPECT_EQ(refusal_of([&] { read_case(changed_mesh).walls(); }),
            "case: name the markers that are walls. It has floor, roof, ends, sides.");
}

TEST_F(OpenFoamMeshes, MayHavePolyhedra) {
  for (const FoamStyle& style : foam_styles) {
    SCOPED_TRACE(style.name);
    std::filesystem::remove_all(poly_mesh);
    const MeshFile mesh = read_case(cube_and_polyhedron(), style);
    EXPECT_THAT(mesh.cell_shape, ElementsAre(CellShape::hexahedron, CellShape::polyhedron));
    EXPECT_THAT(mesh.cell_start, ElementsAre(0, 8, 16));
    EXPECT_THAT(mesh.polyhedron_faces.cell_start, ElementsAre(0, 0, 7));
    EXPECT_EQ(mesh.polyhedron_faces.corners.size(), 5 * 4 + 2 * 3);
    EXPECT_THAT(std::vector(mesh.polyhedron_faces.corners.begin(), mesh.polyhedron_faces.corners.begin() + 4),
                ElementsAre(7, 10, 4, 1))
        << "the face between the cells, seen from its neighbor";
    EXPECT_THAT(mesh.cell_centers().x, ElementsAre(0.5, 1.5));
    EXPECT_THAT(mesh.cell_centers(CellCenter::centroid).x, ElementsAre(0.5, 1.5));
  }
}

/// A wedge of volume 1 with its centroid at a third of its width, as a polyhedron: one of its sides is in two triangles.
TEST_F(OpenFoamMeshes, OfPolyhedraHaveTheCentroidOfTheVolume) {
  FoamMesh wedge;
  wedge.points = {{5, 0, 0}, {8, 0, 0}, {5, 3, 0}, {5, 0, 3}, {8, 0, 3}, {5, 3, 3}};
  wedge.faces = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3}, {2, 3, 5}};
  wedge.owner = {0, 0, 0, 0, 0, 0};
  wedge.boundary = "1 ( walls { type wall; nFaces 6; startFace 0; } )\n";
  const MeshFile mesh = read_case(wedge);
  EXPECT_THAT(mesh.cell_shape, ElementsAre(CellShape::polyhedron));
  constexpr double rounding = 1e-14;  // sums of 18 tetrahedra with coordinates up to 8
  EXPECT_NEAR(mesh.cell_centers(CellCenter::centroid).x[0], 6, rounding);
  EXPECT_NEAR(mesh.cell_centers(CellCenter::centroid).y[0], 1, rounding);
  EXPECT_NEAR(mesh.cell_centers(CellCenter::centroid).z[0], 1.5, rounding);
  EXPECT_DOUBLE_EQ(mesh.cell_centers().x[0], 6);
}

TEST_F(OpenFoamMeshes, OfPolyhedraAreWrittenAsVtuWithTheirFaces) {
  const MeshFile mesh = read_case(cube_and_polyhedron());
  const MeshPoints centers = mesh.cell_centers();
  const MeshValues values{mesh, MeshPart::cells, centers};
  write_mesh_values(folder / "m.vtu", values);
  const std::string vtu = read_text(folder / "m.vtu");
  EXPECT_THAT(vtu, HasSubstr("Name=\"faces\""));
  const std::vector<std::int64_t> stream = {7, 4, 7, 10, 4, 1, 4, 1, 4, 5, 2, 4, 7, 8, 11, 10};
  EXPECT_THAT(vtu, HasSubstr(bytes_of(stream)));
  EXPECT_THAT(vtu, HasSubstr(bytes_of(std::vector<std::int64_t>{-1, 1 + 5 * 5 + 2 * 4}))) << "offsets";
  write_mesh_values(folder / "m.csv", values);
  EXPECT_EQ(
      refusal_of([&] { write_mesh_values(folder / "m.vtkhdf", values); }),
      "m.vtkhdf: VTKHDF 1.0 holds no polyhedra, and " + (folder / "case").string() + " has some. Write .vtu or .csv.");
  EXPECT_THAT(refusal_of([&] { read_mesh(folder / "m.vtu"); }), HasSubstr("42"));
}

TEST_F(OpenFoamMeshes, AreFoundFromEveryFolderOfACase) {
  write_foam_mesh(poly_mesh, two_cubes());
  write_text(folder / "case" / "case.foam", "");
  for (const char* const path : {"case", "case/constant", "case/constant/polyMesh", "case/case.foam", "case/"}) {
    SCOPED_TRACE(path);
    expect_two_cubes(read_mesh(folder / path));
  }
  write_foam_mesh(folder / "case/constant/air/polyMesh", cube_and_polyhedron());
  EXPECT_EQ(read_mesh(folder / "case/constant/air").cell_shape[1], CellShape::polyhedron);
  std::filesystem::rename(poly_mesh, folder / "mesh.v2");
  expect_two_cubes(read_mesh(folder / "mesh.v2"));
  EXPECT_EQ(refusal_of([&] { read_mesh(folder / "case"); }),
            "case: there is no mesh of OpenFOAM in this folder, expected constant/polyMesh, or "
            "processor0/constant/polyMesh.");
  EXPECT_EQ(refusal_of([&] { read_mesh(folder / "none.foam"); }), "none.foam: there is no such file.");
  EXPECT_EQ(refusal_of([&] { read_mesh(folder / "mesh.v2", {.marker_array = "a"}); }),
            "mesh.v2: a .foam file names its markers itself; `marker_array` is for VTK.");
}

/// Two cubes of which each is the mesh of one processor.
struct DecomposedOpenFoamMeshes : OpenFoamMeshes {
  void write_part(int number, const FoamMesh& mesh) const {
    write_foam_mesh(folder / "case" / ("processor" + std::to_string(number)) / "constant" / "polyMesh", mesh);
  }
};

TEST_F(DecomposedOpenFoamMeshes, HaveTheWallsOfAllProcessors) {
  write_part(0, foam_part(0, "1"));
  write_part(1, foam_part(1, "1"));
  const MeshFile mesh = read_mesh(folder / "case");
  EXPECT_EQ(mesh.cell_count(), 2);
  EXPECT_EQ(mesh.nodes.count(), 16);
  EXPECT_THAT(mesh.cell_centers().x, ElementsAre(0.5, 1.5));
  EXPECT_THAT(marker_names(mesh), ElementsAre("floor", "rest"));
  const WallMesh walls = mesh.walls();
  EXPECT_EQ(walls.face_count(), 2);
  EXPECT_EQ(walls.point_count(), 6) << "the points between the parts are one";
  EXPECT_EQ(read_mesh(folder / "case/processor1").cell_centers().x, std::vector{1.5});
}

TEST_F(DecomposedOpenFoamMeshes, MayHavePartsWithoutFacesOfAWall) {
  write_part(0, foam_part(0, "0"));
  write_part(1, foam_part(1, "1"));
  const MeshFile mesh = read_mesh(folder / "case");
  EXPECT_EQ(mesh.markers[0].face_count(), 1);
  EXPECT_EQ(mesh.markers[1].face_count(), 9);
  EXPECT_THAT(mesh.walls().x, ElementsAre(1, 2, 1, 2));
}

TEST_F(DecomposedOpenFoamMeshes, AreReadFromTheCaseUnlessThePartsAreWanted) {
  write_part(0, foam_part(0, "1"));
  write_foam_mesh(poly_mesh, two_cubes());
  expect_two_cubes(read_mesh(folder / "case"));
  EXPECT_EQ(read_mesh(folder / "case", {.decomposed = true}).cell_count(), 1);
  EXPECT_EQ(refusal_of([&] { read_mesh(poly_mesh, {.decomposed = true}); }),
            (poly_mesh.string() + ": there is no mesh of OpenFOAM in this folder, expected "
                                  "processor0/constant/polyMesh.")
                .substr(folder.path().string().size() + 1));
  write_text(folder / "m.su2", "NDIME= 2\n");
  EXPECT_EQ(refusal_of([&] { read_mesh(folder / "m.su2", {.decomposed = true}); }),
            "m.su2: `decomposed` is for OpenFOAM, and this is a .su2 file.");
}

TEST_F(DecomposedOpenFoamMeshes, ThatLackPartsAreRefused) {
  write_part(0, foam_part(0, "1"));
  write_part(2, foam_part(1, "1"));
  const auto refused = [&] { return refusal_of([&] { read_mesh(folder / "case"); }); };
  EXPECT_EQ(refused(), "case: processor1 is missing, and there is processor2. Decompose the case again.");
  write_part(1, foam_part(1, "1"));
  std::filesystem::remove(folder / "case/processor1/constant/polyMesh/owner");
  EXPECT_EQ(refused(), "case/processor1/constant/polyMesh/owner: there is no such file.");
  FoamMesh changed_mesh = foam_part(1, "1");
  changed_mesh.boundary = replaced(changed_mesh.boundary, "type wall", "type patch");
  write_part(1, changed_mesh);
  EXPECT_EQ(
      refused(),
      "case/processor1/constant/polyMesh/boundary: patch floor is no wall, and one in the parts before. Decompose "
      "the case again.");
}

TEST_F(OpenFoamMeshes, MayHaveFormsOfOldAndHandmadeFiles) {
  FoamMesh one;
  one.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  one.faces = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  one.owner = {0, 0, 0, 0};
  one.boundary = "1\n(\n\"a wall\" // in quotes\n{ type wall; /* all */ nFaces 4; startFace 0; } )";
  write_foam_mesh(poly_mesh, one);
  write_text(poly_mesh / "owner", foam_header("labelList") + "4{0}\n");
  write_text(poly_mesh / "neighbour", foam_header("labelList") + "4{-1}");
  const MeshFile mesh = read_mesh(poly_mesh);
  EXPECT_THAT(mesh.cell_shape, ElementsAre(CellShape::tetrahedron));
  EXPECT_THAT(mesh.cell_centers().x, ElementsAre(0.25));
  EXPECT_THAT(marker_names(mesh), ElementsAre("\"a wall\""));
  const FoamStyle binary{"binary", true};
  for (const char* const empty : {"0", "0()", "0\n(\n)\n"}) {
    write_text(poly_mesh / "neighbour", foam_header("labelList", binary) + empty);
    EXPECT_EQ(read_mesh(poly_mesh).cell_count(), 1) << empty;
  }
  write_text(poly_mesh / "owner", foam_header("labelList", binary) + "4{" + bytes_of<std::int32_t>({0}) + "}");
  EXPECT_EQ(read_mesh(poly_mesh).cell_count(), 1);
}

TEST_F(OpenFoamMeshes, ThatAreCutShortAreRefused) {
  constexpr std::size_t every = 3;  // the styles begin with other sizes
  std::size_t first = 0;
  for (const FoamStyle& style : foam_styles) {
    if (style.swapped || style.label != 32) continue;
    SCOPED_TRACE(style.name);
    std::filesystem::remove_all(poly_mesh);
    write_foam_mesh(poly_mesh, cube_and_polyhedron(), style);
    for (const auto& [name, content] : foam_files(cube_and_polyhedron(), style)) {
      const std::string whole = style.compressed ? pack_gzip(content) : content;
      const std::filesystem::path file = poly_mesh / (style.compressed ? name + ".gz" : name);
      const std::size_t needed = style.compressed ? whole.size() : whole.rfind(')') + 1;
      for (std::size_t size = first; size < needed; size += every) {
        write_part_of_mesh(file, std::string_view(whole).substr(0, size));
        EXPECT_THAT(refusal_of([&] { read_mesh(poly_mesh); }), HasSubstr(name)) << size;
      }
      write_part_of_mesh(file, std::string_view(whole).substr(0, needed));
      EXPECT_EQ(read_mesh(poly_mesh).cell_count(), 2);
    }
    first = (first + 1) % every;
  }
}

/// Folder of the files of the mesh, as messages show it.
constexpr const char* mesh_folder = "case/constant/polyMesh/";

TEST_F(OpenFoamMeshes, WithoutAFileAreRefusedByItsName) {
  for (const char* const name : {"points", "faces", "owner", "neighbour", "boundary"}) {
    write_foam_mesh(poly_mesh, two_cubes());
    std::filesystem::remove(poly_mesh / name);
    EXPECT_EQ(refusal_of([&] { read_mesh(folder / "case"); }),
              std::string(mesh_folder) + name + ": there is no such file.");
    std::filesystem::create_directory(poly_mesh / name);
    EXPECT_EQ(refusal_of([&] { read_mesh(folder / "case"); }),
              std::string(mesh_folder) + name + ": this is a folder, expected a file of OpenFOAM.");
    std::filesystem::remove(poly_mesh / name);
  }
}

TEST_F(OpenFoamMeshes, WithHeadersOfOtherFilesAreRefused) {
  const std::string points = foam_points(two_cubes());
  const auto changed = [&](const char* before, const char* after) {
    return message("points", replaced(points, before, after));
  };
  EXPECT_EQ(message("points", "1 2 3"),
            std::string(mesh_folder) + "points:1:1: this is no file of OpenFOAM: it does not begin with FoamFile.");
  EXPECT_EQ(changed("class vectorField", "class labelList"),
            std::string(mesh_folder) + "points:8:1: the header says class labelList, expected vectorField.");
  EXPECT_EQ(changed("    class vectorField;\n", ""),
            std::string(mesh_folder) + "points:7:1: the header has no class, expected vectorField.");
  EXPECT_EQ(changed("format ascii", "format json"),
            std::string(mesh_folder) + "points:5:12: format json, expected ascii or binary.");
  EXPECT_EQ(changed("LSB;", "PDP;"), std::string(mesh_folder) +
                                         "points:6:10: arch \"PDP;label=32;scalar=64\", expected LSB or "
                                         "MSB, label= and scalar=.");
  EXPECT_EQ(changed("label=32", "label=16"),
            std::string(mesh_folder) + "points:6:10: arch \"LSB;label=16;scalar=64\", expected 32 or 64 after label=.");
  EXPECT_EQ(changed(";scalar=64", ""),
            std::string(mesh_folder) + "points:6:10: arch \"LSB;label=32\" has no scalar=32 or 64.");
  EXPECT_EQ(changed("version 2.0;", "#include \"version\""),
            std::string(mesh_folder) +
                "points:4:5: \"#include\": directives and macros are not supported. Write their values "
                "here.");
  EXPECT_EQ(
      message("faces", points),
      std::string(mesh_folder) + "faces:8:1: the header says class vectorField, expected faceCompactList or faceList.");
  EXPECT_EQ(message("points.gz", "x").substr(0, 8), "no error") << "the file without .gz is preferred";
  std::filesystem::remove(poly_mesh / "points");
  EXPECT_THAT(refusal_of([&] { read_mesh(poly_mesh); }),
              HasSubstr("points.gz: byte 1: cut short: the compressed data go on."));
  write_text(poly_mesh / "points.gz", "this is text");
  EXPECT_THAT(refusal_of([&] { read_mesh(poly_mesh); }), HasSubstr("this is no gzip, or it is damaged"));
}

TEST_F(OpenFoamMeshes, WithWrongPointsSayWhere) {
  const std::string points = foam_points(two_cubes());
  const auto changed = [&](const char* before, const char* after) {
    return message("points", replaced(points, before, after));
  };
  EXPECT_EQ(changed("(1.000000 0.000000 0.000000)", "(nan 0 0)"),
            std::string(mesh_folder) + "points:12:2: a coordinate is nan, expected a finite one.");
  EXPECT_EQ(changed("(1.000000 0.000000 0.000000)", "(one 0 0)"),
            std::string(mesh_folder) + "points:12:2: \"one\" is not a number, expected a coordinate.");
  EXPECT_EQ(changed("(1.000000 0.000000 0.000000)", "(1 0)"),
            std::string(mesh_folder) + "points:12:5: \")\" is not a number, expected a coordinate.");
  EXPECT_EQ(changed("(1.000000 0.000000 0.000000)", "(1 0 0 0)"),
            std::string(mesh_folder) + "points:12:8: \"0\", expected ) after the coordinates of a point.");
  EXPECT_EQ(changed("\n12\n", "\n11\n"), std::string(mesh_folder) + "points:22:1: \"(\", expected ) after 11 points.");
  EXPECT_EQ(changed("\n12\n", "\n13\n"),
            std::string(mesh_folder) + "points:23:1: \")\", expected ( before the coordinates of point 12 of 13.");
  EXPECT_EQ(changed("\n12\n", "\n-1\n"), std::string(mesh_folder) +
                                             "points:10:1: -1 as the number of points, expected 0 to " +
                                             std::to_string(replaced(points, "\n12\n", "\n-1\n").size()) + ".");
  EXPECT_EQ(changed("\n12\n", "\n1e2\n"),
            std::string(mesh_folder) + "points:10:1: \"1e2\" is not an integer, expected the number of points.");
  EXPECT_EQ(message("points", points + "7"),
            std::string(mesh_folder) + "points:24:1: more follows the last list, expected the end of the file.");
  EXPECT_EQ(message("points", points + "/* no end"),
            std::string(mesh_folder) + "points:24:1: cut short: the comment that begins here does not end.");
}

TEST_F(OpenFoamMeshes, WithWrongFacesSayWhere) {
  FoamMesh mesh = two_cubes();
  mesh.faces[2] = {1, 4, 12, 2};
  EXPECT_EQ(message("faces", foam_faces(mesh)),
            std::string(mesh_folder) + "faces:17:6: 12 as a point of a face, expected 0 to 11.");
  const FoamStyle binary{"binary", true, true};
  const std::size_t corner = foam_header("faceCompactList", binary).size() + 4 + 12 * 4 + 2 + 4 + (2 * 4 + 2) * 4;
  EXPECT_EQ(message("faces", foam_faces(mesh, binary)), std::string(mesh_folder) + "faces: byte " +
                                                            std::to_string(corner) +
                                                            ": 12 as a point of a face, expected 0 to 11.");
  mesh.faces[2] = {1, -4, 5, 2};
  EXPECT_EQ(message("faces", foam_faces(mesh)),
            std::string(mesh_folder) + "faces:17:4: -4 as a point of a face, expected 0 to 11.");
  mesh.faces[2] = {1, 4};
  EXPECT_EQ(message("faces", foam_faces(mesh)),
            std::string(mesh_folder) + "faces:17:6: face 2 has 2 corners, expected 3 or more.");
  EXPECT_THAT(message("faces", foam_faces(mesh, {"compact", false, true})),
              HasSubstr("face 2 has 2 corners, expected 3 or more."));
  const std::string compact = foam_faces(two_cubes(), {"compact", false, true});
  EXPECT_THAT(message("faces", replaced(compact, "(0 4 ", "(1 4 ")), HasSubstr("face 0 begin at 1, expected 0."));
  EXPECT_THAT(message("faces", replaced(compact, "40 44 )", "40 43 )")),
              HasSubstr("44 corners of faces, expected 43, where the last offset points."));
}

TEST_F(OpenFoamMeshes, WithWrongCellsSayWhere) {
  const auto owners = [&](std::vector<std::int64_t> owner) { return message("owner", foam_labels(owner)); };
  EXPECT_EQ(owners({0, 0, 1}), std::string(mesh_folder) + "owner: 3 owners, expected 11, one for each face.");
  EXPECT_EQ(owners(std::vector<std::int64_t>(12, 0)),
            std::string(mesh_folder) + "owner:10:1: 12 as the number of owners, expected 0 to 11.");
  EXPECT_EQ(owners({0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 11}),
            std::string(mesh_folder) + "owner:11:22: 11 as the owner of a face, expected 0 to 10.");
  EXPECT_EQ(owners({0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 3}),
            std::string(mesh_folder) + "owner: cell 2 of 4 has 0 faces, expected 4 or more.");
  EXPECT_EQ(message("owner", replaced(foam_labels(two_cubes().owner), "\n11\n", "\n10\n")),
            std::string(mesh_folder) + "owner:11:22: \"1\", expected ) after 10 entries.");
  EXPECT_EQ(message("owner", replaced(foam_labels(two_cubes().owner), "1 )", ")")),
            std::string(mesh_folder) + "owner:11:22: cut short: the list ends, expected the owner of a face.");
  EXPECT_EQ(message("neighbour", foam_labels({0})),
            std::string(mesh_folder) + "neighbour: face 0 has cell 0 on both sides, expected two cells.");
  EXPECT_EQ(message("neighbour", foam_labels({-1, 1})),
            std::string(mesh_folder) +
                "neighbour: face 0 has no neighbor, and later faces have one. Expected the faces between "
                "cells first.");
  EXPECT_EQ(message("neighbour", foam_labels({-2})),
            std::string(mesh_folder) + "neighbour:11:2: -2 as the neighbor of a face, expected -1 to 10.");
}

TEST_F(OpenFoamMeshes, WithWrongPatchesSayWhere) {
  const std::string boundary = foam_boundary(two_cubes());
  const auto changed = [&](const char* before, const char* after) {
    return message("boundary", replaced(boundary, before, after));
  };
  EXPECT_EQ(changed("startFace 3", "startFace 4"),
            std::string(mesh_folder) +
                "boundary:13:45: patch roof begins at face 4, expected 3, where the faces before it end.");
  EXPECT_EQ(changed("nFaces 4", "nFaces 5"),
            std::string(mesh_folder) + "boundary:15:40: 5 as the number of faces of a patch, expected 0 to 4.");
  EXPECT_EQ(changed("nFaces 4", "nFaces 3"),
            std::string(mesh_folder) + "boundary: its patches end at face 10, expected 11, the number of faces.");
  EXPECT_EQ(changed("nFaces 4; ", ""), std::string(mesh_folder) + "boundary:15:46: patch sides lacks nFaces.");
  EXPECT_EQ(changed(" startFace 7;", ""), std::string(mesh_folder) + "boundary:15:43: patch sides lacks startFace.");
  EXPECT_EQ(changed("type symmetryPlane; ", ""), std::string(mesh_folder) + "boundary:15:36: patch sides lacks type.");
  EXPECT_EQ(changed("    roof  {", "    floor {"),
            std::string(mesh_folder) + "boundary:13:5: two patches are called floor, expected one.");
  EXPECT_EQ(changed("4\n(", "5\n("),
            std::string(mesh_folder) + "boundary:16:1: cut short: the list ends after 4 patches.");
  EXPECT_EQ(changed("4\n(", "3\n("),
            std::string(mesh_folder) + "boundary:15:5: \"sides\", expected ) after 3 patches.");
  EXPECT_EQ(changed("startFace 7;", "startFace 7"),
            std::string(mesh_folder) + "boundary:15:55: }, expected ; after an entry.");
  EXPECT_EQ(changed("type patch; nFaces 2; startFace 3", "$defaults; startFace 3"),
            std::string(mesh_folder) +
                "boundary:13:13: \"$defaults\": directives and macros are not supported. Write their values "
                "here.");
}

}  // namespace
}  // namespace shoal::io
