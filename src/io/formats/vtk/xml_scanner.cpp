// SPDX-License-Identifier: Apache-2.0
#include "io/formats/vtk/xml_scanner.hpp"

#include <utility>

#include "core/text.hpp"

namespace shoal::io {

namespace {

constexpr std::string_view blank = " \t\r\n";

/// Value with entities such as &lt; replaced by their characters.
std::string unescaped(std::string_view value) {
  constexpr std::pair<std::string_view, char> entities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}};
  std::string out;
  while (!value.empty()) {
    std::size_t length = 1;
    char character = value[0];
    for (const auto& [entity, meaning] : entities)
      if (value.starts_with(entity)) character = meaning, length = entity.size();
    out += character;
    value.remove_prefix(length);
  }
  return out;
}

}  // namespace

std::size_t XmlScanner::find(std::string_view what, std::size_t from) const {
  const std::size_t position = xml_.find(what, from);
  require(position != std::string_view::npos, file_, ": cut short: what begins at byte ", from, " does not end.");
  return position;
}

std::optional<XmlTag> XmlScanner::next() {
  const std::size_t text_begin = position_;
  while (true) {
    const std::size_t begin = xml_.find('<', position_);
    if (begin == std::string_view::npos) return {};
    const std::string_view rest = xml_.substr(begin);
    if (rest.starts_with("<!--")) {
      position_ = find("-->", begin) + 3;
    } else if (rest.starts_with("<?") || rest.starts_with("<!")) {
      position_ = find(">", begin) + 1;
    } else {
      XmlTag tag;
      tag.begin = begin;
      tag.before = xml_.substr(text_begin, begin - text_begin);
      const std::size_t end = find(">", begin);
      read_attributes(tag, xml_.substr(begin + 1, end - begin - 1));
      position_ = end + 1;
      return tag;
    }
  }
}

/// Reads the attributes of a tag.
/// @param content  text between < and >
void XmlScanner::read_attributes(XmlTag& tag, std::string_view content) const {
  const auto require_tag = [&](bool condition) {
    require(condition, file_, ": not XML: byte ", tag.begin, " begins no tag.");
  };
  tag.closes = content.starts_with('/');
  if (tag.closes) content.remove_prefix(1);
  tag.is_empty = content.ends_with('/');
  if (tag.is_empty) content.remove_suffix(1);
  const std::size_t name_end = std::min(content.size(), content.find_first_of(blank));
  tag.name = content.substr(0, name_end);
  require_tag(!tag.name.empty());
  content.remove_prefix(name_end);
  while (content.find_first_not_of(blank) != std::string_view::npos) {
    content.remove_prefix(content.find_first_not_of(blank));
    const std::size_t equals = content.find('=');
    require_tag(equals != std::string_view::npos && equals > 0);
    const std::size_t open = content.find_first_not_of(blank, equals + 1);
    require_tag(open != std::string_view::npos && (content[open] == '"' || content[open] == '\''));
    const std::size_t close = content.find(content[open], open + 1);
    require_tag(close != std::string_view::npos);
    const std::string_view key = content.substr(0, content.find_last_not_of(blank, equals - 1) + 1);
    tag.attributes.emplace(key, unescaped(content.substr(open + 1, close - open - 1)));
    content.remove_prefix(close + 1);
  }
}

}  // namespace shoal::io
