// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <map>

#include "io/formats/vtk/vtk_array.hpp"
#include "io/formats/vtk/xml_scanner.hpp"

namespace shoal::io {

/// One <Piece>: its counts and its arrays.
struct VtkPiece {
  std::map<std::string, std::uint64_t, std::less<>> counts;            ///< NumberOfPoints, NumberOfCells, ...
  std::map<std::string, std::vector<VtkArray>, std::less<>> sections;  ///< of Points, PointData, Cells, ...

  /// 0 if the piece does not say it.
  std::uint64_t count(std::string_view name) const;
  /// None if the piece has no such section.
  const std::vector<VtkArray>& arrays(std::string_view section) const;
};

std::vector<std::string> names_of(const std::vector<VtkArray>& arrays);

/// The array of a piece that has points.
/// @param file  for messages
/// @throws Error  not one array of three components
const VtkArray& coordinates_of(const VtkPiece& piece, const std::string& file);

/// What the tags of a VTK XML file say, PolyData or UnstructuredGrid; the arrays are read later, since the appended
/// data come last.
class VtkXml {
 public:
  /// @throws Error  not such a file, cut short, big-endian, or packed by what this build has not
  explicit VtkXml(const std::filesystem::path& path);

  /// PolyData or UnstructuredGrid.
  const std::string& type() const { return type_; }
  const std::vector<VtkPiece>& pieces() const { return pieces_; }
  const VtkEncoding& encoding() const { return encoding_; }

 private:
  [[noreturn]] void refuse(const std::string& what) const;
  std::uint64_t number(const XmlTag& tag, const char* name, const char* standard) const;
  void read_file_tag(const XmlTag& tag);
  void begin_piece(const XmlTag& tag);
  void read_array(const XmlTag& tag, const std::string& section);
  std::string_view content_of_array();
  void read_appended(const XmlTag& tag);

  std::string content_;
  XmlScanner scanner_;
  VtkEncoding encoding_;
  std::string type_;
  std::vector<VtkPiece> pieces_;
  bool ended_ = false;
};

}  // namespace shoal::io
