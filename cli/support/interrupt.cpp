// SPDX-License-Identifier: Apache-2.0
#include "support/interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <initializer_list>

namespace shoal::cli {

namespace {

volatile std::sig_atomic_t received_signal = 0;  // the only type that a signal handler may write

void receive(int signal_number) {
  constexpr char message[] = "\nshoal: ending after this step; Ctrl-C again ends at once\n";
  static_cast<void>(::write(STDERR_FILENO, message, sizeof message - 1) > 0);  // a long step may take minutes
  received_signal = signal_number;
  std::signal(signal_number, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  received_signal = 0;
  for (const int signal_number : {SIGINT, SIGTERM}) std::signal(signal_number, receive);
}

Interrupt::~Interrupt() {
  for (const int signal_number : {SIGINT, SIGTERM}) std::signal(signal_number, SIG_DFL);
}

bool Interrupt::requested() { return received_signal != 0; }

}  // namespace shoal::cli
