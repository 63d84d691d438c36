// SPDX-License-Identifier: Apache-2.0
#include "interrupt.hpp"

#include <csignal>
#include <initializer_list>

namespace shoal::cli {

namespace {

volatile std::sig_atomic_t signal_seen = 0;  // a handler may write nothing else

void note(int signal_number) {
  signal_seen = signal_number;
  std::signal(signal_number, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  signal_seen = 0;
  for (const int signal_number : {SIGINT, SIGTERM}) std::signal(signal_number, note);
}

Interrupt::~Interrupt() {
  for (const int signal_number : {SIGINT, SIGTERM}) std::signal(signal_number, SIG_DFL);
}

bool Interrupt::requested() { return signal_seen != 0; }

}  // namespace shoal::cli
