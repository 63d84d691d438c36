// SPDX-License-Identifier: Apache-2.0
// Reader of the meshes of Fluent, text or binary: sections in parentheses, with nodes and the faces between cells. Cells
// are made from their faces; zones of faces become markers.
#include <charconv>
#include <map>

#include "core/text.hpp"
#include "io/mesh/cell_shape.hpp"
#include "io/mesh/csr_row.hpp"
#include "io/mesh/readers/fluent/fluent_sections.hpp"
#include "io/mesh/readers/mesh_readers.hpp"

namespace shoal::io {

namespace {

/// Conditions of zones of faces.
constexpr std::int64_t interior_condition = 2, wall_condition = 3, parent_condition = 31;
/// State of a zone of cells that were refined.
constexpr std::int64_t parent_cells = 32;

/// Consecutive faces with one condition.
struct FaceZone {
  std::int64_t number, condition;
  std::size_t first, end;
};

class FluentMesh {
 public:
  explicit FluentMesh(const std::filesystem::path& path) : file_(path), mesh_(path.string()) {}

  MeshFile read() {
    while (const std::optional<FluentSection> section = file_.next_section()) read_section(*section);
    require_complete();
    for (std::size_t node = 0; node < nodes_.x.size(); ++node)
      mesh_.add_node(nodes_.x[node], nodes_.y[node], nodes_.z[node]);
    add_cells();
    for (const FaceZone& zone : zones_) add_marker(zone);
    return mesh_.finish(dimensions_);
  }

 private:
  void read_section(const FluentSection& section) {
    switch (section.kind) {
      case 2:
        dimensions_ = static_cast<int>(file_.decimal("the dimensions"));
        if (dimensions_ != 2 && dimensions_ != 3) file_.refuse(dimensions_, " dimensions, expected 2 or 3.");
        return file_.skip(section);
      case 10:
        return read_nodes(section);
      case 12:
        return read_cells(section);
      case 13:
        return read_faces(section);
      case 39:
      case 45:
        return read_name(section);
      case 58:
      case 59:
        file_.refuse("cells that were refined, with hanging nodes, are not supported. Convert them to polyhedra.");
      default:
        return file_.skip(section);
    }
  }

  /// Header (zone first last type ...) of a section of numbered items; the range is checked.
  std::vector<std::int64_t> header(const char* items, std::int64_t most) {
    std::vector<std::int64_t> numbers = file_.header();
    if (numbers.size() < 4)
      file_.refuse("a header of ", numbers.size(), " numbers, expected zone, first, last and type.");
    if (numbers[1] < 1 || numbers[2] < numbers[1] - 1 || numbers[2] > most)
      file_.refuse(items, " ", numbers[1], " to ", numbers[2], ", expected numbers from 1 to ", most, ".");
    return numbers;
  }

  void read_nodes(const FluentSection& section) {
    const std::vector<std::int64_t> numbers = header("nodes", node_count_ < 0 ? file_.most_items() : node_count_);
    if (numbers[0] == 0) {
      node_count_ = numbers[2];
      return file_.skip(section);
    }
    require_dimensions();
    for (auto* const axis : {&nodes_.x, &nodes_.y, &nodes_.z})
      axis->resize(std::max(axis->size(), static_cast<std::size_t>(numbers[2])));
    is_given_.resize(nodes_.x.size());
    file_.open_body(section);
    for (auto node = static_cast<std::size_t>(numbers[1] - 1); node < static_cast<std::size_t>(numbers[2]); ++node) {
      if (is_given_[node]) file_.refuse("node ", node + 1, " is given twice, expected once.");
      is_given_[node] = true;
      nodes_.x[node] = file_.coordinate(section);
      nodes_.y[node] = file_.coordinate(section);
      if (dimensions_ == 3) nodes_.z[node] = file_.coordinate(section);
    }
    file_.close_body(section);
  }

  void read_cells(const FluentSection& section) {
    const std::vector<std::int64_t> numbers = header("cells", cell_count_ < 0 ? file_.most_items() : cell_count_);
    if (numbers[0] != 0 && numbers[3] == parent_cells)
      file_.refuse("cells that were refined, with hanging nodes, are not supported. Convert them to polyhedra.");
    cell_count_ = std::max(cell_count_, numbers[2]);
    file_.skip(section);
  }

