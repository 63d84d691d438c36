// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace shoal::io {

/// Decompresses `packed` to `size` bytes; returns an empty string if the data are damaged or have another size.
std::string unpacked(std::string_view packed, std::size_t size);

}  // namespace shoal::io
