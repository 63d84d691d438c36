// SPDX-License-Identifier: Apache-2.0
// Fields of OpenFOAM beside the meshes that foam_cases.hpp writes.
#include <shoal/io/openfoam_field.hpp>

#include <limits>

#include "io/mesh/openfoam/foam_cases.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

struct OpenFoamFields : MeshFiles {
  std::filesystem::path mesh = folder / "case";
  std::vector<double> distance = {0.1, 2.5e-7};

  void write_mesh(const FoamStyle& style = {}) const {
    write_foam_mesh(mesh / "constant/polyMesh", two_cubes(), style);
  }
  void write_field(const OpenFoamField& field) const {
    write_openfoam_field(mesh, field, View<const double>(distance));
  }
  std::string refused(const OpenFoamField& field, const std::vector<double>& values) const {
    return refusal_of([&] { write_openfoam_field(mesh, field, View<const double>(values)); });
  }
};

TEST_F(OpenFoamFields, AreTextInACaseOfText) {
  write_mesh();
  write_field({.zero_patches = {"floor"}});
  EXPECT_EQ(read_text(mesh / "0/wallDistance"), R"(FoamFile
{
    version     2.0;
    format      ascii;
    arch        "LSB;label=32;scalar=64";
    class       volScalarField;
    location    "0";
    object      wallDistance;
}

dimensions      [0 1 0 0 0 0 0];

internalField   nonuniform List<scalar>
2
(
0.1
2.5e-07
);

boundaryField
{
    floor
    {
        type            fixedValue;
        value           uniform 0;
    }
    roof
    {
        type            zeroGradient;
    }
    ends
    {
        type            zeroGradient;
    }
    sides
    {
        type            symmetryPlane;
    }
}
)");
}

TEST_F(OpenFoamFields, HaveTheFormOfTheMeshUnlessAnotherIsNamed) {
  const auto raw = [&](const auto& values) { return "List<scalar>\n2\n(" + bytes_of(values) + ");\n"; };
  const std::vector<float> single(distance.begin(), distance.end());
  write_mesh({"binary", true, false, false, false, true, 64, 64});
  write_field({});
  EXPECT_THAT(read_text(mesh / "0/wallDistance"), HasSubstr("format      binary;\n    arch        \"LSB;label=64;"));
  EXPECT_THAT(read_text(mesh / "0/wallDistance"), HasSubstr(raw(distance)));
  write_mesh({"single", true, false, false, false, true, 32, 32});
  write_field({});
  EXPECT_THAT(read_text(mesh / "0/wallDistance"), HasSubstr("label=32;scalar=32"));
  EXPECT_THAT(read_text(mesh / "0/wallDistance"), HasSubstr(raw(single)));
  write_field({.format = OpenFoamFormat::binary});
  EXPECT_THAT(read_text(mesh / "0/wallDistance"), HasSubstr("label=32;scalar=64"));
  EXPECT_THAT(read_text(mesh / "0/wallDistance"), HasSubstr(raw(distance)));
  write_field({.format = OpenFoamFormat::ascii});
  EXPECT_THAT(read_text(mesh / "0/wallDistance"), HasSubstr("\n0.1\n"));
  std::filesystem::remove_all(mesh);
  write_mesh({"packed", false, false, true});
  write_field({.time = "1e+06", .name = "yWall"});
  EXPECT_THAT(unpack_gzip(read_text(mesh / "1e+06/yWall.gz"), "yWall.gz"), HasSubstr("location    \"1e+06\""));
}

