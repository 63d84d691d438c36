// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <shoal/io/case_kinds.hpp>

#include <iostream>

#include "commands.hpp"

namespace shoal::cli {

namespace {

std::string as_text(const std::vector<io::KeyInfo>& keys) {
  std::string out, section;
  for (const io::KeyInfo& key : keys) {
    if (key.name == "kind" && key.section.empty()) out += out.empty() ? "" : "\n\n";
    if (key.section != section) out += key.section.empty() ? "" : "\n" + key.section + "\n";
    section = key.section;
    std::string value = key.required ? "required" : key.default_value;
    if (!key.unit.empty()) value += (value.empty() ? "" : " ") + key.unit;
    out += fmt::format("{:<22} {:<12} {} ({})\n", key.name, value, key.meaning, key.type);
  }
  return out;
}

/// Text with escaped column separators of Markdown.
std::string escaped(std::string text) {
  for (std::size_t bar = text.find('|'); bar != std::string::npos; bar = text.find('|', bar + 2))
    text.insert(bar, 1, '\\');
  return text;
}

std::string as_markdown(const std::vector<io::KeyInfo>& keys) {
  std::string out, section = "none yet";
  for (const io::KeyInfo& key : keys) {
    if (key.name == "kind" && key.section.empty()) {
      out += fmt::format("\n## Keys of `kind = \"{}\"`\n", key.kind);
      section = "none yet";
    }
    if (key.section != section) {
      out += fmt::format("\n### {}\n\n", key.section.empty() ? "Top of the file" : "`" + key.section + "`");
      out += "| key | type | unit | default | meaning |\n|---|---|---|---|---|\n";
    }
    section = key.section;
    const std::string standard = key.default_value.empty() ? "" : "`" + key.default_value + "`";
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", key.name, key.type, key.unit,
                       key.required ? "required" : standard, escaped(key.meaning));
  }
  return out.substr(1);
}

}  // namespace

void add_keys(CLI::App& app, Action& action) {
  auto markdown = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("keys", "List every key that a case file may have");
  command->add_flag("--markdown", *markdown, "as the reference in docs/case_file.md");
  command->callback([&action, markdown] {
    action = [markdown] {
      std::cout << (*markdown ? as_markdown(io::case_keys()) : as_text(io::case_keys()));
      return exit_done;
    };
  });
}

}  // namespace shoal::cli
