// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shoal::cli {

/// What a stream goes to.
struct Terminal {
  bool is_there = false;  ///< else a file or a pipe
  bool color = false;     ///< a terminal, and the user did not set NO_COLOR
  int width = 0;          ///< columns; 0: not known
};

/// @param descriptor  STDOUT_FILENO or STDERR_FILENO
Terminal terminal_of(int descriptor);

}  // namespace shoal::cli
