// SPDX-License-Identifier: Apache-2.0
#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace shoal::cli {

Terminal terminal_of(int descriptor) {
  Terminal terminal;
  terminal.is_there = ::isatty(descriptor) == 1;
  const char* no_color = std::getenv("NO_COLOR");
  terminal.color = terminal.is_there && !(no_color && *no_color);
  winsize size{};
  if (terminal.is_there && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0) terminal.width = size.ws_col;
  return terminal;
}

}  // namespace shoal::cli
