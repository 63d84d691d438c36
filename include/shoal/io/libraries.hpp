// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/version.hpp>

namespace shoal::io {

/// Returns the libraries that the io library uses or can be built with.
std::vector<LibraryInfo> libraries();

}  // namespace shoal::io
