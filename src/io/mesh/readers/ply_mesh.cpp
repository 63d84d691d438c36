// SPDX-License-Identifier: Apache-2.0
// Reader of PLY, text or binary of either order of bytes. The header lists elements with properties; the vertices give
// the nodes, the faces the polygons, and all else is skipped.
#include <bit>

#include "io/mesh/cell_shape.hpp"
#include "io/mesh/mesh_builder.hpp"
#include "io/mesh/readers/mesh_readers.hpp"

namespace shoal::io {

namespace {

constexpr const char* marker_name = "surface";

enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

/// Each type has two names: those of the first version of the format, and later ones with the number of bits.
struct TypeName {
  std::string_view first, later;
  Type type;
};
constexpr TypeName type_names[] = {{"char", "int8", Type::int8},        {"uchar", "uint8", Type::uint8},
                                   {"short", "int16", Type::int16},     {"ushort", "uint16", Type::uint16},
                                   {"int", "int32", Type::int32},       {"uint", "uint32", Type::uint32},
                                   {"float", "float32", Type::float32}, {"double", "float64", Type::float64}};

bool is_integer(Type type) { return type != Type::float32 && type != Type::float64; }

struct Property {
  std::string name;
  Type type = Type::float32;
  std::optional<Type> count;  ///< type of the number of entries of a list
};

struct Element {
  std::string name;
  std::int64_t count = 0;
  std::vector<Property> properties;
  std::size_t position = 0;  ///< position of its entry in the header

  /// Number of the property with one of these names; the number of properties if there is none.
  std::size_t find(std::span<const std::string_view> names) const {
    const auto has_name = [&](const Property& p) {
      return std::find(names.begin(), names.end(), p.name) != names.end();
    };
    return static_cast<std::size_t>(std::find_if(properties.begin(), properties.end(), has_name) - properties.begin());
  }
};

class PlyMesh {
 public:
  explicit PlyMesh(const std::filesystem::path& path) : file_(path), mesh_(path.string()) {}

  MeshFile read() {
    read_header();
    group_ = mesh_.group({marker_name});
    for (const Element& element : elements_) {
      if (element.name == "vertex")
        read_vertices(element);
      else if (element.name == "face")
        read_faces(element);
      else
        for (std::int64_t i = 0; i < element.count; ++i) skip(element.properties);
    }
    require_end();
    largest_.require_below(mesh_.node_count(), file_);
    return mesh_.finish(3);
  }

 private:
  void read_header() {
    if (file_.line() != "ply") file_.refuse(0, "this is no PLY: its first line is not \"ply\".");
    read_format();
    while (true) {
      const std::string_view key = file_.word("end_header");
      if (key == "end_header") break;
      if (key == "element")
        read_element();
      else if (key == "property")
        read_property();
      else if (key != "comment" && key != "obj_info")
        file_.refuse(file_.position_of(key), "\"", key.substr(0, 40), "\", expected element, property or end_header.");
      file_.line();
    }
    file_.line();
    for (const Element& element : elements_)
      if (element.properties.empty() && element.count > 0)
        file_.refuse(element.position, "element ", element.name, " has no property.");
  }

  void read_format() {
    const std::string_view key = file_.word("format");
    const std::string_view format = key == "format" ? file_.word("a format") : key;
    is_text_ = format == "ascii";
    const bool is_little = format == "binary_little_endian", is_big = format == "binary_big_endian";
    if (!is_text_ && !is_little && !is_big)
      file_.refuse(file_.position_of(format), "\"", format.substr(0, 40),
                   "\", expected format ascii, binary_little_endian or binary_big_endian.");
    is_swapped_ = is_big == (std::endian::native == std::endian::little) && !is_text_;
    const std::string_view version = file_.word("1.0");
    if (version != "1.0")
      file_.refuse(file_.position_of(version), "version \"", version.substr(0, 40), "\", expected 1.0.");
    file_.line();
  }

  void read_element() {
    Element element;
    element.position = file_.position_of_word();
    element.name = file_.word_in_line().value_or("");
    if (element.name.empty()) file_.refuse(file_.position(), "the line ends, expected the name of an element.");
    for (const Element& previous : elements_)
      if (previous.name == element.name)
        file_.refuse(element.position, "element ", element.name, " stands twice, expected once.");
    element.count = file_.count_in_line("the number of elements");
    elements_.push_back(std::move(element));
  }

  void read_property() {
    const std::size_t begin = file_.position_of_word();
    if (elements_.empty()) file_.refuse(begin, "a property before the first element.");
    Property property;
    std::string_view word = file_.word_in_line().value_or("");
    if (word == "list") {
      property.count = type_of(file_.word_in_line().value_or(""));
      if (!is_integer(*property.count)) file_.refuse(begin, "the number of entries of a list is no integer.");
      word = file_.word_in_line().value_or("");
    }
    property.type = type_of(word);
    property.name = file_.word_in_line().value_or("");
    if (property.name.empty()) file_.refuse(file_.position(), "the line ends, expected the name of a property.");
    elements_.back().properties.push_back(std::move(property));
  }

  Type type_of(std::string_view word) {
    for (const TypeName& name : type_names)
      if (word == name.first || word == name.later) return name.type;
    file_.refuse(word.empty() ? file_.position() : file_.position_of(word), "\"", word.substr(0, 40),
                 "\" is no type, expected char, uchar, short, ushort, int, uint, float or double, or int8 to float64.");
  }

