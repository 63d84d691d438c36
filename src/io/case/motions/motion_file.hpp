// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/motion.hpp>

#include <filesystem>

namespace shoal::io {

/// Reads the path of a motion of kind `file`, unless it has one; other kinds stay as they are.
/// @param folder  base of a relative file name, which becomes absolute
/// @throws Error  the errors of read_points() and MotionPath, columns that do not exist
void read_motion(Motion& motion, const std::filesystem::path& folder);

}  // namespace shoal::io
