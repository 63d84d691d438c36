// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <shoal/version.hpp>

#include <iostream>

#include "commands.hpp"
#include "support/description.hpp"

namespace shoal::cli {

namespace {

/// Text without characters that are commands of roff.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
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

std::string option_text(const OptionDescription& option) {
  const std::string head = option.names.empty()
                               ? "\\fI" + escaped(option.positional) + "\\fR"
                               : "\\fB" + escaped(fmt::format("{}", fmt::join(option.names, ", "))) + "\\fR";
  const bool has_value = !option.names.empty() && !option.value.empty();
  return ".TP\n" + head + (has_value ? " \\fI" + escaped(option.value) + "\\fR" : "") + "\n" + escaped(option.meaning) +
         "\n";
}

std::string command_text(const CommandDescription& command) {
  const bool is_shoal = command.name.empty();
  const std::string heading = is_shoal ? ".SH OPTIONS\n" : ".SS \"shoal " + command.name + "\"\n";
  std::string out = heading + escaped(command.meaning) + (is_shoal ? "" : ".") + "\n";
  for (const OptionDescription& option : command.options)
    if (is_shoal || option.names.empty() || option.names.front() != "--help") out += option_text(option);
  return out;
}

/// Manual page shoal(1) in roff.
std::string manual_page(const CLI::App& app) {
  const std::vector<CommandDescription> commands = describe(app);
  std::string out = fmt::format(
      ".TH SHOAL 1 \"\" \"shoal {}\" \"User Commands\"\n.SH NAME\n"
      "shoal \\- fluid simulation on CPUs and GPUs\n.SH SYNOPSIS\n.B shoal\n.I COMMAND\n.RI [ OPTIONS ]\n",
      version());
  out += command_text(commands.front()) + ".SH COMMANDS\n";
  for (std::size_t i = 1; i < commands.size(); ++i) out += command_text(commands[i]);
  out += ".SH EXIT STATUS\n" + escaped(app.get_footer()) + "\n";
  out += ".SH EXAMPLES\n.nf\nshoal run case.toml \\-\\-out out/case\nshoal resume out/case\n.fi\n";
  return out;
}

}  // namespace

void add_manual(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("manual", "Print the manual page, for `man -l -`");
  command->callback([&app, &action] {
    action = [&app] {
      std::cout << manual_page(app);
      return exit_done;
    };
  });
}

}  // namespace shoal::cli
