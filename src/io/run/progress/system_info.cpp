// SPDX-License-Identifier: Apache-2.0
#include "io/run/progress/system_info.hpp"

#include <shoal/device.hpp>
#include <shoal/version.hpp>

#include <fstream>
#include <thread>

#include "core/text.hpp"

namespace shoal::io {

namespace {

/// Returns the processor name from Linux; empty on other systems.
std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t value = line.find(": ");
    if (line.starts_with("model name") && value != std::string::npos) return line.substr(value + 2);
  }
  return {};
}

}  // namespace

JsonObject machine_json() {
  JsonObject json;
  if (const std::string name = processor(); !name.empty()) json.add("processor", name);
  json.add("hardware_threads", static_cast<std::int64_t>(std::thread::hardware_concurrency()));
  json.add("shoal", text(version(), ", commit ", commit())).add("compiler", compiler());
  return json.add("cuda", cuda_description());
}

}  // namespace shoal::io
