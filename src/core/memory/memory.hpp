// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

#include <cstdint>
#include <string>

namespace shoal {

/// Memory of a device in bytes.
struct MemoryInfo {
  std::uint64_t free = 0;   ///< available for a new array
  std::uint64_t total = 0;  ///< 0: unknown
};

/// Memory of the queue's device. On CUDA, memory that the pool retains counts as free; on the CPU, free is the memory
/// that the system reports as available to all processes.
MemoryInfo memory_info(const Queue& queue);

/// "1.5 GiB (1610612736 bytes)".
std::string bytes_text(std::uint64_t bytes);

/// Throws OutOfMemory for an array that does not fit.
/// @param where  name of the memory: "cuda:0 NVIDIA H200", "cpu", "page-locked memory of the host"
[[noreturn]] void throw_out_of_memory(const std::string& where, std::uint64_t need, const MemoryInfo& have);

}  // namespace shoal