  /// Returns the next number of a type; of a floating-point type as double.
  template <class T>
  T value(Type type, std::string_view what) {
    if (is_text_) return file_.number<T>(what);
    switch (type) {
      case Type::int8:
        return static_cast<T>(file_.raw<std::int8_t>(what));
      case Type::uint8:
        return static_cast<T>(file_.raw<std::uint8_t>(what));
      case Type::int16:
        return static_cast<T>(file_.raw<std::int16_t>(what, is_swapped_));
      case Type::uint16:
        return static_cast<T>(file_.raw<std::uint16_t>(what, is_swapped_));
      case Type::int32:
        return static_cast<T>(file_.raw<std::int32_t>(what, is_swapped_));
      case Type::uint32:
        return static_cast<T>(file_.raw<std::uint32_t>(what, is_swapped_));
      case Type::float32:
        return static_cast<T>(file_.raw<float>(what, is_swapped_));
      case Type::float64:
        return static_cast<T>(file_.raw<double>(what, is_swapped_));
    }
    throw Error(text(file_.name(), ": a property has no type."));
  }

  template <class... Parts>
  [[noreturn]] void refuse_here(std::size_t begin, const Parts&... parts) {
    if (is_text_) file_.refuse(file_.position_of_word(), parts...);
    file_.refuse_byte(begin, parts...);
  }

  double coordinate(Type type) {
    const std::size_t begin = file_.position();
    const auto read = is_integer(type) ? static_cast<double>(value<std::int64_t>(type, "a coordinate"))
                                       : value<double>(type, "a coordinate");
    if (!std::isfinite(read)) refuse_here(begin, "a coordinate is ", read, ", expected a finite one.");
    return read;
  }

  /// Skips properties, whose values are numbers of any meaning.
  void skip(std::span<const Property> properties) {
    for (const Property& property : properties) {
      const std::int64_t entries = property.count ? entries_of(property) : 1;
      for (std::int64_t i = 0; i < entries; ++i) value<double>(property.type, property.name);
    }
  }

  std::int64_t entries_of(const Property& property) {
    const std::size_t begin = file_.position();
    const auto entries = value<std::int64_t>(*property.count, "the number of entries of a list");
    if (entries < 0 || entries > static_cast<std::int64_t>(file_.content().size()))
      refuse_here(begin, "a list of ", entries, " entries in a file of ", file_.content().size(), " bytes.");
    return entries;
  }

  void read_vertices(const Element& element) {
    constexpr std::string_view axes[] = {"x", "y", "z"};
    std::array<std::size_t, 3> axis;
    for (std::size_t k = 0; k < 3; ++k) {
      axis[k] = element.find(std::span(axes).subspan(k, 1));
      if (axis[k] == element.properties.size() || element.properties[axis[k]].count)
        file_.refuse(element.position, "element vertex has no property ", axes[k], " with one number.");
    }
    for (std::int64_t i = 0; i < element.count; ++i) {
      std::array<double, 3> point{};
      for (std::size_t p = 0; p < element.properties.size(); ++p) {
        const auto k = static_cast<std::size_t>(std::find(axis.begin(), axis.end(), p) - axis.begin());
        if (k < 3)
          point[k] = coordinate(element.properties[p].type);
        else
          skip(std::span(element.properties).subspan(p, 1));
      }
      mesh_.add_node(point[0], point[1], point[2]);
    }
  }

  void read_faces(const Element& element) {
    constexpr std::string_view names[] = {"vertex_indices", "vertex_index"};
    const std::size_t corners = element.find(names);
    const std::span<const Property> properties = element.properties;
    if (corners == properties.size() || !properties[corners].count || !is_integer(properties[corners].type))
      file_.refuse(element.position, "element face has no list of integers vertex_indices or vertex_index.");
    for (std::int64_t i = 0; i < element.count; ++i) {
      skip(properties.first(corners));
      read_corners(properties[corners]);
      skip(properties.subspan(corners + 1));
    }
  }

  void read_corners(const Property& property) {
    const std::size_t begin = file_.position();
    const std::int64_t count = entries_of(property);
    if (count < 3) refuse_here(begin, "a face has ", count, " corners, expected 3 or more.");
    corners_.clear();
    for (std::int64_t k = 0; k < count; ++k) {
      const std::size_t position = file_.position();
      const auto node = value<std::int64_t>(property.type, "a node");
      if (node < 0) refuse_here(position, "node ", node, ", expected 0 or more.");
      if (is_text_) largest_.see(node, file_.position_of_word());  // finish() checks those of binary files
      corners_.push_back(node);
    }
    mesh_.add(face_shape(corners_.size()), corners_, group_);
  }

  void require_end() {
    const std::size_t end = file_.position(), size = file_.content().size();
    if (is_text_ && !file_.at_end()) file_.refuse(file_.position(), "more follows the last element of the header.");
    if (!is_text_ && end < size)
      file_.refuse_byte(end, "too long: ", size - end, " bytes follow the last element of the header.");
  }

  FileCursor file_;
  MeshBuilder mesh_;
  bool is_text_ = true;
  bool is_swapped_ = false;
  std::vector<Element> elements_;
  std::int32_t group_ = 0;
  std::vector<std::int64_t> corners_;
  LargestNode largest_;
};

}  // namespace

MeshFile read_ply_mesh(const std::filesystem::path& file, const MeshFileOptions&) { return PlyMesh(file).read(); }

}  // namespace shoal::io
