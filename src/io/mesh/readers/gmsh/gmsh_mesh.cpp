// SPDX-License-Identifier: Apache-2.0
// Reader of gmsh's MSH 2.2 and 4.1, text or binary. Markers are physical groups. An element without a physical group
// belongs to a marker of its geometric entity, such as "surface 5".
#include <cstdlib>
#include <limits>
#include <unordered_map>

#include "io/mesh/cell_shape.hpp"
#include "io/mesh/mesh_builder.hpp"
#include "io/mesh/readers/gmsh/gmsh_numbers.hpp"
#include "io/mesh/readers/mesh_readers.hpp"

namespace shoal::io {

namespace {

/// Element with straight edges, by gmsh's type number; its corners are in VTK's order.
struct ElementType {
  int number;
  CellShape shape;
};
constexpr ElementType element_types[] = {
    {1, CellShape::segment},    {2, CellShape::triangle}, {3, CellShape::quadrilateral}, {4, CellShape::tetrahedron},
    {5, CellShape::hexahedron}, {6, CellShape::prism},    {7, CellShape::pyramid},       {15, CellShape::point}};

constexpr const char* entity_words[] = {"point", "curve", "surface", "volume"};

class GmshMesh {
 public:
  explicit GmshMesh(const std::filesystem::path& path) : file_(path), mesh_(path.string()) {}

  MeshFile read() {
    bool has_nodes = false, has_elements = false;
    while (!file_.at_end()) {
      const std::string_view word = file_.word("a section");
      const std::string section(word);
      if (!section.starts_with('$'))
        file_.refuse(file_.position_of(word), "\"", section.substr(0, 40), "\", expected a section, such as $Nodes.");
      file_.line();
      if (version_ == 0 && section != "$MeshFormat")
        file_.refuse(file_.position_of(word), "expected $MeshFormat first.");
      if (section == "$MeshFormat")
        read_format();
      else if (section == "$PhysicalNames")
        read_names();
      else if (section == "$Entities" && version_ == 4)
        read_entities();
      else if (section == "$Nodes")
        has_nodes = true, version_ == 4 ? read_nodes_4() : read_nodes_2();
      else if (section == "$Elements") {
        if (!has_nodes) file_.refuse(file_.position_of(word), "expected $Nodes before $Elements.");
        has_elements = true, version_ == 4 ? read_elements_4() : read_elements_2();
      } else
        skip(section);
      end(section);
    }
    if (!has_elements) file_.refuse(file_.position(), "cut short: expected $Nodes and $Elements.");
    return mesh_.finish();
  }

 private:
  void end(const std::string& section) {
    const std::string expected = "$End" + section.substr(1);
    const std::string_view word = file_.word(expected);
    if (word != expected)
      file_.refuse(file_.position_of(word), "\"", word.substr(0, 40), "\", expected ", expected, ".");
  }

  void skip(const std::string& section) {
    const std::size_t position = file_.content().find("$End" + section.substr(1), file_.position());
    if (position == std::string::npos) file_.refuse(file_.position(), "cut short: ", section, " does not end.");
    file_.seek(position);
  }

  void read_format() {
    const std::string version(file_.word("a version"));
    const bool is_known = version == "2.2" || version == "2" || version == "4.1";
    if (!is_known)
      file_.refuse(file_.position(), "MSH ", version, ", expected 2.2 or 4.1. Write it so with gmsh's -format msh41.");
    version_ = version == "4.1" ? 4 : 2;
    const bool is_binary = file_.number<int>("0 (text) or 1 (binary)") == 1;
    const auto size = file_.number<int>("the size of a number");
    if (size != 8) file_.refuse(file_.position(), "numbers of ", size, " bytes, expected 8.");
    file_.line();
    numbers_.begin(is_binary);
  }

  void read_names() {
    const std::int64_t count = file_.count("a number of names");
    for (std::int64_t i = 0; i < count; ++i) {
      const auto dimension = file_.number<int>("a dimension");
      const auto tag = file_.number<int>("a physical group");
      const std::string_view rest = file_.line();
      const std::size_t open = rest.find('"'), close = rest.rfind('"');
      if (open == close) file_.refuse(file_.position_of(rest), "expected a name in quotes.");
      names_[{dimension, tag}] = rest.substr(open + 1, close - open - 1);
    }
  }

