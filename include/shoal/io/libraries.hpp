// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/version.hpp>

#include <string>

namespace shoal::io {

/// Returns the libraries that the io library uses or can be built with.
std::vector<LibraryInfo> libraries();

/// "parallel", with which all ranks write large files, or "serial".
std::string hdf5_kind();

}  // namespace shoal::io
