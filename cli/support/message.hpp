// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>
#include <shoal/error.hpp>

namespace shoal::cli {

/// Throws Error with a formatted message unless `condition` holds. The message is formatted only then.
template <class... Parts>
void require(bool condition, fmt::format_string<const Parts&...> message, const Parts&... parts) {
  if (!condition) throw Error(fmt::format(message, parts...));
}

}  // namespace shoal::cli
