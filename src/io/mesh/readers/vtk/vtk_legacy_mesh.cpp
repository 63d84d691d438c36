// SPDX-License-Identifier: Apache-2.0
// Reader of meshes in VTK's legacy files, text or binary (big-endian): UNSTRUCTURED_GRID and POLYDATA. Versions up to 4
// store a count before the corners of each cell; version 5 stores offsets and connectivity.
#include <algorithm>

#include "io/formats/text/strings.hpp"
#include "io/mesh/readers/mesh_readers.hpp"
#include "io/mesh/readers/vtk/vtk_elements.hpp"

namespace shoal::io {

namespace {

/// Cells of one section: the end of the corners of each cell, and the corners.
struct Section {
  std::vector<std::int64_t> ends, corners;
};

class VtkLegacyMesh {
 public:
  VtkLegacyMesh(const std::filesystem::path& path, const MeshFileOptions& options)
      : file_(path), options_(options), mesh_(path.string()) {}

  MeshFile read() {
    read_header();
    while (!file_.at_end() && !done_) read_section();
    if (!has_points_) file_.refuse(file_.position(), "cut short: expected POINTS.");
    VtkElements elements;
    if (is_grid_) {
      elements.add(0, sections_["CELLS"].ends, sections_["CELLS"].corners);
      elements.type = types_;
    } else {
      for (const auto& [word, type] :
           {std::pair("VERTICES", vtk_poly_vertex), std::pair("LINES", vtk_poly_line),
            std::pair("POLYGONS", vtk_polygon), std::pair("TRIANGLE_STRIPS", vtk_triangle_strip)})
        elements.add(type, sections_[word].ends, sections_[word].corners);
    }
    elements.marker = marker_;
    const std::string& marker = options_.marker_array;
    require(marker.empty() || std::find(cell_arrays_.begin(), cell_arrays_.end(), marker) != cell_arrays_.end(),
            missing_text(file_.name(), "array of CELL_DATA", marker, cell_arrays_));
    add_vtk_elements(mesh_, elements, 0, file_.name());
    return mesh_.finish(
        dimensions_of_polydata(sections_["LINES"].ends.size(), sections_["POLYGONS"].ends.size(), file_.name()));
  }

 private:
  void read_header() {
    const std::string_view first = file_.line();
    require(first.starts_with("# vtk DataFile"), file_.name(),
            ": this is no legacy VTK file: it does not begin with \"# vtk DataFile Version\".");
    file_.line();  // title
    const std::string_view kind = file_.word("ASCII or BINARY");
    is_binary_ = kind == "BINARY";
    if (!is_binary_ && kind != "ASCII") refuse_word(kind, "ASCII or BINARY");
    expect("DATASET");
    const std::string_view type = file_.word("a type");
    is_grid_ = type == "UNSTRUCTURED_GRID";
    if (!is_grid_ && type != "POLYDATA") refuse_word(type, "UNSTRUCTURED_GRID or POLYDATA");
  }

  [[noreturn]] void refuse_word(std::string_view word, std::string_view expected) const {
    file_.refuse(file_.position_of(word), "\"", word.substr(0, 40), "\", expected ", expected, ".");
  }

  void expect(std::string_view expected) {
    const std::string_view word = file_.word(expected);
    if (word != expected) refuse_word(word, expected);
  }

  void read_section() {
    const std::string_view word = file_.word("a section");
    if (word == "POINTS")
      read_points();
    else if (word == "CELLS" || word == "VERTICES" || word == "LINES" || word == "POLYGONS" ||
             word == "TRIANGLE_STRIPS")
      sections_[std::string(word)] = read_cells();
    else if (word == "CELL_TYPES")
      read_types();
    else if (word == "METADATA")
      skip_metadata();
    else if (word == "FIELD")
      read_field();
    else if (word == "CELL_DATA" || word == "POINT_DATA")
      begin_data(word == "CELL_DATA");
    else if (data_count_)
      read_attribute(word);
    else
      refuse_word(word, "a section, such as POINTS or CELLS");
  }