  void read_faces(const FluentSection& section) {
    const std::vector<std::int64_t> numbers = header("faces", file_.most_items());
    if (numbers[0] == 0) return file_.skip(section);
    require_dimensions();
    if (numbers.size() < 5)
      file_.refuse("a zone of faces without the type of its faces, expected zone, first, last, ",
                   "condition and type.");
    if (numbers[3] == parent_condition)
      file_.refuse("faces that were refined, with hanging nodes, are not supported. Convert them to polyhedra.");
    const std::int64_t type = numbers[4];
    const bool is_mixed = type == 0 || type == 5;
    if (!is_mixed && (dimensions_ == 2 ? type != 2 : type != 3 && type != 4))
      file_.refuse("faces of type ", type, ", expected ", dimensions_ == 2 ? "2, 0 or 5." : "3, 4, 0 or 5.");
    FaceZone zone{numbers[0], numbers[3], cells_.size(), 0};
    file_.open_body(section);
    for (std::int64_t face = numbers[1]; face <= numbers[2]; ++face) read_face(section, is_mixed ? 0 : type);
    file_.close_body(section);
    zone.end = cells_.size();
    zones_.push_back(zone);
  }

  /// @param corners  number of corners; 0: the number precedes them
  void read_face(const FluentSection& section, std::int64_t corners) {
    if (corners == 0) corners = file_.integer(section, "the number of corners of a face");
    const std::int64_t fewest = dimensions_, most = dimensions_ == 2 ? 2 : file_.most_items();
    if (corners < fewest || corners > most)
      file_.refuse("a face of ", corners, " corners, expected ", fewest, dimensions_ == 2 ? "." : " or more.");
    for (std::int64_t i = 0; i < corners; ++i) {
      const std::int64_t node = file_.integer(section, "a node of a face");
      largest_node_.require_positive(file_, node);
      largest_node_.see(node);
      corners_.push_back(node - 1);
    }
    start_.push_back(static_cast<std::int64_t>(corners_.size()));
    std::array<std::int64_t, 2> sides{};
    for (std::int64_t& cell : sides) {
      cell = file_.integer(section, "a cell of a face");
      if (cell < 0 || cell > file_.most_items())
        file_.refuse("cell ", cell, " beside a face, expected the number of a cell, or 0 for none.");
    }
    if (sides[0] == sides[1])
      file_.refuse("a face with cell ", sides[0], " on both sides, expected two cells, or one and 0.");
    cells_.push_back(sides);
  }

  /// Reads (zone type name ...); the number is decimal.
  void read_name(const FluentSection& section) {
    const auto [number, name] = file_.zone_name();
    names_[number] = name;
    file_.skip(section);
  }

  void require_dimensions() const {
    if (dimensions_ == 0) file_.refuse("expected the dimensions, (2 2) or (2 3), before nodes and faces.");
  }

  void require_complete() const {
    const auto given = static_cast<std::int64_t>(is_given_.size());
    const auto missing = std::find(is_given_.begin(), is_given_.end(), false) - is_given_.begin();
    require(missing == given && (node_count_ < 0 || given == node_count_), file_.name(), ": cut short: node ",
            missing + 1, " of ", std::max(given, node_count_), " is not in the file.");
    require(!cells_.empty(), file_.name(), ": cut short: it has no faces.");
    require(largest_node_.node <= given, file_.name(), ": a face has node ", largest_node_.node, ", expected 1 to ",
            given, ".");
    for (const auto& sides : cells_)
      for (const std::int64_t cell : sides)
        require(cell <= cell_count_, file_.name(), ": a face has cell ", cell, ", expected 0 to ",
                std::max<std::int64_t>(cell_count_, 0), ": the number of cells in section 12.");
  }

