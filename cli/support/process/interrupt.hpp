// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shoal::cli {

/// Scope in which a first Ctrl-C, SIGTERM or SIGUSR1 is recorded instead of ending the program; a second one ends it.
/// mpirun passes SIGUSR1 on to all ranks, and gives them no time after Ctrl-C.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool requested();
};

}  // namespace shoal::cli