  /// Reads the number of a physical group or entity; a negative one reverses the orientation.
  int read_group() {
    const int group = numbers_.integer("a physical group or entity");
    if (group == std::numeric_limits<int>::min())
      numbers_.refuse(numbers_.position(), "there is no group ", group, ".");
    return std::abs(group);
  }

  void read_entities() {
    std::array<std::uint64_t, 4> counts;
    for (std::uint64_t& count : counts) count = numbers_.size("a number of entities");
    for (int dimension = 0; dimension < 4; ++dimension)
      for (std::uint64_t i = 0; i < counts[static_cast<std::size_t>(dimension)]; ++i) read_entity(dimension);
  }

  void read_entity(int dimension) {
    const int tag = numbers_.integer("an entity");
    for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i) numbers_.real("a bound of an entity");
    std::vector<int>& groups = physical_[{dimension, tag}];
    const std::uint64_t count = numbers_.size("a number of physical groups");
    for (std::uint64_t i = 0; i < count; ++i) groups.push_back(read_group());
    if (dimension == 0) return;
    const std::uint64_t boundaries = numbers_.size("a number of boundaries");
    for (std::uint64_t i = 0; i < boundaries; ++i) numbers_.integer("an entity of the boundary");
  }

  /// Adds a node.
  /// @param position  position of the node's number in the file
  void add_node(std::int64_t tag, std::size_t position) {
    const double x = numbers_.coordinate(), y = numbers_.coordinate();
    if (!node_of_tag_.try_emplace(tag, mesh_.node_count()).second)
      numbers_.refuse(position, "node ", tag, " is there twice.");
    mesh_.add_node(x, y, numbers_.coordinate());
  }

  void read_nodes_2() {
    const std::int64_t count = file_.count("a number of nodes");
    file_.line();
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t tag = numbers_.integer("the number of a node");
      add_node(tag, numbers_.position());
    }
  }

  void read_nodes_4() {
    const std::uint64_t blocks = numbers_.size("a number of blocks of nodes");
    for (int i = 0; i < 3; ++i) numbers_.size("counts of nodes");
    for (std::uint64_t block = 0; block < blocks; ++block) {
      const int dimension = numbers_.integer("a dimension");
      numbers_.integer("an entity");
      const int is_parametric = numbers_.integer("0 or 1");
      const std::uint64_t count = numbers_.size("a number of nodes");
      std::vector<std::pair<std::int64_t, std::size_t>> tags;
      for (std::uint64_t i = 0; i < count; ++i) {
        const auto tag = static_cast<std::int64_t>(numbers_.size("a node"));
        tags.emplace_back(tag, numbers_.position());
      }
      for (const auto& [tag, position] : tags) {
        add_node(tag, position);
        for (int i = 0; is_parametric && i < dimension; ++i) numbers_.real("a parameter of a node");
      }
    }
  }

  /// Names of the markers for the elements of an entity.
  std::vector<std::string> markers(int dimension, const std::vector<int>& physical, int entity) const {
    std::vector<std::string> names;
    for (const int tag : physical) {
      const auto name = names_.find({dimension, tag});
      names.push_back(name == names_.end() ? text("physical ", entity_words[dimension], " ", tag) : name->second);
    }
    if (names.empty()) names.push_back(text(entity_words[dimension], " ", entity));
    return names;
  }

  CellShape read_shape() { return shape_of(numbers_.integer("a type of element")); }

  /// Shape of the element type that was just read.
  CellShape shape_of(int type) const {
    for (const ElementType& candidate : element_types)
      if (candidate.number == type) return candidate.shape;
    numbers_.refuse(numbers_.position(), "an element of type ", type,
                    ", expected 1 to 7 or 15: those with straight edges. Write ", "the mesh with order 1.");
  }

