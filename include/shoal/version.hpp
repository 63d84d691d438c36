// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace shoal {

/// "0.1.0".
std::string_view version();

/// The git commit that the library was configured from, with "-dirty" after changes; "unknown" outside a repository.
std::string_view commit();

/// "GNU 12.2.0, Release".
std::string_view compiler();

}  // namespace shoal
