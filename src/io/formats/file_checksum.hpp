// SPDX-License-Identifier: Apache-2.0
// Checksum of a whole file, stored behind its content. HDF5 ignores bytes behind the end that its header states.
#pragma once
#include <cstdint>
#include <filesystem>
#include <span>

namespace shoal::io {

/// Writes a file with the given content, its size and its CRC-32.
/// @throws Error  if the file cannot be written
void write_with_checksum(const std::filesystem::path& file, std::span<const char> content);

/// Appends the size and the CRC-32 of a file to it.
/// @throws Error  if the file cannot be read or written
void append_checksum(const std::filesystem::path& file);

/// @name The same in parts, which several processes read
/// @{
/// CRC-32 of `count` bytes of a file from byte `first` on.
std::uint64_t crc_of(const std::filesystem::path& file, std::uint64_t first, std::uint64_t count);
/// CRC-32 of bytes that consist of two parts.
/// @param size  of the second part in bytes
std::uint64_t joined_crc(std::uint64_t first, std::uint64_t second, std::uint64_t size);
/// Appends the size of a file and this CRC-32 to it.
/// @throws Error  if the file cannot be written
void append_checksum(const std::filesystem::path& file, std::uint64_t crc);
/// @}

/// Requires that a file ends with its size and CRC-32, as write_with_checksum() writes them.
/// @throws Error  the file cannot be read; the checksum is missing, as in a truncated file, or does not fit
void require_checksum(const std::filesystem::path& file);

}  // namespace shoal::io
