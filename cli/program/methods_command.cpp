// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <shoal/io/json.hpp>
#include <shoal/methods.hpp>

#include <algorithm>
#include <iostream>
#include <string>

#include "commands.hpp"

namespace shoal::cli {

namespace {

enum class Layout { text, json, markdown };

const char* device_name(const MethodInfo& method) { return method.device == DeviceKind::cpu ? "cpu" : "cuda"; }

std::string as_json(const std::vector<MethodInfo>& entries) {
  std::vector<io::JsonObject> objects;
  objects.reserve(entries.size());
  for (const MethodInfo& method : entries)
    objects.push_back(io::JsonObject()
                          .add("operation", method.operation)
                          .add("name", method.name)
                          .add("device", device_name(method))
                          .add("deterministic", method.deterministic)
                          .add("source", method.source));
  return io::json_list(objects);
}

std::string as_table(const std::vector<MethodInfo>& entries, Layout layout) {
  const bool markdown = layout == Layout::markdown;
  std::size_t longest = 0;
  for (const MethodInfo& method : entries) longest = std::max(longest, std::string(method.name).size());
  const std::string line =
      markdown ? "| {} | {} | {} | {} | {} |\n" : fmt::format("{{:<14}} {{:<{}}} {{:<7}} {{:<14}} {{}}\n", longest);
  std::string table = fmt::format(fmt::runtime(line), "operation", "name", "device", "deterministic", "source");
  if (markdown) table += "|---|---|---|---|---|\n";
  for (const MethodInfo& method : entries)
    table += fmt::format(fmt::runtime(line), method.operation, method.name, device_name(method),
                         method.deterministic ? "yes" : "no", method.source);
  return table;
}

}  // namespace

void add_methods(CLI::App& app, Action& action) {
  auto layout = std::make_shared<Layout>(Layout::text);
  CLI::App* command = app.add_subcommand("methods", "List every method of every operation in this build, best first");
  CLI::Option* json = command->add_flag(
      "--json", [layout](std::int64_t) { *layout = Layout::json; }, "as JSON");
  command
      ->add_flag(
          "--markdown", [layout](std::int64_t) { *layout = Layout::markdown; }, "as a Markdown table")
      ->excludes(json);
  command->callback([&action, layout] {
    action = [layout] {
      std::cout << (*layout == Layout::json ? as_json(methods()) : as_table(methods(), *layout));
      return exit_done;
    };
  });
}

}  // namespace shoal::cli
