// SPDX-License-Identifier: Apache-2.0
#include "io/case/kinds/case_kind.hpp"

#include <fstream>
#include <sstream>

#include "io/case/case_shape.hpp"
#include "io/case/kinds/relaxation_schema.hpp"
#include "io/case/kinds/sph_schema.hpp"
#include "io/case/kinds/validation_schema.hpp"
#include "io/case/kinds/wall_motion_schema.hpp"

namespace shoal::io {

CaseKind case_kind(const Document& document) {
  const toml::node* node = find(document.root(), "kind");
  require(node != nullptr, document.name(), ": missing key `kind` (what the file describes); expected one of ",
          list_names<CaseKind>(), ".");
  CaseKind kind{};
  read_value(Value{*node, document.where("kind", node->source()), "kind", "", {}, 0}, kind);
  return kind;
}

void require_kind(const Document& document, CaseKind expected) {
  const CaseKind kind = case_kind(document);
  require(kind == expected, document.where("kind", find(document.root(), "kind")->source()), ": `kind` = \"",
          to_name(kind), "\", expected \"", to_name(expected), "\" here.");
}

std::string case_file_content(const std::filesystem::path& file) {
  require(!std::filesystem::is_directory(file), file.string(), ": this is a folder, expected a case file.");
  std::ifstream in(file, std::ios::binary);
  require(in.good(), file.string(), ": cannot read this case file; does it exist?");
  std::ostringstream content;
  content << in.rdbuf();
  require(!in.bad(), file.string(), ": reading this case file failed.");
  return content.str();
}

std::filesystem::path beside_case_file(std::string_view case_file, const std::filesystem::path& path) {
  return std::filesystem::absolute(std::filesystem::path(case_file).parent_path() / path).lexically_normal();
}

CaseKind case_kind(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return case_kind(Document(case_file_content(file), file.string(), overrides));
}

std::vector<KeyInfo> case_keys() {
  std::vector<KeyInfo> list;
  append_key_infos(CaseKind::sph, sph_schema(), list);
  append_shape_infos(list);
  append_key_infos(CaseKind::wall_distance, wall_motion_schema(), list);
  append_key_infos(CaseKind::relaxation, relaxation_schema(), list);
  append_key_infos(CaseKind::validation, validation_schema(), list);
  return list;
}

}  // namespace shoal::io
