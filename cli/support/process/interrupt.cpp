// SPDX-License-Identifier: Apache-2.0
#include "support/process/interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <initializer_list>

#include "support/process/ranks.hpp"

namespace shoal::cli {

namespace {

volatile std::sig_atomic_t received_signal = 0;  // the only type that a signal handler may write

bool prints_message = true;

void receive(int signal_number) {
  constexpr char message[] = "\nshoal: ending after this step; Ctrl-C again ends at once\n";
  if (prints_message)
    static_cast<void>(::write(STDERR_FILENO, message, sizeof message - 1) > 0);  // a long step may take minutes
  received_signal = signal_number;
  std::signal(signal_number, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  received_signal = 0;
  prints_message = is_reporting_process();
  for (const int signal_number : {SIGINT, SIGTERM, SIGUSR1}) std::signal(signal_number, receive);
}

Interrupt::~Interrupt() {
  for (const int signal_number : {SIGINT, SIGTERM, SIGUSR1}) std::signal(signal_number, SIG_DFL);
}

bool Interrupt::requested() { return received_signal != 0; }

}  // namespace shoal::cli
