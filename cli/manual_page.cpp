// SPDX-License-Identifier: Apache-2.0
#include <shoal/version.hpp>

#include "core/text.hpp"
#include "describe_commands.hpp"

namespace shoal::cli {

namespace {

/// Text in which roff sees no commands of its own.
std::string plain(const std::string& words) {
  std::string out;
  for (const char c : words) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) {
      out += std::string("\\&") + c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string option_text(const OptionWords& option) {
  const std::string head =
      option.names.empty() ? "\\fI" + plain(option.positional) + "\\fR" : "\\fB" + plain(join(option.names)) + "\\fR";
  const bool has_value = !option.names.empty() && !option.value.empty();
  return ".TP\n" + head + (has_value ? " \\fI" + plain(option.value) + "\\fR" : "") + "\n" + plain(option.meaning) +
         "\n";
}

std::string command_text(const CommandWords& command) {
  const std::string heading =
      command.path.empty() ? ".SH OPTIONS\n" : ".SS \"shoal " + join(command.path, " ") + "\"\n";
  std::string out = heading + plain(command.meaning) + (command.path.empty() ? "" : ".") + "\n";
  for (const OptionWords& option : command.options)
    if (command.path.empty() || option.names.empty() || option.names.front() != "--help") out += option_text(option);
  return out;
}

}  // namespace

std::string manual_page(const CLI::App& app) {
  const std::vector<CommandWords> commands = describe_commands(app);
  std::string out = text(".TH SHOAL 1 \"\" \"shoal ", version(), "\" \"User Commands\"\n", ".SH NAME\n",
                         "shoal \\- fluid simulation on CPUs and GPUs\n", ".SH SYNOPSIS\n",
                         ".B shoal\n.I COMMAND\n.RI [ OPTIONS ]\n");
  out += command_text(commands.front()) + ".SH COMMANDS\n";
  for (std::size_t i = 1; i < commands.size(); ++i) out += command_text(commands[i]);
  out += ".SH EXIT STATUS\n" + plain(app.get_footer()) + "\n";
  out += ".SH EXAMPLES\n.nf\nshoal run case.toml \\-\\-out out/case\nshoal resume out/case\n.fi\n";
  return out;
}

}  // namespace shoal::cli
