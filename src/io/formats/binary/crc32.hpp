// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace shoal::io {

/// The checksum of zip files (CRC-32 of ISO 3309, reflected, polynomial 0xEDB88320) of bytes that follow those whose
/// checksum is `before`. About 2 GB/s.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace shoal::io
