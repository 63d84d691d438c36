// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace shoal::io {

/// CRC-32 checksum of zip files (ISO 3309, reflected, polynomial 0xEDB88320). `before` is the checksum of the preceding
/// bytes, so that data can be processed in parts.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace shoal::io