  /// Calls `use` with each of the next `count` numbers of the type with this name.
  template <class Use>
  void for_each_number(std::string_view type, std::uint64_t count, const Use& use) {
    const auto read_as = [&]<class T>(T) {
      if (!is_binary_) {
        for (std::uint64_t i = 0; i < count; ++i) {
          const auto value = file_.number<double>("a number");
          use(value, file_.position_of_word());
        }
        return;
      }
      if (count > file_.content().size()) file_.bytes(count, "an array");
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::size_t position = file_.position();
        use(static_cast<double>(file_.raw<T>("an array", true)), position);
      }
    };
    if (type == "float")
      read_as(float{});
    else if (type == "double")
      read_as(double{});
    else if (type == "char" || type == "signed_char")
      read_as(std::int8_t{});
    else if (type == "unsigned_char")
      read_as(std::uint8_t{});
    else if (type == "short")
      read_as(std::int16_t{});
    else if (type == "unsigned_short")
      read_as(std::uint16_t{});
    else if (type == "int")
      read_as(std::int32_t{});
    else if (type == "unsigned_int")
      read_as(std::uint32_t{});
    else if (type == "long" || type == "vtktypeint64" || type == "vtkIdType")
      read_as(std::int64_t{});
    else if (type == "unsigned_long" || type == "vtktypeuint64")
      read_as(std::uint64_t{});
    else
      file_.refuse(file_.position(), "numbers of type ", type, ", expected float, double or an integer.");
  }

  [[noreturn]] void refuse_number(std::size_t position, double value, const char* expected) const {
    if (is_binary_) file_.refuse_byte(position, "it is ", value, ", expected ", expected, ".");
    file_.refuse(position, "it is ", value, ", expected ", expected, ".");
  }

  std::vector<std::int64_t> read_integers(std::string_view type, std::uint64_t count) {
    std::vector<std::int64_t> integers;
    for_each_number(type, count, [&](double value, std::size_t position) {
      if (value != std::trunc(value) || std::abs(value) > 9e15) refuse_number(position, value, "a whole number");
      integers.push_back(static_cast<std::int64_t>(value));
    });
    return integers;
  }

  void read_points() {
    has_points_ = true;
    const auto count = static_cast<std::uint64_t>(file_.count("a number of points"));
    const std::string_view type = file_.word("a type");
    file_.line();
    std::array<double, 3> point;
    std::size_t axis = 0;
    for_each_number(type, 3 * count, [&](double value, std::size_t position) {
      if (!std::isfinite(value)) refuse_number(position, value, "a finite coordinate");
      point[axis++ % 3] = value;
      if (axis % 3 == 0) mesh_.add_node(point[0], point[1], point[2]);
    });
  }

  Section read_cells() {
    const std::int64_t cells = file_.count("a number of cells"), size = file_.count("a number of corners");
    file_.line();
    const std::size_t position = file_.position();
    if (file_.word("cells") == "OFFSETS") return read_cells_5(cells, size);
    file_.seek(position);
    Section section;
    const std::vector<std::int64_t> counted = read_integers("int", static_cast<std::uint64_t>(size));
    std::size_t position_of_count = 0;
    for (std::int64_t cell = 0; cell < cells; ++cell) {
      const std::int64_t left = size - static_cast<std::int64_t>(position_of_count) - 1;
      if (left < 0 || counted[position_of_count] < 0 || counted[position_of_count] > left)
        file_.refuse(position, "the corners of cell ", cell, " of ", cells, " are not among the ", size,
                     " numbers that the section has.");
      const auto corners = counted.begin() + static_cast<std::ptrdiff_t>(position_of_count) + 1;
      section.corners.insert(section.corners.end(), corners, corners + counted[position_of_count]);
      section.ends.push_back(static_cast<std::int64_t>(section.corners.size()));
      position_of_count += static_cast<std::size_t>(counted[position_of_count]) + 1;
    }
    return section;
  }

  /// Reads cells of version 5, after the word OFFSETS.
  Section read_cells_5(std::int64_t offsets, std::int64_t size) {
    Section section;
    const std::string_view type = file_.word("a type");
    file_.line();
    section.ends = read_integers(type, static_cast<std::uint64_t>(offsets));
    expect("CONNECTIVITY");
    const std::string_view type_of_corners = file_.word("a type");
    file_.line();
    section.corners = read_integers(type_of_corners, static_cast<std::uint64_t>(size));
    if (!section.ends.empty()) section.ends.erase(section.ends.begin());  // beginning of the first cell
    return section;
  }

  void read_types() {
    const std::int64_t count = file_.count("a number of cells");
    file_.line();
    types_ = read_integers("int", static_cast<std::uint64_t>(count));
  }

  /// Skips names and units of arrays, up to an empty line.
  void skip_metadata() {
    file_.line();
    while (file_.position() < file_.content().size() && !trimmed(file_.line()).empty()) {
    }
  }