  void add_cells() {
    std::vector<std::int64_t> start(static_cast<std::size_t>(std::max<std::int64_t>(cell_count_, 0)) + 1), faces;
    const auto visit = [&](const auto& use) {
      for (std::size_t face = 0; face < cells_.size(); ++face)
        for (const std::int64_t cell : cells_[face])
          if (cell > 0) use(static_cast<std::size_t>(cell - 1), static_cast<std::int64_t>(face));
    };
    visit([&](std::size_t cell, std::int64_t) { ++start[cell + 1]; });
    for (std::size_t cell = 1; cell < start.size(); ++cell) start[cell] += start[cell - 1];
    faces.resize(static_cast<std::size_t>(start.back()));
    std::vector<std::int64_t> next(start.begin(), start.end() - 1);
    visit([&](std::size_t cell, std::int64_t face) { faces[static_cast<std::size_t>(next[cell]++)] = face; });
    const std::int32_t group = mesh_.group({"cells"});
    for (std::size_t cell = 0; cell + 1 < start.size(); ++cell) {
      FacesOfCell sides;
      for (const std::int64_t face : csr_row(faces, start, cell)) {
        const auto corners = csr_row(corners_, start_, static_cast<std::size_t>(face));
        sides.emplace_back(corners.begin(), corners.end());
      }
      dimensions_ == 3 ? add_solid(sides, cell, group) : add_polygon(sides, cell, group);
    }
  }

  void add_solid(FacesOfCell& faces, std::size_t cell, std::int32_t group) {
    constexpr std::size_t fewest = 4;
    require(faces.size() >= fewest, file_.name(), ": cell ", cell + 1, " has ", faces.size(), " faces, expected ",
            fewest, " or more.");
    require(orient_outwards(mesh_.nodes(), faces), file_.name(), ": the faces of cell ", cell + 1,
            " do not fit: their edges give no side that is outside. Write the file again.");
    mesh_.add_polyhedron(faces, group);
  }

  /// Joins the edges of a cell in the plane to its outline.
  void add_polygon(FacesOfCell& edges, std::size_t cell, std::int32_t group) {
    std::vector<std::int64_t> corners;
    while (!edges.empty()) {
      const auto next =
          corners.empty() ? edges.begin() : std::find_if(edges.begin(), edges.end(), [&](const auto& edge) {
            return edge[0] == corners.back() || edge[1] == corners.back();
          });
      if (next == edges.end()) break;
      if (corners.empty()) corners.push_back((*next)[0]);
      corners.push_back((*next)[0] == corners.back() ? (*next)[1] : (*next)[0]);
      edges.erase(next);
    }
    require(edges.empty() && corners.size() > 3 && corners.front() == corners.back(), file_.name(),
            ": the edges of cell ", cell + 1, " are not one closed outline.");
    corners.pop_back();
    mesh_.add(face_shape(corners.size()), corners, group);
  }

  void add_marker(const FaceZone& zone) {
    if (zone.condition == interior_condition) return;
    const auto name = names_.find(zone.number);
    const std::string marker = name != names_.end() ? name->second : "zone " + std::to_string(zone.number);
    if (zone.condition == wall_condition) mesh_.declare_wall(marker);
    const std::int32_t group = mesh_.group({marker});
    for (std::size_t face = zone.first; face < zone.end; ++face) {
      const auto corners = csr_row(corners_, start_, face);
      mesh_.add(face_shape(corners.size()), corners, group);
    }
  }

  /// Largest number of a node in a face.
  struct LargestFaceNode {
    std::int64_t node = 0;

    void require_positive(const FluentFile& file, std::int64_t number) const {
      if (number < 1) file.refuse("node ", number, " of a face, expected 1 or more.");
    }
    void see(std::int64_t number) { node = std::max(node, number); }
  };

  FluentFile file_;
  MeshBuilder mesh_;
  int dimensions_ = 0;
  std::int64_t node_count_ = -1, cell_count_ = -1;
  MeshPoints nodes_;
  std::vector<bool> is_given_;             ///< [nodes] true if the node has been read
  std::vector<std::int64_t> start_ = {0};  ///< [faces + 1] CSR offsets into `corners_`
  std::vector<std::int64_t> corners_;
  std::vector<std::array<std::int64_t, 2>> cells_;  ///< [faces] cells on both sides, from 1; 0: none
  LargestFaceNode largest_node_;
  std::vector<FaceZone> zones_;
  std::map<std::int64_t, std::string> names_;  ///< names of zones by their numbers
};

}  // namespace

MeshFile read_fluent_mesh(const std::filesystem::path& file, const MeshFileOptions&) { return FluentMesh(file).read(); }

MeshFile read_msh_mesh(const std::filesystem::path& file, const MeshFileOptions& options) {
  return begins_as_fluent(file) ? read_fluent_mesh(file, options) : read_gmsh_mesh(file, options);
}

}  // namespace shoal::io
