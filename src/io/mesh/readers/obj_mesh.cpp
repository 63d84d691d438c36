// SPDX-License-Identifier: Apache-2.0
// Reader of Wavefront OBJ. A face belongs to the groups of the last line `g` (or `o`) above it. Faces are polygons in
// 3-D; a file with lines only is an outline in 2-D.
#include "io/mesh/cell_shape.hpp"
#include "io/mesh/mesh_builder.hpp"
#include "io/mesh/readers/mesh_readers.hpp"

namespace shoal::io {

namespace {

class ObjMesh {
 public:
  explicit ObjMesh(const std::filesystem::path& path) : file_(path, '#'), mesh_(path.string()) {}

  MeshFile read() {
    while (!file_.at_end()) {
      const std::size_t begin = file_.position();
      const std::string_view key = *file_.word_in_line();
      if (key == "v")
        read_node();
      else if (key == "g" || key == "o")
        read_groups();
      else if (key == "f")
        read_face(begin);
      else if (key == "l")
        read_lines(begin);
      file_.line();  // ignores texture, normals, materials and all other entries
    }
    largest_.require_below(mesh_.node_count(), file_, 1);
    return mesh_.finish(has_faces_ ? std::optional(3) : std::nullopt);
  }

 private:
  void read_node() {
    const double x = file_.coordinate_in_line(), y = file_.coordinate_in_line();
    mesh_.add_node(x, y, file_.coordinate_in_line());
  }

  void read_groups() {
    groups_.clear();
    while (const auto name = file_.word_in_line()) groups_.emplace_back(*name);
    if (groups_.empty()) groups_ = {"default"};  // the format's name for faces without a group
    group_.reset();
  }

  /// Reads the corners on the rest of the line: 7, 7/1, 7//3 or 7/1/3. Negative numbers count back from the last node.
  void read_corners(std::size_t at_least) {
    corners_.clear();
    while (const auto word = file_.word_in_line()) {
      const std::size_t position = file_.position_of(*word);
      std::int64_t node = 0;
      if (!read_number(word->substr(0, word->find('/')), node) || node == 0 || node < -mesh_.node_count())
        file_.refuse(position, "\"", word->substr(0, 40), "\" is no node, expected 1 or more, or -1 to ",
                     -mesh_.node_count(), ".");
      corners_.push_back(node > 0 ? node - 1 : mesh_.node_count() + node);
      largest_.see(corners_.back(), position);
    }
    if (corners_.size() < at_least)
      file_.refuse(file_.position(), "it has ", corners_.size(), " corners, expected ", at_least, " or more.");
  }

  std::int32_t group() {
    if (!group_) group_ = mesh_.group(groups_);
    return *group_;
  }

  void require_one_kind(std::size_t begin) const {
    if (has_faces_ && has_lines_)
      file_.refuse(begin, "it has faces (f) and lines (l): 2-D and 3-D are mixed. Expected one of them.");
  }

  void read_face(std::size_t begin) {
    has_faces_ = true;
    require_one_kind(begin);
    read_corners(3);
    mesh_.add(face_shape(corners_.size()), corners_, group());
  }

  void read_lines(std::size_t begin) {
    has_lines_ = true;
    require_one_kind(begin);
    read_corners(2);
    for (std::size_t i = 0; i + 1 < corners_.size(); ++i)
      mesh_.add(CellShape::segment, std::span(corners_).subspan(i, 2), group());
  }

  FileCursor file_;
  MeshBuilder mesh_;
  std::vector<std::string> groups_ = {"default"};
  std::optional<std::int32_t> group_;  ///< group number of groups_; set by the first face
  std::vector<std::int64_t> corners_;
  LargestNode largest_;
  bool has_faces_ = false, has_lines_ = false;
};

}  // namespace

MeshFile read_obj_mesh(const std::filesystem::path& file, const MeshFileOptions&) { return ObjMesh(file).read(); }

}  // namespace shoal::io
