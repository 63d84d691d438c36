// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <shoal/io/case_kinds.hpp>
#include <shoal/io/text.hpp>

#include <iostream>

#include "commands.hpp"
#include "support/process/running.hpp"

namespace shoal::cli {

namespace {

int check(const io::CaseSource& source) {
  std::cout << io::printable(prepared([&] { return io::runnable_case_kind(source).check(source); }));
  return exit_done;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  auto source = std::make_shared<io::CaseSource>();
  CLI::App* command = app.add_subcommand("check", "Check a case file and describe its run, without running it");
  command->add_option("CASE", source->file, "case file (TOML)")->required();
  add_set_option(*command, source->overrides.values);
  command->callback([&action, source] { action = [source] { return check(*source); }; });
}

}  // namespace shoal::cli
