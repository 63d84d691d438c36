// SPDX-License-Identifier: Apache-2.0
// Meshes of Fluent, text and binary: a cube and a polyhedron, or a quadrilateral and a triangle.
#include <sstream>

#include "io/mesh/openfoam/foam_cases.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// Form of a file: the thousands of its sections, 0: text, 2: float, 3: double.
enum class Form { text = 0, single = 2, exact = 3 };

/// A zone of faces.
struct Zone {
  int number, condition, type;  ///< type 0: of mixed lengths
  std::size_t first, end;
};

class FluentWriter {
 public:
  explicit FluentWriter(Form form) : form_(form) {}

  std::string str() const { return out_.str(); }
  FluentWriter& text(const std::string& line) {
    out_ << line << '\n';
    return *this;
  }
  void nodes(const std::vector<std::vector<double>>& points, int dimensions) {
    out_ << "(10 (0 1 " << std::hex << points.size() << " 0))\n";
    begin(10, "1 1 ", points.size(), "1 " + std::to_string(dimensions));
    for (const auto& point : points)
      for (int axis = 0; axis < dimensions; ++axis) real(point[static_cast<std::size_t>(axis)]);
    end(10);
  }
  void cells(std::size_t count) {
    out_ << "(12 (0 1 " << std::hex << count << " 0))\n(12 (2 1 " << count << " 1 7))\n";
  }
  void faces(const FoamMesh& mesh, const Zone& zone) {
    std::ostringstream range;
    range << std::hex << zone.number << ' ' << zone.first + 1 << ' ';
    begin(13, range.str(), zone.end, std::to_string(zone.condition) + " " + std::to_string(zone.type));
    for (std::size_t face = zone.first; face < zone.end; ++face) {
      if (zone.type == 0 || zone.type == 5) integer(static_cast<std::int64_t>(mesh.faces[face].size()));
      for (const std::int64_t corner : mesh.faces[face]) integer(corner + 1);
      integer(mesh.owner[face] + 1);
      integer(face < mesh.neighbor.size() ? mesh.neighbor[face] + 1 : 0);
      if (form_ == Form::text) out_ << '\n';
    }
    end(13);
  }

 private:
  void begin(int section, const std::string& first, std::size_t last, const std::string& rest) {
    out_ << '(' << std::dec << 1000 * static_cast<int>(form_) + section << " (" << first << std::hex << last << ' '
         << rest << ")(\n";
  }
  void end(int section) {
    out_ << ')';
    if (form_ == Form::text)
      out_ << ")\n";
    else
      out_ << "\nEnd of Binary Section   " << std::dec << 1000 * static_cast<int>(form_) + section << ")\n";
  }
  void integer(std::int64_t value) {
    if (form_ == Form::text)
      out_ << std::hex << value << ' ';
    else
      out_ << bytes_of(std::vector{static_cast<std::int32_t>(value)});
  }
  void real(double value) {
    if (form_ == Form::text)
      out_ << value << '\n';
    else if (form_ == Form::single)
      out_ << bytes_of(std::vector{static_cast<float>(value)});
    else
      out_ << bytes_of(std::vector{value});
  }

  Form form_;
  std::ostringstream out_;
};

/// File of cube_and_polyhedron(); the faces between the cells, then floor, roof, ends and sides.
std::string cube_and_polyhedron_file(Form form, const FoamMesh& mesh = cube_and_polyhedron()) {
  FluentWriter out(form);
  out.text("(0 \"a mesh (of two cells\")").text("(1 \"shoal\")").text("(2 3)");
  out.nodes(mesh.points, 3);
  out.cells(2);
  out.faces(mesh, {3, 2, 4, 0, 1});
  out.faces(mesh, {16, 3, 4, 1, 3});
  out.faces(mesh, {5, 3, 5, 3, 5});
  out.faces(mesh, {6, 4, 0, 5, 8});
  out.faces(mesh, {7, 7, 4, 8, 12});
  out.text("(37 (a (b \")\") c))").text("(45 (2 fluid air)())").text("(45 (3 interior inside)())");
  out.text("(45 (16 wall floor)())").text("(39 (5 wall roof 1)())").text("(45 (6 pressure-inlet ends)())");
  return out.str();
}

