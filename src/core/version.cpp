// SPDX-License-Identifier: Apache-2.0
#include <shoal/version.hpp>

namespace shoal {

std::string_view version() { return SHOAL_VERSION; }
std::string_view commit() { return SHOAL_COMMIT; }
std::string_view compiler() { return SHOAL_COMPILER; }

}  // namespace shoal
