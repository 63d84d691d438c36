// SPDX-License-Identifier: Apache-2.0
// Points of VTK's XML files, all pieces of one file: PolyData (.vtp) and UnstructuredGrid (.vtu).
#include <algorithm>

#include "core/text.hpp"
#include "io/number_text.hpp"
#include "io/points_readers.hpp"
#include "io/vtk_array.hpp"
#include "io/vtk_points.hpp"
#include "io/whole_file.hpp"
#include "io/xml_scanner.hpp"
#include "io/zlib_block.hpp"

namespace shoal::io {

namespace {

struct Piece {
  std::uint64_t points = 0;
  std::vector<VtkArray> coordinates;  ///< one, in a whole file
  std::vector<VtkArray> point_data;
};

std::string attribute(const XmlTag& tag, std::string_view name, const char* standard) {
  const auto found = tag.attributes.find(name);
  return found == tag.attributes.end() ? standard : found->second;
}

/// What the tags of a file say; the arrays are read later, since the appended data come last.
class VtkXml {
 public:
  explicit VtkXml(const std::filesystem::path& path) : content_(read_whole(path)), scanner_(content_, path.string()) {
    encoding_.file = path.string();
    bool is_vtk = false;
    std::string section;
    while (const auto tag = scanner_.next()) {
      if (tag->name == "VTKFile" && !tag->closes) is_vtk = true, read_file_tag(*tag);
      require(is_vtk, encoding_.file, ": this is no VTK XML file: it does not begin with <VTKFile>.");
      if (tag->name == "VTKFile" && tag->closes) ended_ = true;
      if (tag->name == "Piece" && !tag->closes) pieces_.push_back({number(*tag, "NumberOfPoints", ""), {}, {}});
      if (tag->name == "Points" || tag->name == "PointData") section = tag->closes || tag->is_empty ? "" : tag->name;
      if (tag->name == "DataArray" && !section.empty()) read_array(*tag, section);
      if (tag->name == "AppendedData") {
        read_appended(*tag);
        return;
      }
    }
    require(is_vtk, encoding_.file, ": this is no VTK XML file: it has no tag <VTKFile>.");
    require(ended_, encoding_.file, ": cut short: <VTKFile> does not end; the file has ", content_.size(), " bytes.");
  }

  const std::vector<Piece>& pieces() const { return pieces_; }
  const VtkEncoding& encoding() const { return encoding_; }

 private:
  [[noreturn]] void refuse(const std::string& what) const { throw Error(encoding_.file + ": " + what); }

  std::uint64_t number(const XmlTag& tag, const char* name, const char* standard) const {
    const std::string value = attribute(tag, name, standard);
    std::uint64_t found = 0;
    require(read_number<std::uint64_t>(value, found), encoding_.file, ": <", tag.name, "> at byte ", tag.begin, " has ",
            name, "=\"", value, "\", expected a whole number.");
    return found;
  }

  void read_file_tag(const XmlTag& tag) {
    const std::string type = attribute(tag, "type", "");
    if (type != "PolyData" && type != "UnstructuredGrid")
      refuse(text("it holds ", type, ", expected PolyData or UnstructuredGrid."));
    const std::string order = attribute(tag, "byte_order", "LittleEndian");
    if (order != "LittleEndian") refuse(text("byte_order is ", order, ", expected LittleEndian. Write the file anew."));
    const std::string header = attribute(tag, "header_type", "UInt32");
    if (header != "UInt32" && header != "UInt64")
      refuse(text("header_type is ", header, ", expected UInt32 or UInt64."));
    encoding_.header_bytes = header == "UInt32" ? 4 : 8;
    const std::string compressor = attribute(tag, "compressor", "");
    encoding_.compressed = !compressor.empty();
    if (encoding_.compressed && compressor != "vtkZLibDataCompressor")
      refuse(text("it is compressed by ", compressor, ", expected vtkZLibDataCompressor or none. Write it with that."));
    if (encoding_.compressed && !has_zlib())
      refuse("it is compressed by zlib, which this build of shoal has not. Write it uncompressed, or build with zlib.");
  }

