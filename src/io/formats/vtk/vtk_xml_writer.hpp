// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

namespace shoal::io {

/// Text of a VTK XML file of one piece with raw appended data, which VTK's own readers read fastest.
class VtkXmlText {
 public:
  void open(const std::string& section) { xml_ += "      <" + section + ">\n"; }
  void close(const std::string& section) { xml_ += "      </" + section + ">\n"; }

  /// Adds an array; T is float, double, int32_t, int64_t or uint8_t.
  template <class T>
  void add(const std::string& name, std::span<const T> values, int columns);
  template <class T>
  void add(const std::string& name, const std::vector<T>& values, int columns) {
    add(name, std::span<const T>(values), columns);
  }

  /// Complete text of the file.
  /// @param type    PolyData or UnstructuredGrid
  /// @param counts  attributes of the piece, such as NumberOfPoints="4" NumberOfCells="1"
  std::string whole(const std::string& type, const std::string& counts) const;

 private:
  void append(const void* bytes, std::size_t count) { appended_.append(static_cast<const char*>(bytes), count); }

  std::string xml_, appended_;
};

}  // namespace shoal::io
