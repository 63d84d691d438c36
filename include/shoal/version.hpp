// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace shoal {

/// "0.1.0".
std::string_view version();

/// The git commit that the library was configured from, with "-dirty" after changes; "unknown" outside a repository.
std::string_view commit();

/// "GNU 12.2.0, Release".
std::string_view compiler();

/// Library by others that shoal uses, or can be built with.
struct LibraryInfo {
  std::string name;      ///< "FFTW"
  std::string version;   ///< "3.3.10"; empty if the library does not tell, or is not in this build
  std::string license;   ///< SPDX identifier
  std::string purpose;   ///< parts of shoal that need it
  bool is_used = false;  ///< true: this build uses the library
};

/// Returns the optional libraries of the operations. io::libraries() has those of files.
std::vector<LibraryInfo> libraries();

}  // namespace shoal
