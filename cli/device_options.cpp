// SPDX-License-Identifier: Apache-2.0
#include "device_options.hpp"

#include <shoal/error.hpp>

namespace shoal::cli {

void add_device_options(CLI::App& command, DeviceOptions& options) {
  command.add_option("--device", options.device, "cpu, cuda, cuda:1, or best: a GPU if there is one")
      ->capture_default_str();
  command.add_option("--threads", options.threads, "CPU threads; 0: one a core")->capture_default_str();
}

Queue open_queue(const DeviceOptions& options) {
  const bool takes_cpu = options.device == "cpu" || (options.device == "best" && cuda_device_count() == 0);
  if (takes_cpu) return Queue::cpu(options.threads);
  if (options.threads != 0)
    throw Error("--threads is for the CPU, and the device is \"" + options.device + "\"; add --device cpu.");
  return Queue::parse(options.device);
}

}  // namespace shoal::cli
