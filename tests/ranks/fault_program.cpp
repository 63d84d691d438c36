// SPDX-License-Identifier: Apache-2.0
// A program of several ranks that fails as its argument says; tests/ranks/fails.py starts it and looks.
#include <shoal/error.hpp>
#include <shoal/mpi.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <thread>

namespace {

void fail(const shoal::Communicator& ranks, const std::string& fault) {
  const bool last = ranks.rank() == ranks.size() - 1;
  if (fault == "alone" && last) throw shoal::Error("a valve is closed");
  if (fault == "killed" && last) std::raise(SIGKILL);
  if (fault == "stopped" && last) std::raise(SIGSTOP);
  if (fault == "silent" && last) std::this_thread::sleep_for(std::chrono::minutes(5));
  if (fault == "devices") shoal::mpi::queue(ranks, "cuda");
  ranks.agree([&] {
    if (fault == "agreed" && last) throw shoal::Error("a valve is closed");
  });
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string fault = argc > 1 ? argv[1] : "none";
  const shoal::Communicator ranks = shoal::mpi::world();
  return shoal::mpi::abort_on_exception(ranks, [&] {
    fail(ranks, fault);
    return 0;
  });
} catch (const shoal::Error& error) {
  std::fprintf(stderr, "shoal: %s\n", error.what());
  return 1;
}
