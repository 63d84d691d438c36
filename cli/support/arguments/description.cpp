// SPDX-License-Identifier: Apache-2.0
#include "support/arguments/description.hpp"

#include <map>
#include <utility>

namespace shoal::cli {

namespace {

std::map<const CLI::Option*, OfferedValues>& offered_values() {
  static std::map<const CLI::Option*, OfferedValues> values;
  return values;
}

OptionDescription describe_option(const CLI::Option& option) {
  OptionDescription description;
  if (option.nonpositional()) {
    for (const std::string& name : option.get_lnames()) description.names.push_back("--" + name);
    for (const std::string& name : option.get_snames()) description.names.push_back("-" + name);
  } else {
    description.positional = option.get_name(true);
  }
  if (option.get_items_expected_max() > 0) description.value = option.get_type_name();
  description.meaning = option.get_description();
  const auto offered = offered_values().find(&option);
  if (offered != offered_values().end()) description.values = offered->second;
  return description;
}

CommandDescription describe_command(const CLI::App& command, const std::string& name) {
  CommandDescription description{name, command.get_description(), {}};
  for (const CLI::Option* option : command.get_options()) description.options.push_back(describe_option(*option));
  return description;
}

}  // namespace

void offer(const CLI::Option* option, OfferedValues values) { offered_values()[option] = std::move(values); }

std::vector<CommandDescription> describe(const CLI::App& app) {
  std::vector<CommandDescription> commands = {describe_command(app, "")};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(describe_command(*command, command->get_name()));
  return commands;
}

}  // namespace shoal::cli
