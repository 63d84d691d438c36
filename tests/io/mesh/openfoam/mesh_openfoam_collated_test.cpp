// SPDX-License-Identifier: Apache-2.0
// Collated cases of OpenFOAM: two cubes, of which each is a block of the files in processors2.
#include <shoal/io/openfoam_field.hpp>

#include "io/mesh/openfoam/foam_cases.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

struct CollatedOpenFoamMeshes : MeshFiles {
  std::filesystem::path poly_mesh = folder / "case" / "processors2" / "constant" / "polyMesh";
  std::vector<FoamMesh> parts = {foam_part(0, "1"), foam_part(1, "1")};

  /// Leaves the mesh of the test as one file, a seed of tests/fuzz.
  void TearDown() override {
    if (std::filesystem::exists(poly_mesh)) write_text(folder / "mesh.collated", as_one_file(poly_mesh));
  }
  MeshFile read_case() const { return read_mesh(folder / "case"); }
  std::string refused() const {
    return refusal_of([&] { read_case(); });
  }
  /// Message of the error if `owner` has this content.
  std::string refused_owner(const std::string& content) const {
    write_part_of_mesh(poly_mesh / "owner", content);
    return refused();
  }
};

constexpr const char* collated_folder = "case/processors2/constant/polyMesh/";

void expect_two_parts(const MeshFile& mesh) {
  EXPECT_EQ(mesh.nodes.count(), 16);
  EXPECT_THAT(mesh.cell_shape, ElementsAre(CellShape::hexahedron, CellShape::hexahedron));
  EXPECT_THAT(mesh.cell_centers().x, ElementsAre(0.5, 1.5));
  EXPECT_THAT(marker_names(mesh), ElementsAre("floor", "rest"));
  EXPECT_EQ(mesh.walls().face_count(), 2);
  EXPECT_EQ(mesh.walls().point_count(), 6);
}

TEST_F(CollatedOpenFoamMeshes, HaveThePartsOfAllProcessorsInEveryForm) {
  for (const FoamStyle& style : foam_styles) {
    SCOPED_TRACE(style.name);
    std::filesystem::remove_all(poly_mesh);
    write_collated_mesh(poly_mesh, parts, style);
    expect_two_parts(read_case());
  }
}

TEST_F(CollatedOpenFoamMeshes, AreFoundFromTheFolderOfTheProcessors) {
  write_collated_mesh(poly_mesh, parts);
  for (const char* const path : {"case/processors2", "case/processors2/constant/polyMesh", "case/processors2/constant"})
    expect_two_parts(read_mesh(folder / path));
  write_foam_mesh(folder / "case/constant/polyMesh", two_cubes());
  EXPECT_EQ(read_case().nodes.count(), 12) << "the mesh of the case itself";
  expect_two_parts(read_mesh(folder / "case", {.decomposed = true}));
}

/// Several processes can write the files of some processors each.
TEST_F(CollatedOpenFoamMeshes, MayHaveSeveralFolders) {
  const auto path = [&](const char* name) { return folder / "case" / name / "constant" / "polyMesh"; };
  write_collated_mesh(path("processors2_0-0"), {parts[0]});
  write_collated_mesh(path("processors2_1-1"), {parts[1]});
  expect_two_parts(read_case());
  std::filesystem::remove_all(folder / "case/processors2_1-1");
  EXPECT_EQ(refused(),
            "case/processors2_0-0: a case of 2 processors, and there are 1, expected all of one decomposition. "
            "Decompose the case again.");
  write_collated_mesh(path("processors3_2-2"), {parts[1]});
  EXPECT_EQ(refused(), "case: processor1 is missing, and there is processor2. Decompose the case again.");
  write_collated_mesh(path("processors3_0-1"), parts);
  EXPECT_THAT(refused(), HasSubstr("the case is decomposed twice, also in processors"));
}

TEST_F(CollatedOpenFoamMeshes, ThatAreDecomposedTwiceAreRefused) {
  write_collated_mesh(poly_mesh, parts);
  write_foam_mesh(folder / "case/processor0/constant/polyMesh", parts[0]);
  EXPECT_EQ(refused(),
            "case: the case is decomposed twice, in processor folders and in collated ones. Remove one of them.");
  std::filesystem::remove_all(folder / "case/processor0");
  for (const char* const name : {"processors", "processors0", "processors2_1-0", "processors2_1-2", "processors2_1",
                                 "processors2_0-1x", "processors99999999999999999999"})
    std::filesystem::create_directories(folder / "case" / name);
  expect_two_parts(read_case());
}

