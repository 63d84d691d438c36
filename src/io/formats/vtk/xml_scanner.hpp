// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace shoal::io {

/// XML tag: <name key="value">, </name> or <name/>.
struct XmlTag {
  std::string_view name;
  std::map<std::string, std::string, std::less<>> attributes;
  bool closes = false;      ///< true for </name>
  bool is_empty = false;    ///< true for <name/>
  std::size_t begin = 0;    ///< byte at which the tag begins
  std::string_view before;  ///< text between the previous tag and this one
};

/// Scanner of the tags of an XML text. It skips comments and declarations, and covers the part of XML that VTK files
/// use.
class XmlScanner {
 public:
  /// @param file  name of the file in messages
  XmlScanner(std::string_view xml, std::string file) : xml_(xml), file_(std::move(file)) {}

  /// Next tag; nothing at the end of the text.
  /// @throws Error  if a tag is malformed or does not end
  std::optional<XmlTag> next();

  /// Position in bytes after the tag that `next` returned last.
  std::size_t position() const { return position_; }

 private:
  std::size_t find(std::string_view what, std::size_t from) const;
  void read_attributes(XmlTag& tag, std::string_view content) const;

  std::string_view xml_;
  std::string file_;
  std::size_t position_ = 0;
};

}  // namespace shoal::io
