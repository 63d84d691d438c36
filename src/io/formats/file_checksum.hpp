// SPDX-License-Identifier: Apache-2.0
// Checksum of a whole file, stored behind its content. HDF5 ignores bytes behind the end that its header states.
#pragma once
#include <filesystem>
#include <span>

namespace shoal::io {

/// Writes a file with the given content, its size and its CRC-32.
/// @throws Error  if the file cannot be written
void write_with_checksum(const std::filesystem::path& file, std::span<const char> content);

/// Appends the size and the CRC-32 of a file to it.
/// @throws Error  if the file cannot be read or written
void append_checksum(const std::filesystem::path& file);

/// Requires that a file ends with its size and CRC-32, as write_with_checksum() writes them.
/// @throws Error  the file cannot be read; the checksum is missing, as in a truncated file, or does not fit
void require_checksum(const std::filesystem::path& file);

}  // namespace shoal::io
