// SPDX-License-Identifier: Apache-2.0
#include "io/formats/vtk/vtk_xml_writer.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstdint>

namespace shoal::io {

namespace {

template <class T>
constexpr const char* vtk_type() {
  if constexpr (std::is_same_v<T, float>) return "Float32";
  if constexpr (std::is_same_v<T, double>) return "Float64";
  if constexpr (std::is_same_v<T, std::int32_t>) return "Int32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "Int64";
  if constexpr (std::is_same_v<T, std::uint8_t>) return "UInt8";
}

/// Name with all characters escaped that the value of an XML attribute cannot contain.
std::string escaped(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

}  // namespace

template <class T>
void VtkXmlText::add(const std::string& name, std::span<const T> values, int columns) {
  xml_ +=
      fmt::format(R"(        <DataArray type="{}" Name="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)",
                  vtk_type<T>(), escaped(name), columns, appended_.size());
  xml_ += '\n';
  const std::uint64_t bytes = values.size_bytes();
  append(&bytes, sizeof bytes);
  append(values.data(), bytes);
}

template void VtkXmlText::add(const std::string&, std::span<const float>, int);
template void VtkXmlText::add(const std::string&, std::span<const double>, int);
template void VtkXmlText::add(const std::string&, std::span<const std::int32_t>, int);
template void VtkXmlText::add(const std::string&, std::span<const std::int64_t>, int);
template void VtkXmlText::add(const std::string&, std::span<const std::uint8_t>, int);

std::string VtkXmlText::whole(const std::string& type, const std::string& counts) const {
  constexpr bool little = std::endian::native == std::endian::little;
  return fmt::format(R"(<?xml version="1.0"?>
<VTKFile type="{0}" version="1.0" byte_order="{1}" header_type="UInt64">
  <{0}>
    <Piece {2}>
)",
                     type, little ? "LittleEndian" : "BigEndian", counts) +
         xml_ + "    </Piece>\n  </" + type + ">\n  <AppendedData encoding=\"raw\">\n_" + appended_ +
         "\n  </AppendedData>\n</VTKFile>\n";
}

}  // namespace shoal::io
