// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

#include <CLI/CLI.hpp>
#include <string>

// Where a command computes.
namespace shoal::cli {

struct DeviceOptions {
  std::string device = "best";
  int threads = 0;
};

void add_device_options(CLI::App& command, DeviceOptions& options);

/// @throws Error  no such device, or a number of threads for a device that has none
Queue open_queue(const DeviceOptions& options);

}  // namespace shoal::cli