TEST_F(OpenFoamFields, LieInTheTimeFoldersOfMeshesAndRegions) {
  write_foam_mesh(mesh / "constant/air/polyMesh", two_cubes());
  write_foam_mesh(mesh / "2/polyMesh", two_cubes());
  const auto files = [&](const char* path) { return openfoam_field_files(mesh / path, {.time = "0.5"}); };
  EXPECT_THAT(files("constant/air"), ElementsAre(mesh / "0.5/air/wallDistance"));
  EXPECT_THAT(files("constant/air/polyMesh/"), ElementsAre(mesh / "0.5/air/wallDistance"));
  EXPECT_THAT(files("2/polyMesh"), ElementsAre(mesh / "0.5/wallDistance"));
  write_mesh();
  write_text(mesh / "case.foam", "");
  EXPECT_THAT(files("case.foam"), ElementsAre(mesh / "0.5/wallDistance"));
  write_openfoam_field(mesh / "constant/air", {.time = "0.5"}, View<const double>(distance));
  EXPECT_THAT(read_text(mesh / "0.5/air/wallDistance"), HasSubstr("\n0.1\n2.5e-07\n"));
}

TEST_F(OpenFoamFields, OfDecomposedCasesAreInEachPart) {
  FoamMesh part = two_cubes();
  part.boundary = replaced(part.boundary, "type patch; nFaces 2; startFace 5", "type processor; nFaces 2; startFace 5");
  write_foam_mesh(mesh / "processor0/constant/polyMesh", two_cubes());
  write_foam_mesh(mesh / "processor1/constant/polyMesh", part);
  EXPECT_THAT(openfoam_field_files(mesh, {}),
              ElementsAre(mesh / "processor0/0/wallDistance", mesh / "processor1/0/wallDistance"));
  const std::vector<double> values = {1, 2, 3, 4};
  write_openfoam_field(mesh, {.zero_patches = {"floor", "ends"}}, View<const double>(values));
  EXPECT_THAT(read_text(mesh / "processor0/0/wallDistance"), HasSubstr("2\n(\n1\n2\n);"));
  const std::string second = read_text(mesh / "processor1/0/wallDistance");
  EXPECT_THAT(second, HasSubstr("2\n(\n3\n4\n);"));
  EXPECT_THAT(second, HasSubstr("    ends\n    {\n        type            processor;\n    }"));
  write_mesh();
  EXPECT_EQ(openfoam_field_files(mesh, {}).size(), 1);
  EXPECT_EQ(openfoam_field_files(mesh, {}, true).size(), 2);
}

TEST_F(OpenFoamFields, ThatDoNotFitAreRefused) {
  write_mesh();
  EXPECT_EQ(refused({}, {1, 2, 3}), "case: 3 values of wallDistance, and the mesh has 2 cells, expected one each.");
  EXPECT_EQ(refused({}, {1, std::numeric_limits<double>::quiet_NaN()}),
            "case: wallDistance of cell 1 is nan, expected a finite value.");
  EXPECT_EQ(refused({.zero_patches = {"flor"}}, distance),
            "case: there is no patch `flor`; did you mean `floor`? It has floor, roof, ends, sides.");
  EXPECT_THAT(refused({.time = "../0"}, distance), StartsWith("openfoam: `time` = \"../0\""));
  EXPECT_THAT(refused({.name = "a b"}, distance), StartsWith("openfoam: `name` = \"a b\""));
  EXPECT_THAT(refused({.time = ""}, distance), StartsWith("openfoam: `time` = \"\""));
  EXPECT_FALSE(std::filesystem::exists(mesh / "0"));
  write_text(mesh / "0", "a file");
  EXPECT_THAT(refused({}, distance), HasSubstr("the folder cannot be made"));
  write_text(folder / "m.su2", "NDIME= 2\n");
  EXPECT_EQ(refusal_of([&] { openfoam_field_files(folder / "m.su2", {}); }),
            "m.su2: this is no case of OpenFOAM, expected a folder, or a file such as case.foam in it.");
  const std::vector<double> spread = {1, 0, 2};
  EXPECT_THAT(refusal_of([&] { write_openfoam_field(mesh, {}, View<const double>(spread.data(), 2, {}, 2)); }),
              HasSubstr("with stride 2, expected contiguous values in host memory"));
}

}  // namespace
}  // namespace shoal::io
