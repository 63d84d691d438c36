// SPDX-License-Identifier: Apache-2.0
#include "core/memory/memory.hpp"

#include <shoal/array.hpp>

#include <charconv>
#include <fstream>

#include "core/device/queue_state.hpp"
#include "core/text.hpp"

namespace shoal {

namespace {

/// Memory of the host; 0 if the system does not report it.
MemoryInfo host_memory_room() {
  MemoryInfo room;
  std::ifstream lines("/proc/meminfo");
  std::string name;
  std::string unit;
  for (std::uint64_t kibibytes = 0; lines >> name >> kibibytes; std::getline(lines, unit)) {
    if (name == "MemTotal:") room.total = kibibytes * 1024;
    if (name == "MemAvailable:") room.free = kibibytes * 1024;
  }
  return room;
}

}  // namespace

MemoryInfo memory_info(const Queue& queue) {
#ifdef SHOAL_CUDA
  if (!queue.on_cpu()) return cuda_runtime::memory_info(queue.state());
#else
  (void)queue;
#endif
  return host_memory_room();
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return text(bytes, " bytes");
  double scaled = static_cast<double>(bytes) / 1024;
  int unit = 0;
  for (; scaled >= 1024 && unit < 5; ++unit) scaled /= 1024;
  char digits[32];
  char* const end = std::to_chars(digits, digits + sizeof digits, scaled, std::chars_format::fixed, 1).ptr;
  return text(std::string(digits, end), " ", units[unit], " (", bytes, " bytes)");
}

void throw_out_of_memory(const std::string& where, std::uint64_t need, const MemoryInfo& have) {
  const std::string known =
      have.total > 0 ? text("have ", bytes_text(have.free), " free of ", bytes_text(have.total)) : "have less";
  throw OutOfMemory(text("array: out of memory on ", where, ": need ", bytes_text(need), ", ", known,
                         ". Free other arrays, or split the problem."));
}

std::size_t array_bytes(std::int64_t count, std::size_t element_bytes) {
  require(count >= 0, "array: count = ", count, ", expected 0 or more.");
  const auto most = static_cast<std::uint64_t>(INT64_MAX) / element_bytes;
  if (static_cast<std::uint64_t>(count) > most)
    throw OutOfMemory(text("array: ", count, " elements of ", element_bytes, " bytes are more than any memory holds (",
                           most, "). Split the problem."));
  return static_cast<std::size_t>(count) * element_bytes;
}

}  // namespace shoal
