// SPDX-License-Identifier: Apache-2.0
#include "io/formats/vtk/vtk_xml.hpp"

#include <shoal/io/text.hpp>

#include "core/text.hpp"
#include "io/formats/compression.hpp"
#include "io/formats/text/strings.hpp"
#include "io/formats/whole_file.hpp"

namespace shoal::io {

namespace {

std::string attribute(const XmlTag& tag, std::string_view name, const char* standard) {
  const auto entry = tag.attributes.find(name);
  return entry == tag.attributes.end() ? standard : entry->second;
}

bool is_section(std::string_view name) {
  for (const char* section : {"Points", "PointData", "CellData", "Cells", "Verts", "Lines", "Polys", "Strips"})
    if (name == section) return true;
  return false;
}

}  // namespace

std::uint64_t VtkPiece::count(std::string_view name) const {
  const auto entry = counts.find(name);
  return entry == counts.end() ? 0 : entry->second;
}

const std::vector<VtkArray>& VtkPiece::arrays(std::string_view section) const {
  static const std::vector<VtkArray> none;
  const auto entry = sections.find(section);
  return entry == sections.end() ? none : entry->second;
}

std::vector<std::string> names_of(const std::vector<VtkArray>& arrays) {
  std::vector<std::string> names;
  for (const VtkArray& array : arrays) names.push_back(array.name);
  return names;
}

const VtkArray& coordinates_of(const VtkPiece& piece, const std::string& file) {
  const std::vector<VtkArray>& arrays = piece.arrays("Points");
  require(arrays.size() == 1, file, ": a piece of ", piece.count("NumberOfPoints"), " points has ", arrays.size(),
          " arrays in <Points>, expected one.");
  require(arrays[0].components == 3, file, ": <Points> has ", arrays[0].components, " components, expected 3.");
  return arrays[0];
}

VtkXml::VtkXml(const std::filesystem::path& path) : content_(read_whole(path)), scanner_(content_, path.string()) {
  encoding_.file = path.string();
  bool is_vtk = false;
  std::string section;
  while (const auto tag = scanner_.next()) {
    if (tag->name == "VTKFile" && !tag->closes) is_vtk = true, read_file_tag(*tag);
    require(is_vtk, encoding_.file, ": this is no VTK XML file: it does not begin with <VTKFile>.");
    if (tag->name == "VTKFile" && tag->closes) ended_ = true;
    if (tag->name == "Piece" && !tag->closes) begin_piece(*tag);
    if (is_section(tag->name)) section = tag->closes || tag->is_empty ? "" : tag->name;
    if (tag->name == "DataArray" && !section.empty()) read_array(*tag, section);
    if (tag->name == "AppendedData") {
      read_appended(*tag);
      require_possible_counts();
      return;
    }
  }
  require(is_vtk, encoding_.file, ": this is no VTK XML file: it has no tag <VTKFile>.");
  require(ended_, encoding_.file, ": cut short: <VTKFile> does not end; the file has ", content_.size(), " bytes.");
  require_possible_counts();
}

std::uint64_t VtkXml::most_values() const { return content_.size() * (encoding_.compressed ? most_packed : 1); }

/// Checks the counts of all pieces together: many pieces may have the same appended data.
void VtkXml::require_possible_counts() const {
  std::map<std::string_view, std::uint64_t> totals;
  for (const VtkPiece& piece : pieces_)
    for (const auto& [name, count] : piece.counts) {
      std::uint64_t& total = totals[name];
      require(count <= most_values() && total <= most_values() - count, encoding_.file, ": cut short: ", name,
              " adds up to more than ", most_values(), ", and the file has only ", content_.size(), " bytes.");
      total += count;
    }
}

void VtkXml::refuse(const std::string& what) const { throw Error(printable(encoding_.file + ": " + what)); }

std::uint64_t VtkXml::number(const XmlTag& tag, const char* name, const char* standard) const {
  const std::string value = attribute(tag, name, standard);
  std::uint64_t whole_number = 0;
  require(read_number<std::uint64_t>(value, whole_number), encoding_.file, ": <", tag.name, "> at byte ", tag.begin,
          " has ", name, "=\"", printable(value), "\", expected a whole number.");
  return whole_number;
}

void VtkXml::read_file_tag(const XmlTag& tag) {
  type_ = attribute(tag, "type", "");
  if (type_ != "PolyData" && type_ != "UnstructuredGrid")
    refuse(text("it holds ", type_, ", expected PolyData or UnstructuredGrid."));
  const std::string order = attribute(tag, "byte_order", "LittleEndian");
  if (order != "LittleEndian") refuse(text("byte_order is ", order, ", expected LittleEndian. Write the file anew."));
  const std::string header = attribute(tag, "header_type", "UInt32");
  if (header != "UInt32" && header != "UInt64") refuse(text("header_type is ", header, ", expected UInt32 or UInt64."));
  encoding_.header_bytes = header == "UInt32" ? 4 : 8;
  const std::string compressor = attribute(tag, "compressor", "");
  encoding_.compressed = !compressor.empty();
  if (encoding_.compressed && compressor != "vtkZLibDataCompressor")
    refuse(text("it is compressed by ", compressor, ", expected vtkZLibDataCompressor or none. Write it with that."));
}

void VtkXml::begin_piece(const XmlTag& tag) {
  VtkPiece& piece = pieces_.emplace_back();
  piece.counts["NumberOfPoints"] = number(tag, "NumberOfPoints", "");
  for (const char* name : {"NumberOfCells", "NumberOfVerts", "NumberOfLines", "NumberOfPolys", "NumberOfStrips"})
    piece.counts[name] = number(tag, name, "0");
}

void VtkXml::read_array(const XmlTag& tag, const std::string& section) {
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
  pieces_.back().sections[section].push_back(std::move(array));
}

/// First text that is not blank between <DataArray> and its end tag; the element may contain other tags.
std::string_view VtkXml::content_of_array() {
  std::string_view content;
  int depth = 1;
  const std::size_t begin = scanner_.position();
  while (depth > 0) {
    const auto tag = scanner_.next();
    require(tag.has_value(), encoding_.file, ": cut short: the <DataArray> before byte ", begin, " does not end.");
    const bool is_blank = tag->before.find_first_not_of(" \t\r\n") == std::string_view::npos;
    if (depth == 1 && content.empty() && !is_blank) content = tag->before;
    if (!tag->is_empty) depth += tag->closes ? -1 : 1;
  }
  return content;
}

void VtkXml::read_appended(const XmlTag& tag) {
  const std::string kind = attribute(tag, "encoding", "base64");
  if (kind != "raw" && kind != "base64") refuse(text("appended data are ", kind, ", expected raw or base64."));
  encoding_.appended_as_text = kind == "base64";
  const std::size_t underscore = content_.find('_', scanner_.position());
  if (underscore == std::string::npos) refuse("cut short: the appended data do not begin.");
  encoding_.appended = std::string_view(content_).substr(underscore + 1);
}

}  // namespace shoal::io
