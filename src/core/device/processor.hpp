// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fstream>
#include <string>

namespace shoal {

/// Name of the processor as Linux reports it; empty on other systems.
inline std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t value = line.find(": ");
    if (line.starts_with("model name") && value != std::string::npos) return line.substr(value + 2);
  }
  return {};
}

}  // namespace shoal
