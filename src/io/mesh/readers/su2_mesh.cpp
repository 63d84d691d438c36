// SPDX-License-Identifier: Apache-2.0
// Reader of SU2's native meshes: lines KEY= value, some followed by as many lines as the value states. Each zone
// numbers its nodes from 0. Markers of the same name in several zones are one marker.
#include "io/formats/text/strings.hpp"
#include "io/mesh/cell_shape.hpp"
#include "io/mesh/mesh_builder.hpp"
#include "io/mesh/readers/mesh_readers.hpp"

namespace shoal::io {

namespace {

class Su2Mesh {
 public:
  explicit Su2Mesh(const std::filesystem::path& path) : file_(path, '%'), mesh_(path.string()) {}

  MeshFile read() {
    while (!file_.at_end()) {
      const std::size_t begin = file_.position();
      const std::string key = next_key();
      if (key == "NZONE")
        zones_ = file_.count_in_line("a number of zones");
      else if (key == "IZONE")
        begin_zone();
      else if (key == "NDIME")
        read_dimensions();
      else if (key == "NELEM")
        read_cells();
      else if (key == "NPOIN")
        read_nodes();
      else if (key == "NMARK")
        markers_left_ = file_.count_in_line("a number of markers");
      else if (key == "MARKER_TAG")
        read_marker();
      else if (key.empty() && !in_unknown_)
        file_.refuse(begin, "expected KEY= value.");
      in_unknown_ = key.empty() || !is_known(key);
      file_.line();
    }
    end_zone();
    if (zones_ > 0 && zones_ != zones_seen_)
      file_.refuse(file_.position(), "cut short: ", zones_seen_, " zones, expected NZONE= ", zones_, ".");
    return mesh_.finish(dimensions_);
  }

 private:
  /// Returns true if this reader uses the key. Other keys, such as FFD_NBOX, may be followed by lines of data, which
  /// are skipped.
  static bool is_known(const std::string& key) {
    for (const char* known : {"NZONE", "IZONE", "NDIME", "NELEM", "NPOIN", "NMARK", "MARKER_TAG"})
      if (key == known) return true;
    return false;
  }

  /// Key of this line, which is the text before the =; empty if the line has none.
  std::string next_key() {
    const std::size_t begin = file_.position();
    const std::string_view line = file_.line();
    const std::size_t equals = line.substr(0, line.find('%')).find('=');
    file_.seek(begin + (equals == std::string_view::npos ? 0 : equals + 1));
    return equals == std::string_view::npos ? "" : std::string(trimmed(line.substr(0, equals)));
  }

  void begin_zone() {
    const bool has_content = zone_has_nodes_ || zone_has_elements_;  // before the first IZONE=
    if (zones_seen_ > 0 || has_content) end_zone();
    ++zones_seen_;
    first_node_ = mesh_.node_count();
    zone_has_nodes_ = zone_has_elements_ = false;
    largest_ = {};
  }

  void end_zone() {
    if (!zone_has_nodes_) file_.refuse(file_.position(), "cut short: expected NPOIN= and the nodes.");
    largest_.require_below(mesh_.node_count() - first_node_, file_);
    if (markers_left_ > 0)
      file_.refuse(file_.position(), "cut short: expected ", markers_left_, " more MARKER_TAG=, as NMARK= says.");
  }

  void read_dimensions() {
    const std::int64_t dimensions = file_.count_in_line("2 or 3");
    if (dimensions != 2 && dimensions != 3) file_.refuse(file_.position(), "NDIME= ", dimensions, ", expected 2 or 3.");
    if (dimensions_ != 0 && dimensions_ != dimensions)
      file_.refuse(file_.position(), "NDIME= ", dimensions, ", and a zone before has ", dimensions_,
                   ": 2-D and 3-D are mixed. Expected one of them.");
    dimensions_ = static_cast<int>(dimensions);
  }

  void require_dimensions() {
    if (dimensions_ == 0) file_.refuse(file_.position(), "expected NDIME= before this.");
  }

  /// Reads the nodes of a zone. NPOIN= may have a second number, the nodes without halo; the first number counts.
  void read_nodes() {
    require_dimensions();
    const std::int64_t count = file_.count_in_line("a number of nodes");
    zone_has_nodes_ = true;
    for (std::int64_t i = 0; i < count; ++i) {
      begin_row("node", i, count);
      const double x = file_.coordinate_in_line(), y = file_.coordinate_in_line();
      mesh_.add_node(x, y, dimensions_ == 3 ? file_.coordinate_in_line() : 0);
    }
  }

  /// Moves to the next line that is not empty; refuses the end of the file.
  void begin_row(const char* what, std::int64_t row, std::int64_t count) {
    file_.line();
    if (file_.at_end())
      file_.refuse(file_.position(), "cut short: the file ends before ", what, " ", row, " of ", count, ".");
  }

  void read_cells() {
    require_dimensions();
    read_elements(file_.count_in_line("a number of elements"), dimensions_, {});
  }

  void read_elements(std::int64_t count, int dimensions, const std::vector<std::string>& marker) {
    zone_has_elements_ = true;
    const std::int32_t group = mesh_.group(marker);
    for (std::int64_t i = 0; i < count; ++i) {
      begin_row("element", i, count);
      const std::size_t begin = file_.position();
      const auto number = file_.number_in_line<std::int64_t>("the number of a shape");
      const std::optional<CellShape> shape = shape_of_vtk(number);
      if (!shape || facts_of(*shape).corners == 0)
        file_.refuse(
            begin, "shape ", number, ", expected 3 (segment), 5 (triangle), 9 (quadrilateral), 10 ",
            "(tetrahedron), 12 (hexahedron), 13 (prism) or 14 (pyramid). Elements of higher order are not read.");
      const ShapeFacts& facts = facts_of(*shape);
      if (facts.dimensions != dimensions)
        file_.refuse(begin, "a ", facts.name, " as ", marker.empty() ? "cell" : "face", " of a ", dimensions_,
                     "-D mesh: 2-D and 3-D are mixed.");
      corners_.clear();
      for (int corner = 0; corner < facts.corners; ++corner) {
        const std::int64_t node = file_.count_in_line("the number of a node");
        largest_.see(node, file_.position_of_word());
        corners_.push_back(first_node_ + node);
      }
      mesh_.add(*shape, corners_, group);
    }
  }

  void read_marker() {
    require_dimensions();
    const std::string name(trimmed(file_.line()));
    --markers_left_;
    if (file_.at_end() || next_key() != "MARKER_ELEMS")
      file_.refuse(file_.position(), "expected MARKER_ELEMS= after MARKER_TAG= ", name, ".");
    const std::int64_t count = file_.count_in_line("a number of faces");
    // Old files list nodes of another processor or period below SEND_TO=; these are skipped.
    if (name != "SEND_RECEIVE") read_elements(count, dimensions_ - 1, {name});
  }

  FileCursor file_;
  MeshBuilder mesh_;
  std::vector<std::int64_t> corners_;
  int dimensions_ = 0;
  std::int64_t zones_ = 0, zones_seen_ = 0, markers_left_ = 0;
  std::int64_t first_node_ = 0;  ///< number of the first node of the zone
  bool zone_has_nodes_ = false, zone_has_elements_ = false;
  bool in_unknown_ = false;  ///< true below an unknown key
  LargestNode largest_;      ///< largest node number of the zone
};

}  // namespace

MeshFile read_su2_mesh(const std::filesystem::path& file, const MeshFileOptions&) { return Su2Mesh(file).read(); }

}  // namespace shoal::io