  void read_array(const XmlTag& tag, const std::string& section) {
    if (tag.closes) return;
    if (pieces_.empty()) refuse(text("<DataArray> at byte ", tag.begin, " is in no <Piece>."));
    VtkArray array;
    array.name = attribute(tag, "Name", section.c_str());
    array.type = attribute(tag, "type", "");
    array.format = attribute(tag, "format", "ascii");
    array.components = number(tag, "NumberOfComponents", "1");
    array.offset = number(tag, "offset", "0");
    array.begin = tag.begin;
    if (!tag.is_empty) array.content = content_of_array();
    Piece& piece = pieces_.back();
    (section == "Points" ? piece.coordinates : piece.point_data).push_back(std::move(array));
  }

  /// The first text between <DataArray> and its end that is not blank; there may be other tags beside it.
  std::string_view content_of_array() {
    std::string_view found;
    int depth = 1;
    const std::size_t begin = scanner_.position();
    while (depth > 0) {
      const auto tag = scanner_.next();
      require(tag.has_value(), encoding_.file, ": cut short: the <DataArray> before byte ", begin, " does not end.");
      const bool is_blank = tag->before.find_first_not_of(" \t\r\n") == std::string_view::npos;
      if (depth == 1 && found.empty() && !is_blank) found = tag->before;
      if (!tag->is_empty) depth += tag->closes ? -1 : 1;
    }
    return found;
  }

  void read_appended(const XmlTag& tag) {
    const std::string kind = attribute(tag, "encoding", "base64");
    if (kind != "raw" && kind != "base64") refuse(text("appended data are ", kind, ", expected raw or base64."));
    encoding_.appended_as_text = kind == "base64";
    const std::size_t underscore = content_.find('_', scanner_.position());
    if (underscore == std::string::npos) refuse("cut short: the appended data do not begin.");
    encoding_.appended = std::string_view(content_).substr(underscore + 1);
  }

  std::string content_;
  XmlScanner scanner_;
  VtkEncoding encoding_;
  std::vector<Piece> pieces_;
  bool ended_ = false;
};

std::vector<std::string> names_of(const std::vector<VtkArray>& arrays) {
  std::vector<std::string> names;
  for (const VtkArray& array : arrays) names.push_back(array.name);
  return names;
}

void append_points(PointsFile& points, const Piece& piece, const VtkEncoding& encoding) {
  if (piece.points == 0) return;
  require(piece.coordinates.size() == 1, points.name, ": a piece of ", piece.points, " points has ",
          piece.coordinates.size(), " arrays in <Points>, expected one.");
  const VtkArray& array = piece.coordinates[0];
  require(array.components == 3, points.name, ": <Points> has ", array.components, " components, expected 3.");
  points.single_precision = points.single_precision && array.type == "Float32";
  append_vtk_points(points, read_vtk_array(array, encoding, piece.points));
}

void append_value(PointsFile& points, const std::string& asked, const Piece& piece, const VtkEncoding& encoding) {
  const VtkValueName value(asked, names_of(piece.point_data), points.name);
  const auto array = std::find_if(piece.point_data.begin(), piece.point_data.end(),
                                  [&](const VtkArray& candidate) { return candidate.name == value.array; });
  value.require_component(points.name, array->components);
  if (piece.points == 0) return;
  value.append(points.values[asked], read_vtk_array(*array, encoding, piece.points), array->components);
}

}  // namespace

PointsFile read_vtk_xml_points(const std::filesystem::path& file, const PointsFileOptions& options) {
  const VtkXml xml(file);
  PointsFile points = empty_vtk_points(file, options);
  require(!xml.pieces().empty(), points.name, ": it has no <Piece> with points.");
  for (const Piece& piece : xml.pieces()) {
    append_points(points, piece, xml.encoding());
    for (const std::string& name : options.values) append_value(points, name, piece, xml.encoding());
  }
  return points;
}

}  // namespace shoal::io
