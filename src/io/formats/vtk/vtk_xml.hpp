// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <map>

#include "io/formats/vtk/vtk_array.hpp"
#include "io/formats/vtk/xml_scanner.hpp"

namespace shoal::io {

/// Counts and arrays of a <Piece>.
struct VtkPiece {
  std::map<std::string, std::uint64_t, std::less<>> counts;            ///< values of NumberOfPoints, NumberOfCells, ...
  std::map<std::string, std::vector<VtkArray>, std::less<>> sections;  ///< arrays of Points, PointData, Cells, ...

  /// Count with this name; 0 if the piece does not declare it.
  std::uint64_t count(std::string_view name) const;
  /// Arrays of a section; empty if the piece has no such section.
  const std::vector<VtkArray>& arrays(std::string_view section) const;
};

std::vector<std::string> names_of(const std::vector<VtkArray>& arrays);

/// Coordinates of a piece that has points.
/// @param file  name of the file in messages
/// @throws Error  if there is not exactly one array of three components
const VtkArray& coordinates_of(const VtkPiece& piece, const std::string& file);

/// Content of the tags of a VTK XML file, PolyData or UnstructuredGrid. The numbers of the arrays are read later, since
/// the appended data come last.
class VtkXml {
 public:
  /// @throws Error  if the file is of another kind, cut short, big-endian, or compressed by a library that this build
  ///                lacks
  explicit VtkXml(const std::filesystem::path& path);

  /// Type of the grid: PolyData or UnstructuredGrid.
  const std::string& type() const { return type_; }
  const std::vector<VtkPiece>& pieces() const { return pieces_; }
  const VtkEncoding& encoding() const { return encoding_; }
  /// Largest number of values that all pieces together can have in one section: each takes a byte, or less if compressed.
  std::uint64_t most_values() const;

 private:
  [[noreturn]] void refuse(const std::string& what) const;
  std::uint64_t number(const XmlTag& tag, const char* name, const char* standard) const;
  void read_file_tag(const XmlTag& tag);
  void begin_piece(const XmlTag& tag);
  void require_possible_counts() const;
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
