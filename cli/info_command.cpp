// SPDX-License-Identifier: Apache-2.0
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

void add_info(CLI::App& app, Chosen& chosen) {
  CLI::App* command = app.add_subcommand("info", "Version, build and devices");
  command->callback([&chosen] { chosen = info; });
}

}  // namespace shoal::cli