  void read_corners(CellShape shape, bool as_integers) {
    corners_.clear();
    for (int corner = 0; corner < facts_of(shape).corners; ++corner) {
      const auto tag = as_integers ? numbers_.integer("a node") : static_cast<std::int64_t>(numbers_.size("a node"));
      const auto node = node_of_tag_.find(tag);
      if (node == node_of_tag_.end()) numbers_.refuse(numbers_.position(), "there is no node ", tag, ".");
      corners_.push_back(node->second);
    }
  }

  /// Reads an element of MSH 2.2. Its tags are the physical group (0: none), the entity, and others.
  void read_element_2(CellShape shape, int tags) {
    int tag[2] = {0, 0};
    for (int i = 0; i < tags; ++i) {
      const int value = i < 2 ? read_group() : numbers_.integer("a tag");
      if (i < 2) tag[i] = value;
    }
    read_corners(shape, true);
    const int dimension = facts_of(shape).dimensions;
    const auto [entry, is_new] = group_of_tags_.try_emplace({dimension, tag[0], tag[1]}, 0);
    if (is_new) entry->second = group(dimension, tag[0] == 0 ? std::vector<int>{} : std::vector<int>{tag[0]}, tag[1]);
    mesh_.add(shape, corners_, entry->second);
  }

  void read_elements_2() {
    const std::int64_t count = file_.count("a number of elements");
    file_.line();
    for (std::int64_t i = 0; i < count;) {
      if (!numbers_.is_binary()) {
        numbers_.integer("the number of an element");
        const CellShape shape = read_shape();
        read_element_2(shape, numbers_.integer("a number of tags"));
        ++i;
        continue;
      }
      const CellShape shape = read_shape();
      const int follow = numbers_.integer("a number of elements");
      if (follow < 1) numbers_.refuse(numbers_.position(), "a block of ", follow, " elements, expected 1 or more.");
      const int tags = numbers_.integer("a number of tags");
      for (int element = 0; element < follow; ++element) {
        numbers_.integer("the number of an element");
        read_element_2(shape, tags);
      }
      i += follow;
    }
  }

  void read_elements_4() {
    const std::uint64_t blocks = numbers_.size("a number of blocks of elements");
    for (int i = 0; i < 3; ++i) numbers_.size("counts of elements");
    for (std::uint64_t block = 0; block < blocks; ++block) {
      const int dimension = numbers_.integer("a dimension"), entity = numbers_.integer("an entity");
      const CellShape shape = read_shape();
      if (facts_of(shape).dimensions != dimension)
        numbers_.refuse(numbers_.position(), "a ", facts_of(shape).name, " as element of dimension ", dimension, ".");
      const auto physical = physical_.find({dimension, entity});
      const std::int32_t its_group =
          group(dimension, physical == physical_.end() ? std::vector<int>{} : physical->second, entity);
      const std::uint64_t count = numbers_.size("a number of elements");
      for (std::uint64_t i = 0; i < count; ++i) {
        numbers_.size("the number of an element");
        read_corners(shape, false);
        mesh_.add(shape, corners_, its_group);
      }
    }
  }

  std::int32_t group(int dimension, const std::vector<int>& physical, int entity) {
    return mesh_.group(markers(dimension, physical, entity));
  }

  FileCursor file_;
  MeshBuilder mesh_;
  GmshNumbers numbers_{file_};
  int version_ = 0;                                           ///< 2 or 4; 0 until it is known
  std::map<std::pair<int, int>, std::string> names_;          ///< names of physical groups, by dimension and tag
  std::map<std::pair<int, int>, std::vector<int>> physical_;  ///< physical groups of an entity, by dimension and tag
  /// Groups of MSH 2.2 elements, by dimension, physical group and entity.
  std::map<std::array<int, 3>, std::int32_t> group_of_tags_;
  std::unordered_map<std::int64_t, std::int64_t> node_of_tag_;  ///< node numbers by gmsh's tags, which may be arbitrary
  std::vector<std::int64_t> corners_;
};

}  // namespace

MeshFile read_gmsh_mesh(const std::filesystem::path& file, const MeshFileOptions&) { return GmshMesh(file).read(); }

}  // namespace shoal::io
