// SPDX-License-Identifier: Apache-2.0
#include "describe_commands.hpp"

namespace shoal::cli {

namespace {

OptionWords words_of(const CLI::Option& option) {
  OptionWords words;
  if (option.nonpositional()) {
    for (const std::string& name : option.get_lnames()) words.names.push_back("--" + name);
    for (const std::string& name : option.get_snames()) words.names.push_back("-" + name);
  } else {
    words.positional = option.get_name(true);
  }
  if (option.get_items_expected_max() > 0) words.value = option.get_type_name();
  words.meaning = option.get_description();
  return words;
}

void describe(const CLI::App& app, const std::vector<std::string>& path, std::vector<CommandWords>& all) {
  CommandWords words;
  words.path = path;
  words.meaning = app.get_description();
  for (const CLI::Option* option : app.get_options()) words.options.push_back(words_of(*option));
  const auto below = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* command : below) words.commands.push_back(command->get_name());
  all.push_back(words);
  for (const CLI::App* command : below) {
    std::vector<std::string> longer = path;
    longer.push_back(command->get_name());
    describe(*command, longer, all);
  }
}

}  // namespace

std::string CommandWords::place() const {
  std::string joined;
  for (const std::string& word : path) joined += "/" + word;
  return joined;
}

std::vector<CommandWords> describe_commands(const CLI::App& app) {
  std::vector<CommandWords> all;
  describe(app, {}, all);
  return all;
}

}  // namespace shoal::cli