TEST_F(CollatedOpenFoamMeshes, WithOtherBlocksAreRefused) {
  write_collated_mesh(poly_mesh, parts);
  const std::string header = foam_header("decomposedBlockData"), block = foam_labels({0, 0, 0, 0, 0, 0}),
                    second = "6(0 0 0 0 0 0)", owner = std::string(collated_folder) + "owner";
  EXPECT_EQ(refused_owner(header + foam_block(block) + foam_block(second)), "no error");
  EXPECT_EQ(refused_owner(header + foam_block(block)),
            owner + ": it has 1 blocks, expected 2, one for each processor. Decompose the case again.");
  EXPECT_EQ(refused_owner(header),
            owner + ": it has 0 blocks, expected 2, one for each processor. Decompose the case again.");
  EXPECT_EQ(refused_owner(header + foam_block(block) + foam_block(second) + foam_block(second)),
            owner + ": it has 3 blocks, expected 2, one for each processor. Decompose the case again.");
  EXPECT_EQ(refused_owner(header + foam_block(block) + foam_block("6(0 0 0 0 0 7)")),
            owner + ", processor 1:1:13: 7 as the owner of a face, expected 0 to 5.");
  EXPECT_EQ(refused_owner(header + foam_block(block) + foam_block("5(0 0 0 0 0)")),
            owner + ", processor 1: 5 owners, expected 6, one for each face.");
  EXPECT_EQ(refused_owner(header + foam_block(second) + foam_block(second)),
            owner + ", processor 0:1:1: this is no file of OpenFOAM: it does not begin with FoamFile.");
  EXPECT_EQ(refused_owner(header + foam_block(foam_header("faceList") + second) + foam_block(second)),
            owner + ", processor 0:8:1: the header says class faceList, expected labelList.");
  EXPECT_EQ(refused_owner(block), owner + ":8:1: the header says class labelList, expected decomposedBlockData.");
  EXPECT_THAT(refused_owner(header + "\n-1()"), HasSubstr("-1 as the number of bytes, expected 0 to "));
  EXPECT_THAT(refused_owner(header + "\n9000000000000000000()"), HasSubstr("as the number of bytes, expected 0 to "));
  EXPECT_THAT(refused_owner(header + "\n20(short)"), HasSubstr("cut short: 20 bytes are to come, a block"));
  EXPECT_THAT(refused_owner(header + "\n2(longer)"), HasSubstr("expected ) after 2 bytes of a block."));
}

TEST_F(CollatedOpenFoamMeshes, ThatAreCutShortAreRefused) {
  for (const FoamStyle& style : {foam_styles[0], foam_styles[3], foam_styles[5]}) {
    SCOPED_TRACE(style.name);
    std::filesystem::remove_all(poly_mesh);
    write_collated_mesh(poly_mesh, parts, style);
    for (const char* const name : {"points", "faces", "owner", "neighbour", "boundary"}) {
      const std::filesystem::path file = poly_mesh / (style.compressed ? std::string(name) + ".gz" : name);
      const std::string whole = read_text(file);
      const std::size_t needed = style.compressed ? whole.size() : whole.rfind(')') + 1;
      for (std::size_t size = 0; size < needed; size += 3) {
        write_part_of_mesh(file, std::string_view(whole).substr(0, size));
        EXPECT_THAT(refused(), HasSubstr(name)) << size;
      }
      write_part_of_mesh(file, whole);
    }
    expect_two_parts(read_case());
  }
}

/// Fields are collated, too, with the form of the mesh in each block.
TEST_F(CollatedOpenFoamMeshes, HaveCollatedFields) {
  const std::vector<double> values = {0.5, 0.25};
  for (const bool is_binary : {false, true}) {
    std::filesystem::remove_all(folder / "case");
    write_collated_mesh(poly_mesh, parts, is_binary ? foam_styles[3] : foam_styles[0]);
    EXPECT_THAT(openfoam_field_files(folder / "case", {}), ElementsAre(folder / "case/processors2/0/wallDistance"));
    write_openfoam_field(folder / "case", {.zero_patches = {"floor"}}, View<const double>(values));
    const std::string field = read_text(folder / "case/processors2/0/wallDistance");
    EXPECT_THAT(field, StartsWith("FoamFile\n{\n    version     2.0;\n    format      binary;\n"));
    EXPECT_THAT(field, HasSubstr("    class       decomposedBlockData;\n"));
    const std::size_t second = field.find("\n// Processor1\n\n");
    ASSERT_NE(second, std::string::npos);
    const std::string first_block = field.substr(field.find("\n// Processor0\n\n"), second);
    EXPECT_THAT(first_block, HasSubstr("    class       volScalarField;\n"));
    EXPECT_THAT(first_block, HasSubstr(is_binary ? "format      binary" : "format      ascii"));
    EXPECT_THAT(first_block, HasSubstr(is_binary ? "1\n(" + bytes_of(std::vector{0.5}) + ")" : "1\n(\n0.5\n)"));
    EXPECT_THAT(field.substr(second), HasSubstr(is_binary ? bytes_of(std::vector{0.25}) : "1\n(\n0.25\n)"));
    EXPECT_THAT(field.substr(second), testing::Not(HasSubstr("FoamFile")));
    EXPECT_THAT(field.substr(second), HasSubstr("value           uniform 0;"));
    std::int64_t bytes = 0;
    const std::string block = field.substr(second + std::string("\n// Processor1\n\n").size());
    const std::size_t begin = block.find('(') + 1;
    bytes = std::stoll(block);
    EXPECT_EQ(block.substr(begin + static_cast<std::size_t>(bytes)), ")\n");
  }
}

}  // namespace
}  // namespace shoal::io