void expect_cube_and_polyhedron(const MeshFile& mesh) {
  EXPECT_THAT(mesh.nodes.x, ElementsAre(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2));
  EXPECT_THAT(mesh.cell_shape, ElementsAre(CellShape::hexahedron, CellShape::polyhedron));
  EXPECT_THAT(mesh.cell_centers(CellCenter::centroid).x, ElementsAre(0.5, 1.5));
  EXPECT_THAT(marker_names(mesh), ElementsAre("floor", "roof", "ends", "zone 7"));
  EXPECT_THAT(mesh.walls().wall_names, ElementsAre("floor", "roof"));
  EXPECT_THAT(mesh.walls({"floor"}).z, Each(0));
  EXPECT_EQ(mesh.walls({"ends"}).face_count(), 3);
  EXPECT_EQ(mesh.walls({"zone 7"}).face_count(), 4);
}

using FluentMeshes = MeshFiles;

TEST_F(FluentMeshes, HaveCellsAndZonesInEveryForm) {
  for (const Form form : {Form::text, Form::single, Form::exact}) {
    SCOPED_TRACE(static_cast<int>(form));
    const std::string content = cube_and_polyhedron_file(form);
    expect_cube_and_polyhedron(read("m.cas", content));
    expect_cube_and_polyhedron(read("m.msh", content));
  }
}

FoamMesh plane() {
  FoamMesh mesh;
  mesh.points = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {2, 0}};
  mesh.faces = {{1, 2}, {2, 3}, {0, 3}, {0, 1}, {4, 1}, {2, 4}};
  mesh.owner = {0, 0, 0, 0, 1, 1};
  mesh.neighbor = {1};
  return mesh;
}

std::string plane_file(Form form, const FoamMesh& mesh = plane()) {
  FluentWriter out(form);
  out.text("(2 2)");
  out.nodes(mesh.points, 2);
  out.cells(2);
  out.faces(mesh, {3, 2, 2, 0, 1});
  out.faces(mesh, {4, 3, 2, 1, 4});
  out.faces(mesh, {5, 9, 0, 4, 6});
  return out.str();
}

TEST_F(FluentMeshes, OfThePlaneHavePolygons) {
  for (const Form form : {Form::text, Form::single, Form::exact}) {
    const MeshFile mesh = read("m.cas", plane_file(form));
    EXPECT_EQ(mesh.dimensions, 2);
    EXPECT_THAT(mesh.cell_shape, ElementsAre(CellShape::quadrilateral, CellShape::triangle));
    EXPECT_THAT(mesh.cell_centers().x, ElementsAre(0.5, 4.0 / 3));
    EXPECT_THAT(mesh.walls().wall_names, ElementsAre("zone 4"));
    EXPECT_EQ(mesh.walls({"zone 5"}).face_count(), 2);
  }
}

