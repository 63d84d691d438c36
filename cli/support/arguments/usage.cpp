// SPDX-License-Identifier: Apache-2.0
#include "support/arguments/usage.hpp"

#include <fmt/format.h>
#include <shoal/io/text.hpp>

#include "commands.hpp"
#include "support/arguments/description.hpp"

namespace shoal::cli {

namespace {

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CommandDescription& command : describe(app))
    if (!command.name.empty()) names.push_back(command.name);
  return names;
}

std::vector<std::string> names_of_options(const CLI::App& command) {
  std::vector<std::string> names;
  const CommandDescription description = describe(command).front();
  for (const OptionDescription& option : description.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

/// "unknown option `--forse`; did you mean `--force`?"
std::string unknown(const char* kind, const std::string& word, const std::vector<std::string>& names) {
  const auto similar = io::nearest(word, names);
  return fmt::format("unknown {} `{}`{}", kind, word, similar ? "; did you mean `" + *similar + "`?" : ".");
}

std::string unexpected(const CLI::App& command, const std::string& word) {
  if (word.starts_with('-')) return unknown("option", word.substr(0, word.find('=')), names_of_options(command));
  return "unexpected argument `" + word + "`.";
}

std::string with_help(const std::string& command, const std::string& message) {
  const bool is_shoal = command.empty();
  return fmt::format("{}{} See `shoal{}{} --help`.", is_shoal ? "" : command + ": ", message, is_shoal ? "" : " ",
                     command);
}

}  // namespace

std::string exit_codes() {
  return "0 done, 1 error while running, 2 bad case or arguments, 130 interrupted (a restart is written).";
}

void refuse_empty_values(CLI::App& app) {
  const auto refuse = [](const std::string& value) { return std::string(value.empty() ? "its value is empty" : ""); };
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    for (CLI::Option* option : command->get_options())
      if (option->get_items_expected_max() > 0) option->check(refuse);
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  const std::vector<std::string> words = app.remaining();
  if (!words.empty()) {
    const bool is_command = parsed.empty() && !words[0].starts_with('-');
    const std::vector<std::string> names = names_of_commands(app);
    if (!is_command) return with_help("", unexpected(app, words[0]));
    return with_help(
        "", fmt::format("{} The commands are {}.", unknown("command", words[0], names), fmt::join(names, ", ")));
  }
  if (parsed.empty())
    return with_help("",
                     fmt::format("there is no command; expected one of {}.", fmt::join(names_of_commands(app), ", ")));
  const CLI::App& command = *parsed.front();
  if (!command.remaining().empty())
    return with_help(command.get_name(), unexpected(command, command.remaining().front()));
  return with_help(command.get_name(), std::string(error.what()) + ".");
}

std::string file_message(const std::filesystem::filesystem_error& error) {
  return fmt::format("{}: {}.", error.path1().string(), error.code().message());
}

}  // namespace shoal::cli
