// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shoal::cli {

/// Scope in which a first Ctrl-C or SIGTERM is recorded instead of ending the program; a second one ends it.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool requested();
};

}  // namespace shoal::cli
