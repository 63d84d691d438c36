// SPDX-License-Identifier: Apache-2.0
#include <shoal/mpi.hpp>

int main() {
  const shoal::Communicator ranks = shoal::mpi::world();
  return shoal::mpi::abort_on_exception(ranks, [&] {
    const shoal::Queue queue = shoal::mpi::queue(ranks, "cpu");
    return queue.on_cpu() && ranks.size() == 1 && !shoal::mpi::version().empty() ? 0 : 1;
  });
}
