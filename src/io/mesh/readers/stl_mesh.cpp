// SPDX-License-Identifier: Apache-2.0
// Reader of STL, text or binary: triangles with separate corners. Corners with equal coordinates become one node, so
// that adjacent triangles share it. The normals in the file are ignored, since many programs write meaningless ones.
#include "io/formats/text/strings.hpp"
#include "io/mesh/merged_points.hpp"
#include "io/mesh/mesh_builder.hpp"
#include "io/mesh/readers/mesh_readers.hpp"

namespace shoal::io {

namespace {

constexpr const char* name_of_nameless = "solid";
constexpr std::size_t header_bytes = 80, triangle_bytes = 50;

class StlMesh {
 public:
  explicit StlMesh(const std::filesystem::path& path) : file_(path), mesh_(path.string()) {}

  MeshFile read() {
    const bool is_binary = has_size_of_binary();
    const std::size_t first = file_.content().find_first_not_of(" \t\r\n");
    const bool begins_with_solid =
        first != std::string::npos && lower_case(std::string_view(file_.content()).substr(first, 5)) == "solid";
    if (is_binary)
      read_binary();
    else if (begins_with_solid)
      read_text();
    else
      refuse_neither();
    return mesh_.finish(3);
  }

 private:
  /// Returns true if the size is that of a binary file. Binary files may begin with "solid", too, so that the text
  /// decides nothing.
  bool has_size_of_binary() {
    if (file_.content().size() < header_bytes + sizeof(std::uint32_t)) return false;
    return file_.content().size() == header_bytes + sizeof(std::uint32_t) + triangle_bytes * triangles_of_binary();
  }

  std::size_t triangles_of_binary() {
    file_.seek(header_bytes);
    return file_.raw<std::uint32_t>("the number of triangles");
  }

  [[noreturn]] void refuse_neither() {
    const std::size_t size = file_.content().size();
    require(size >= header_bytes + sizeof(std::uint32_t), file_.name(), ": this is no STL: it has ", size,
            " bytes and does not begin with \"solid\".");
    const std::size_t triangles = triangles_of_binary();
    const std::size_t expected = header_bytes + sizeof(std::uint32_t) + triangle_bytes * triangles;
    throw Error(text(file_.name(), ": ", size < expected ? "cut short" : "too long", ": as binary STL of ", triangles,
                     " triangles (byte 80) it takes ", expected, " bytes, and the file has ", size, "."));
  }

  void read_binary() {
    const std::size_t triangles = triangles_of_binary();
    const std::int32_t group = mesh_.group({name_of_nameless});
    for (std::size_t i = 0; i < triangles; ++i) {
      file_.bytes(3 * sizeof(float), "a normal");
      std::array<std::int64_t, 3> corners;
      for (std::int64_t& corner : corners) {
        const double x = file_.raw_coordinate<float>(), y = file_.raw_coordinate<float>();
        corner = node_at({x, y, file_.raw_coordinate<float>()});
      }
      file_.bytes(sizeof(std::uint16_t), "the attributes of a triangle");
      mesh_.add(CellShape::triangle, corners, group);
    }
  }

  void read_text() {
    file_.seek(0);
    while (!file_.at_end()) {
      expect("solid");
      const std::string name(trimmed(file_.line()));
      const std::int32_t group = mesh_.group({name.empty() ? name_of_nameless : name});
      while (!next_is("endsolid", "facet")) read_facet(group);
      file_.line();
    }
  }

  void read_facet(std::int32_t group) {
    expect("normal");
    for (int axis = 0; axis < 3; ++axis) file_.word("a normal");
    expect("outer");
    expect("loop");
    std::array<std::int64_t, 3> corners;
    for (std::int64_t& corner : corners) {
      expect("vertex");
      const double x = file_.coordinate(), y = file_.coordinate();
      corner = node_at({x, y, file_.coordinate()});
    }
    expect("endloop");
    expect("endfacet");
    mesh_.add(CellShape::triangle, corners, group);
  }

  /// Returns true if the next word is `first`, false if it is `second`; refuses any other word.
  bool next_is(std::string_view first, std::string_view second) {
    const std::string_view word = file_.word(first);
    const std::string lower_word = lower_case(word);
    if (lower_word != first && lower_word != second)
      file_.refuse(file_.position_of(word), "\"", word.substr(0, 40), "\", expected ", second, " or ", first, ".");
    return lower_word == first;
  }

  void expect(std::string_view expected) {
    const std::string_view word = file_.word(expected);
    if (lower_case(word) != expected)
      file_.refuse(file_.position_of(word), "\"", word.substr(0, 40), "\", expected ", expected, ".");
  }

  std::int64_t node_at(const Places::Point& point) {
    const std::int64_t number = places_.number_of(point);
    if (number == mesh_.node_count()) mesh_.add_node(point[0], point[1], point[2]);
    return number;
  }

  FileCursor file_;
  MeshBuilder mesh_;
  Places places_;
};

}  // namespace

MeshFile read_stl_mesh(const std::filesystem::path& file, const MeshFileOptions&) { return StlMesh(file).read(); }

}  // namespace shoal::io
