// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>

#include "commands.hpp"
#include "describe_commands.hpp"

namespace shoal::cli {

void add_manual(CLI::App& app, Chosen& chosen) {
  CLI::App* command = app.add_subcommand("manual", "The manual page, for `man -l -`");
  command->callback([&app, &chosen] {
    chosen = [&app] {
      std::cout << manual_page(app);
      return exit_done;
    };
  });
}

void add_completion(CLI::App& app, Chosen& chosen) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("completion", "A script that lets a shell complete words of this command line");
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required();
  command->callback([&app, &chosen, shell] {
    chosen = [&app, shell] {
      std::cout << completion_script(app, *shell);
      return exit_done;
    };
  });
}

}  // namespace shoal::cli
