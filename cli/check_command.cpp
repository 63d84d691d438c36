// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <shoal/io/case_kinds.hpp>

#include <iostream>

#include "commands.hpp"

namespace shoal::cli {

namespace {

int check(const io::CaseSource& source) {
  std::cout << prepared([&] { return io::runnable_case_kind(source).check(source); });
  return exit_done;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  auto source = std::make_shared<io::CaseSource>();
  CLI::App* command = app.add_subcommand("check", "Read a case file, say what is wrong with it or what it would run");
  command->add_option("CASE", source->file, "case file (TOML)")->required();
  command->add_option("--set", source->overrides, "key=value: takes the place of the file's")->allow_extra_args(false);
  command->callback([&action, source] { action = [source] { return check(*source); }; });
}

}  // namespace shoal::cli