  /// Begins a section of values. Values come after the cells, and only values of cells can be markers.
  void begin_data(bool of_cells) {
    data_count_ = file_.count("a number of values");
    of_cells_ = of_cells;
    done_ = options_.marker_array.empty();
  }

  /// Number of values of `tuples` tuples. Each takes at least one byte of the file.
  std::uint64_t values_in(std::uint64_t components, std::uint64_t tuples) const {
    const std::uint64_t most = file_.content().size();
    if (tuples > most || (tuples > 0 && components > most / tuples))
      file_.refuse(file_.position(), "cut short: ", tuples, " tuples of ", components,
                   " components, and the file has only ", most, " bytes.");
    return components * tuples;
  }

  void read_values(std::string_view name, std::string_view type, std::uint64_t components, std::uint64_t tuples) {
    const bool is_marker = of_cells_ && name == options_.marker_array;
    if (of_cells_) cell_arrays_.emplace_back(name);
    if (is_marker && components != 1)
      file_.refuse(file_.position(), "array `", name, "` has ", components, " components, expected one.");
    for_each_number(type, values_in(components, tuples), [&](double value, std::size_t) {
      if (is_marker) marker_.push_back(value);
    });
    done_ = is_marker;
  }

  /// Reads FIELD: its name and count, then for each array its name, components, tuples and type.
  void read_field() {
    file_.word("a name");
    const std::int64_t arrays = file_.count("a number of arrays");
    for (std::int64_t i = 0; i < arrays && !done_; ++i) {
      std::string_view name = file_.word("the name of an array");
      if (name == "METADATA") skip_metadata(), name = file_.word("the name of an array");
      const auto components = static_cast<std::uint64_t>(file_.count("a number of components"));
      const auto tuples = static_cast<std::uint64_t>(file_.count("a number of tuples"));
      const std::string_view type = file_.word("a type");
      file_.line();
      read_values(name, type, components, tuples);
    }
  }

  /// Reads the other attributes that CELL_DATA and POINT_DATA may have.
  void read_attribute(std::string_view kind) {
    const auto count = static_cast<std::uint64_t>(*data_count_);
    const std::string_view name = file_.word("a name");
    if (kind == "SCALARS") {
      const std::string_view type = file_.word("a type");
      const auto components = file_.word_in_line();
      std::uint64_t number = 1;
      if (components && !read_number(*components, number)) refuse_word(*components, "a number of components");
      expect("LOOKUP_TABLE");
      file_.line();
      read_values(name, type, number, count);
    } else if (kind == "LOOKUP_TABLE") {
      const auto colors = static_cast<std::uint64_t>(file_.count("a number of colors"));
      skip_numbers(is_binary_ ? "unsigned_char" : "float", 4 * colors);
    } else if (kind == "COLOR_SCALARS") {
      const auto components = static_cast<std::uint64_t>(file_.count("a number of components"));
      skip_numbers(is_binary_ ? "unsigned_char" : "float", values_in(components, count));
    } else if (kind == "VECTORS" || kind == "NORMALS" || kind == "TENSORS") {
      skip_numbers(file_.word("a type"), (kind == "TENSORS" ? 9 : 3) * count);
    } else if (kind == "GLOBAL_IDS" || kind == "PEDIGREE_IDS") {
      skip_numbers(file_.word("a type"), count);
    } else if (kind == "TEXTURE_COORDINATES") {
      const auto components = static_cast<std::uint64_t>(file_.count("a number of components"));
      const std::string_view type = file_.word("a type");
      skip_numbers(type, values_in(components, count));
    } else {
      refuse_word(kind, "an array of values");
    }
  }

  void skip_numbers(std::string_view type, std::uint64_t count) {
    file_.line();
    for_each_number(type, count, [](double, std::size_t) {});
  }

  FileCursor file_;
  const MeshFileOptions& options_;
  MeshBuilder mesh_;
  bool is_binary_ = false, is_grid_ = false, has_points_ = false;
  bool done_ = false;  ///< true if the rest of the file is not needed
  std::map<std::string, Section> sections_;
  std::vector<std::int64_t> types_;
  std::optional<std::int64_t> data_count_;  ///< number of tuples; set once CELL_DATA or POINT_DATA has begun
  bool of_cells_ = false;
  std::vector<std::string> cell_arrays_;
  std::vector<double> marker_;
};

}  // namespace

MeshFile read_vtk_legacy_mesh(const std::filesystem::path& file, const MeshFileOptions& options) {
  return VtkLegacyMesh(file, options).read();
}

}  // namespace shoal::io
