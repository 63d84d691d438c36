// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace shoal::io {

/// Whether this build has zlib.
bool has_zlib();

/// The `size` bytes that zlib packed into `packed`; an empty string if that is not what is there.
std::string unpacked(std::string_view packed, std::size_t size);

}  // namespace shoal::io
