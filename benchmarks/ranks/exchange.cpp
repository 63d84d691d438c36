// SPDX-License-Identifier: Apache-2.0
// Speed of the exchange between the devices of ranks, the ceiling of halos: every rank sends to the next one around a ring
// and receives from the one before.
//
//     mpirun -n 2 shoal_rank_exchange --output exchange.csv
#include <shoal/array.hpp>

#include <array>

#include "core/communication/rank_group.hpp"
#include "core/text.hpp"
#include "ranks/rank_program.hpp"

namespace shoal::benchmarks {

namespace {

constexpr std::int64_t most_bytes = 64 << 20;

/// Time of an exchange of so many bytes in each direction, s.
double seconds_of_exchange(const Communicator& ranks, const Queue& queue, Transport& transport, std::int64_t bytes) {
  constexpr int repeats = 50;
  const int above = (ranks.rank() + 1) % ranks.size(), below = (ranks.rank() + ranks.size() - 1) % ranks.size();
  const Array<std::byte> sent(queue, bytes);
  Array<std::byte> received(queue, bytes);
  const std::array sends{SentPiece{sent.data(), static_cast<std::size_t>(bytes), above}};
  const std::array receives{ReceivedPiece{received.data(), static_cast<std::size_t>(bytes), below}};
  const auto exchange = [&](int count) {
    for (int k = 0; k < count; ++k) transport.exchange(sends, receives);
    queue.wait();
  };
  exchange(3);
  meet(ranks);
  return measure_once([&] { exchange(repeats); }).seconds / repeats;
}

void measure_exchange(const Communicator& ranks, const std::string& device, const std::string& output) {
  const Queue queue = mpi::queue(ranks, device);
  const std::unique_ptr<Transport> transport = ranks.group().transport(queue);
  std::string rows = "ranks,transport,size [B],time [us],speed each way [GB/s]\n";
  for (std::int64_t bytes = 1 << 10; bytes <= most_bytes; bytes *= 4) {
    const double seconds = seconds_of_exchange(ranks, queue, *transport, bytes);
    rows += text(ranks.size(), ',', transport->name(), ',', bytes, ',', 1e6 * seconds, ',',
                 1e-9 * static_cast<double>(bytes) / seconds, '\n');
  }
  if (ranks.rank() == 0) write_result(output, rows);
}

int run(int argc, char** argv) {
  const Communicator ranks = mpi::world();
  std::string device = "cuda", output;
  CLI::App app("Measures the exchange between the devices of ranks", "shoal_rank_exchange");
  app.add_option("--device", device, "cuda or cpu");
  app.add_option("--output", output, "result file; empty: standard output");
  return run_on_ranks(ranks, app, argc, argv, [&] { measure_exchange(ranks, device, output); });
}

}  // namespace

}  // namespace shoal::benchmarks

int main(int argc, char** argv) { return shoal::benchmarks::run(argc, argv); }
