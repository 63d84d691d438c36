// SPDX-License-Identifier: Apache-2.0
#include "io/case/keys/kind_key.hpp"

#include <fstream>

#include "core/text.hpp"
#include "io/case/document/case_value.hpp"

namespace shoal::io {

const CaseKind& case_kind(const Document& document) {
  std::vector<std::string> names;
  for (const CaseKind* kind : case_kinds()) names.emplace_back(kind->name);
  const toml::node* node = find(document.root(), "kind");
  require(node != nullptr, document.name(), ": missing key `kind` (what the file describes); expected one of ",
          join(names), ".");
  const Value value{*node, document.where("kind", node->source()), "kind", "", {}, 0};
  return *case_kinds()[read_word(value, *node, names)];
}

void require_kind(const Document& document, std::string_view expected) {
  const CaseKind& kind = case_kind(document);
  require(kind.name == expected, document.where("kind", find(document.root(), "kind")->source()), ": `kind` = \"",
          kind.name, "\", expected \"", expected, "\" here.");
}

std::string case_file_content(const std::filesystem::path& file) {
  std::error_code ignored;  // what cannot be opened is reported below
  require(!std::filesystem::is_directory(file, ignored), file.string(), ": this is a folder, expected a case file.");
  std::ifstream in(file, std::ios::binary);
  require(in.good(), file.string(), ": cannot read this case file; does it exist?");
  constexpr std::size_t most_bytes = 1 << 26;
  std::string content;
  for (char block[4096]; in.read(block, sizeof block), in.gcount() > 0;) {
    content.append(block, static_cast<std::size_t>(in.gcount()));
    require(content.size() <= most_bytes, file.string(), ": this file has more than ", most_bytes,
            " bytes, expected a case file.");
  }
  require(!in.bad(), file.string(), ": reading this case file failed.");
  return content;
}

std::filesystem::path beside_case_file(std::string_view case_file, const std::filesystem::path& path) {
  return std::filesystem::absolute(std::filesystem::path(case_file).parent_path() / path).lexically_normal();
}

}  // namespace shoal::io
