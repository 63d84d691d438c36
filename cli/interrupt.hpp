// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shoal::cli {

/// While it lives, Ctrl-C and SIGTERM only leave a note; a second one ends the program as usual.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool requested();
};

}  // namespace shoal::cli
