// SPDX-License-Identifier: Apache-2.0
// Completion scripts for shells: they offer the commands of shoal, then options, values and files for the command in the
// line.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>

#include "commands.hpp"
#include "support/arguments/description.hpp"

namespace shoal::cli {

namespace {

using Commands = std::vector<CommandDescription>;

/// Text in single quotes, for any of the shells.
std::string in_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

/// Names of the commands: "run|resume|bench", or with another separator.
std::string command_names(const Commands& commands, const char* separator) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i < commands.size(); ++i) names.push_back(commands[i].name);
  return fmt::format("{}", fmt::join(names, separator));
}

/// Calls `visit(option)` for each option of a command that takes a value.
template <class Visit>
void for_each_with_value(const CommandDescription& command, const Visit& visit) {
  for (const OptionDescription& option : command.options)
    if (!option.names.empty() && !option.value.empty()) visit(option);
}

/// Values of the positional arguments of a command; empty: files.
OfferedValues positional_values(const CommandDescription& command) {
  for (const OptionDescription& option : command.options)
    if (option.names.empty() && !option.values.empty()) return option.values;
  return {};
}

/// Values as words of bash and zsh: "best cpu cuda" or "$(shoal validate --list 2>/dev/null)".
std::string shell_words(const OfferedValues& values) {
  return values.command.empty() ? fmt::format("{}", fmt::join(values.words, " ")) : "$(" + values.command + ")";
}

/// "run --device", the pattern of an option behind its command.
std::string option_pattern(const CommandDescription& command, const OptionDescription& option) {
  std::vector<std::string> patterns;
  for (const std::string& name : option.names) patterns.push_back(in_quotes(command.name + " " + name));
  return fmt::format("{}", fmt::join(patterns, " | "));
}

std::string bash(const Commands& commands) {
  std::string out = "_shoal() {\n  local command='' word words='' options=''\n";
  out += "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n    case $word in " + command_names(commands, " | ") +
         ") command=$word; break ;; esac\n  done\n  case $command in\n";
  for (const CommandDescription& command : commands) {
    std::string options;
    for (const OptionDescription& option : command.options)
      for (const std::string& name : option.names) options += (options.empty() ? "" : " ") + name;
    const std::string words =
        command.name.empty() ? command_names(commands, " ") : shell_words(positional_values(command));
    out += "    " + in_quotes(command.name) + ") options=" + in_quotes(options) + " words=\"" + words + "\" ;;\n";
  }
  out += "  esac\n  case $2 in -*) words=$options ;; esac\n  case \"$command ${COMP_WORDS[COMP_CWORD-1]}\" in\n";
  for (const CommandDescription& command : commands)
    for_each_with_value(command, [&](const OptionDescription& option) {
      out += "    " + option_pattern(command, option) + ") words=\"" + shell_words(option.values) + "\" ;;\n";
    });
  out += "  esac\n  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$2\")\n";
  out += "  case ${COMPREPLY[*]} in *= | *.) compopt -o nospace 2>/dev/null ;; esac\n}\n";
  return out + "complete -o default -F _shoal shoal\n";
}

/// "name:meaning" for _describe of zsh.
std::string zsh_item(const std::string& name, const std::string& meaning) { return in_quotes(name + ":" + meaning); }

std::string zsh(const Commands& commands) {
  std::string out = "#compdef shoal\n_shoal() {\n  local command='' word\n  local -a commands options values\n";
  out += "  for word in ${words[2,CURRENT-1]}; do\n    case $word in (" + command_names(commands, "|") +
         ") command=$word; break ;; esac\n  done\n  case $command in\n";
  for (const CommandDescription& command : commands) {
    out += "    (" + in_quotes(command.name) + ")\n      commands=(";
    if (command.name.empty())
      for (std::size_t i = 1; i < commands.size(); ++i) out += zsh_item(commands[i].name, commands[i].meaning) + " ";
    out += ")\n      options=(";
    for (const OptionDescription& option : command.options)
      for (const std::string& name : option.names) out += zsh_item(name, option.meaning) + " ";
    out += ")\n      values=(" + shell_words(positional_values(command)) + ") ;;\n";
  }
  out += "  esac\n  case \"$command $words[CURRENT-1]\" in\n";
  for (const CommandDescription& command : commands)
    for_each_with_value(command, [&](const OptionDescription& option) {
      const bool is_key = !option.values.words.empty() && option.values.words.front().ends_with('=');
      const std::string show = is_key ? "compadd -S '' -- " : "compadd -- ";
      out += "    (" + option_pattern(command, option) + ") " +
             (option.values.empty() ? "_files" : show + shell_words(option.values)) + "; return ;;\n";
    });
  out += "  esac\n  if [[ $PREFIX == -* ]]; then\n    _describe option options\n";
  out += "  elif (( $#commands )); then\n    _describe command commands\n";
  out += "  elif (( $#values )); then\n    compadd -- $values\n  else\n    _files\n  fi\n}\n";
  return out + "_shoal \"$@\"\n";
}

/// Values as an argument of `complete -a` of fish.
std::string fish_values(const OfferedValues& values) {
  return in_quotes(values.command.empty() ? fmt::format("{}", fmt::join(values.words, " "))
                                          : "(" + values.command + ")");
}

std::string fish(const Commands& commands) {
  std::string out = "function __shoal_command\n  set -l command ''\n  for word in (commandline -opc)[2..]\n";
  out += "    switch $word\n      case " + command_names(commands, " ") +
         "\n        set command $word\n        break\n    end\n  end\n  test \"$command\" = \"$argv[1]\"\nend\n";
  for (const CommandDescription& command : commands) {
    const std::string start = "complete -c shoal -n " + in_quotes("__shoal_command '" + command.name + "'");
    if (command.name.empty())
      for (std::size_t i = 1; i < commands.size(); ++i)
        out += start + " -f -a " + commands[i].name + " -d " + in_quotes(commands[i].meaning) + "\n";
    const OfferedValues positional = positional_values(command);
    if (!positional.empty()) out += start + " -f -a " + fish_values(positional) + "\n";
    for (const OptionDescription& option : command.options)
      for (const std::string& name : option.names)
        out += start + (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1)) +
               (option.value.empty()    ? ""
                : option.values.empty() ? " -r"
                                        : " -x -a " + fish_values(option.values)) +
               " -d " + in_quotes(option.meaning) + "\n";
  }
  return out;
}

/// @throws BadInput  an unknown shell
std::string completion_script(const CLI::App& app, const std::string& shell) {
  const Commands commands = describe(app);
  if (shell == "bash") return bash(commands);
  if (shell == "zsh") return zsh(commands);
  if (shell == "fish") return fish(commands);
  throw BadInput("completion: no script for \"" + shell + "\"; expected bash, zsh or fish.");
}

}  // namespace

void add_completion(CLI::App& app, Action& action) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("completion", "Print a script with which a shell completes commands and options of shoal");
  offer(command->add_option("SHELL", *shell, "bash, zsh or fish")->required(), {{"bash", "zsh", "fish"}});
  command->callback([&app, &action, shell] {
    action = [&app, shell] {
      std::cout << completion_script(app, *shell);
      return exit_done;
    };
  });
}

}  // namespace shoal::cli