TEST_F(FluentMeshes, ThatDoNotFitSayWhere) {
  const std::string good = plane_file(Form::text);
  const auto changed = [&](const char* before, const char* after) {
    return refusal("m.cas", replaced(good, before, after));
  };
  EXPECT_EQ(changed("(2 2)", "(2 4)"), "m.cas:1:4: 4 dimensions, expected 2 or 3.");
  EXPECT_THAT(changed("(2 2)", ""), HasSubstr("expected the dimensions, (2 2) or (2 3), before nodes and faces."));
  EXPECT_EQ(changed("(2 2)", "2 2"), "m.cas:1:1: \"2\", expected ( before a section.");
  EXPECT_EQ(changed("(2 2)", "(two 2)"), "m.cas:1:2: \"two\" is not an integer, expected the number of a section.");
  EXPECT_EQ(changed("(10 (0 1 5 0))", "(10 (0 1 fffffff 0))"),
            "m.cas:2:19: nodes 1 to 268435455, expected numbers from 1 to " + std::to_string(good.size() + 6) + ".");
  EXPECT_EQ(changed("(10 (0 1 5 0))", "(10 (0 1 6 0))"), "m.cas: cut short: node 6 of 6 is not in the file.");
  EXPECT_THAT(changed("(10 (0 1 5 0))", "(10 (0 1 4 0))"), HasSubstr("nodes 1 to 5, expected numbers from 1 to 4."));
  EXPECT_THAT(changed("(10 (1 1 5", "(10 (1 1 4"), HasSubstr("\"2\", expected ) after the numbers of a section."));
  EXPECT_THAT(changed("1 2 \n", "1 6 \n"), HasSubstr("a face has cell 6, expected 0 to 2"));
  EXPECT_THAT(refusal("m.cas", replaced(good, "2 3 1 2 \n", "2 6 1 2 \n")),
              "m.cas: a face has node 6, expected 1 to 5.");
  EXPECT_THAT(refusal("m.cas", replaced(good, "2 3 1 2 \n", "2 0 1 2 \n")), HasSubstr("node 0 of a face, expected 1"));
  EXPECT_THAT(refusal("m.cas", replaced(good, "2 3 1 2 \n", "2 3 1 1 \n")),
              HasSubstr("a face with cell 1 on both sides, expected two cells, or one and 0."));
  EXPECT_EQ(refusal("m.cas", replaced(good, "2 3 1 2 \n", "2 3 1 3 \n")),
            "m.cas: a face has cell 3, expected 0 to 2: the number of cells in section 12.");
  EXPECT_EQ(refusal("m.cas", replaced(good, "2 3 1 2 \n", "2 3 1 0 \n")),
            "m.cas: the edges of cell 2 are not one closed outline.");
  EXPECT_THAT(refusal("m.cas", replaced(good, "2 3 1 2 \n", "2 x 1 2 \n")),
              HasSubstr("\"x\" is not a hexadecimal integer, expected a node of a face."));
  EXPECT_THAT(refusal("m.cas", replaced(good, "2 5 2 2 0", "3 5 2 2 0")),
              HasSubstr("a face of 3 corners, expected 2."));
  EXPECT_THAT(refusal("m.cas", good + "(59 (1 2 3 4)(1 2))"),
              HasSubstr("with hanging nodes, are not supported. Convert them to polyhedra."));
  EXPECT_THAT(refusal("m.cas", good + "(12 (9 1 2 20 1))"), HasSubstr("with hanging nodes, are not supported."));
  EXPECT_THAT(refusal("m.cas", good + "(13 (9 1 2 3))"), HasSubstr("a zone of faces without the type of its faces"));
  EXPECT_THAT(refusal("m.cas", good + "(13 (9 1 2 3 4)("), HasSubstr("faces of type 4, expected 2, 0 or 5."));
  EXPECT_THAT(refusal("m.cas", good + "(10 (1 1 1 1 2)(0 0))"), HasSubstr("node 1 is given twice, expected once."));
  EXPECT_THAT(refusal("m.cas", good + "(45 (9 wall))"), HasSubstr("zone 9 has no name"));
  EXPECT_THAT(refusal("m.cas", good + "(0 \"no end)"), HasSubstr("the text in quotes that begins here does not end."));
  EXPECT_THAT(refusal("m.cas", replaced(good, "0\n0\n1\n", "nan\n0\n1\n")),
              HasSubstr("a coordinate is nan, expected a finite one."));
  EXPECT_THAT(refusal("m.cas", ""), "m.cas: cut short: it has no faces.");
}

TEST_F(FluentMeshes, OfSpaceThatDoNotFitAreRefused) {
  FoamMesh mesh = cube_and_polyhedron();
  mesh.owner[1] = 1;
  mesh.owner[3] = 1;
  mesh.owner[5] = 1;
  EXPECT_EQ(refusal("m.cas", cube_and_polyhedron_file(Form::text, mesh)),
            "m.cas: cell 1 has 3 faces, expected 4 or more.");
  EXPECT_THAT(refusal("m.cas", "(2 3)(3037 (1 2)(x)"), HasSubstr("cut short: binary section 3037 does not end."));
  EXPECT_THAT(refusal("m.cas", replaced(cube_and_polyhedron_file(Form::exact), "End of Binary Section   3010", "End")),
              HasSubstr("cut short: binary section 3010 ends as section 3013, expected its own number."));
}

TEST_F(FluentMeshes, ThatAreCutShortAreRefused) {
  for (const Form form : {Form::text, Form::single, Form::exact}) {
    const std::string whole = plane_file(form);
    expect_cut_short("m.cas", whole, whole.find_last_of(')'));
  }
}

}  // namespace
}  // namespace shoal::io
