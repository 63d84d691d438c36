// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace shoal::io {

/// Returns names and versions of the libraries that the io library uses: "HDF5 1.10.8, toml++ 3.3.0, fmt 9.1.0".
std::string libraries();

}  // namespace shoal::io
