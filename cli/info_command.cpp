// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <shoal/device.hpp>
#include <shoal/io/libraries.hpp>
#include <shoal/version.hpp>

#include <iostream>

#include "commands.hpp"

namespace shoal::cli {

namespace {

int info() {
  std::cout << "shoal      " << version() << ", commit " << commit() << '\n'
            << "compiler   " << compiler() << '\n'
            << "libraries  " << io::libraries() << '\n'
            << "cuda       " << cuda_description() << '\n'
            << "devices    " << Queue::cpu().name() << '\n';
  for (int index = 0; index < cuda_device_count(); ++index)
    std::cout << "           " << Queue::cuda(index).name() << '\n';
  return exit_done;
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("info", "Print the version, the build and the devices");
  command->callback([&action] { action = info; });
}

}  // namespace shoal::cli
