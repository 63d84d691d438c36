// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace shoal::fuzz {

using Bytes = std::span<const std::uint8_t>;

/// Reader under test. It reads files that were made to break it.
struct Target {
  const char* name;
  const char* file_name;                                          ///< name of the file; its extension selects seeds
  void (*write)(const std::filesystem::path& file, Bytes input);  ///< writes the file that an input describes
  void (*read)(const std::filesystem::path& file);                ///< reads the file in all ways
  bool is_described;                                              ///< true if an input describes a file
  bool has_library;                                               ///< true if a library parses the file
};

/// All readers.
std::span<const Target> targets();

/// Result of one input.
enum class Outcome { read, refused, out_of_memory };

/// Reads the file of an input. Any exception other than Error is a defect and leaves this function.
Outcome try_input(const Target& target, Bytes input);

}  // namespace shoal::fuzz
