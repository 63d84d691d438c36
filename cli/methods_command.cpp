// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <shoal/io/json.hpp>
#include <shoal/methods.hpp>

#include <iostream>

#include "commands.hpp"

namespace shoal::cli {

namespace {

enum class Layout { text, json, markdown };

const char* device_word(const MethodInfo& method) { return method.device == DeviceKind::cpu ? "cpu" : "cuda"; }

std::string as_json(const std::vector<MethodInfo>& rows) {
  std::vector<io::JsonObject> objects;
  objects.reserve(rows.size());
  for (const MethodInfo& row : rows)
    objects.push_back(io::JsonObject()
                          .add("operation", row.operation)
                          .add("name", row.name)
                          .add("device", device_word(row))
                          .add("deterministic", row.deterministic)
                          .add("source", row.source));
  return io::json_list(objects);
}

std::string as_table(const std::vector<MethodInfo>& rows, Layout layout) {
  const bool markdown = layout == Layout::markdown;
  const char* line = markdown ? "| {} | {} | {} | {} | {} |\n" : "{:<14} {:<24} {:<7} {:<14} {}\n";
  std::string table = fmt::format(fmt::runtime(line), "operation", "name", "device", "deterministic", "source");
  if (markdown) table += "|---|---|---|---|---|\n";
  for (const MethodInfo& row : rows)
    table += fmt::format(fmt::runtime(line), row.operation, row.name, device_word(row),
                         row.deterministic ? "yes" : "no", row.source);
  return table;
}

}  // namespace

void add_methods(CLI::App& app, Chosen& chosen) {
  auto layout = std::make_shared<Layout>(Layout::text);
  CLI::App* command = app.add_subcommand("methods", "Every method of every operation in this build, best first");
  CLI::Option* json = command->add_flag(
      "--json", [layout](std::int64_t) { *layout = Layout::json; }, "as JSON");
  command
      ->add_flag(
          "--markdown", [layout](std::int64_t) { *layout = Layout::markdown; }, "as a Markdown table")
      ->excludes(json);
  command->callback([&chosen, layout] {
    chosen = [layout] {
      std::cout << (*layout == Layout::json ? as_json(methods()) : as_table(methods(), *layout));
      return exit_done;
    };
  });
}

}  // namespace shoal::cli
