// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace shoal::io {

/// One tag of XML: <name key="value">, </name> or <name/>.
struct XmlTag {
  std::string_view name;
  std::map<std::string, std::string, std::less<>> attributes;
  bool closes = false;      ///< </name>
  bool is_empty = false;    ///< <name/>
  std::size_t begin = 0;    ///< byte of the <
  std::string_view before;  ///< the text since the tag before this one
};

/// The tags of an XML text, one after the other; comments and declarations are passed over. As much of XML as VTK's
/// files have.
class XmlScanner {
 public:
  /// @param file  for messages
  XmlScanner(std::string_view xml, std::string file) : xml_(xml), file_(std::move(file)) {}

  /// Nothing at the end of the text.
  /// @throws Error  a tag that does not end, or is not a tag
  std::optional<XmlTag> next();

  /// After the tag that `next` gave last.
  std::size_t position() const { return position_; }

 private:
  std::size_t find(std::string_view what, std::size_t from) const;
  void read_attributes(XmlTag& tag, std::string_view content) const;

  std::string_view xml_;
  std::string file_;
  std::size_t position_ = 0;
};

}  // namespace shoal::io
