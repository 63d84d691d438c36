// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "core/text.hpp"
#include "describe_commands.hpp"

// The scripts find the command that the line is in, such as /bench/deposit, and offer what that takes.
namespace shoal::cli {

namespace {

/// In single quotes, for any of the shells.
std::string quoted(const std::string& words) {
  std::string out = "'";
  for (const char c : words) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

/// "/run|/bench|/bench/deposit", or with another separator.
std::string places(const std::vector<CommandWords>& commands, const char* separator) {
  std::vector<std::string> all;
  for (std::size_t i = 1; i < commands.size(); ++i) all.push_back(commands[i].place());
  return join(all, separator);
}

std::vector<std::string> option_names(const CommandWords& command) {
  std::vector<std::string> names;
  for (const OptionWords& option : command.options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::string bash(const std::vector<CommandWords>& commands) {
  std::string out = "_shoal() {\n  local at='' word words=''\n";
  out += "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n";
  out += "    case $at/$word in " + places(commands, " | ") + ") at=$at/$word ;; esac\n  done\n  case $at in\n";
  for (const CommandWords& command : commands) {
    std::vector<std::string> words = command.commands;
    for (const std::string& name : option_names(command)) words.push_back(name);
    out += "    " + quoted(command.place()) + ") words=" + quoted(join(words, " ")) + " ;;\n";
  }
  out += "  esac\n  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$2\")\n}\n";
  return out + "complete -o default -F _shoal shoal\n";
}

/// "name:meaning", where a colon in the name would end it.
std::string zsh_item(const std::string& name, const std::string& meaning) { return quoted(name + ":" + meaning); }

std::string zsh(const std::vector<CommandWords>& commands) {
  std::string out = "#compdef shoal\n_shoal() {\n  local at='' word\n  local -a commands options\n";
  out += "  for word in ${words[2,CURRENT-1]}; do\n    case $at/$word in (" + places(commands, "|") +
         ") at=$at/$word ;; esac\n  done\n  case $at in\n";
  for (const CommandWords& command : commands) {
    out += "    (" + quoted(command.place()) + ")\n      commands=(";
    for (const CommandWords& below : commands)
      if (below.path.size() == command.path.size() + 1 && below.place().starts_with(command.place() + "/"))
        out += zsh_item(below.path.back(), below.meaning) + " ";
    out += ")\n      options=(";
    for (const OptionWords& option : command.options)
      for (const std::string& name : option.names) out += zsh_item(name, option.meaning) + " ";
    out += ") ;;\n";
  }
  out += "  esac\n  if [[ $PREFIX == -* ]]; then\n    _describe option options\n";
  out += "  elif (( $#commands )); then\n    _describe command commands\n  else\n    _files\n  fi\n}\n";
  return out + "_shoal \"$@\"\n";
}

std::string fish(const std::vector<CommandWords>& commands) {
  std::string out =
      "function __shoal_at\n  set -l at ''\n  for word in (commandline -opc)[2..]\n    switch $at/$word\n";
  out += "      case " + places(commands, " ") + "\n        set at $at/$word\n    end\n  end\n";
  out += "  test \"$at\" = \"$argv[1]\"\nend\n";
  for (const CommandWords& command : commands) {
    const std::string here = "complete -c shoal -n " + quoted("__shoal_at '" + command.place() + "'");
    for (const CommandWords& below : commands)
      if (below.path.size() == command.path.size() + 1 && below.place().starts_with(command.place() + "/"))
        out += here + " -f -a " + below.path.back() + " -d " + quoted(below.meaning) + "\n";
    for (const OptionWords& option : command.options)
      for (const std::string& name : option.names)
        out += here + (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1)) +
               (option.value.empty() ? "" : " -r") + " -d " + quoted(option.meaning) + "\n";
  }
  return out;
}

}  // namespace

std::string completion_script(const CLI::App& app, const std::string& shell) {
  const std::vector<CommandWords> commands = describe_commands(app);
  if (shell == "bash") return bash(commands);
  if (shell == "zsh") return zsh(commands);
  if (shell == "fish") return fish(commands);
  throw BadInput(text("completion: no script for \"", shell, "\"; expected bash, zsh or fish."));
}

}  // namespace shoal::cli
