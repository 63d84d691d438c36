// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

namespace shoal::cli {

void add_bench(CLI::App& app, Chosen& chosen) {
  CLI::App* bench = app.add_subcommand("bench", "Measure a paper's comparison again");
  bench->require_subcommand(1);
  for (const auto add :
       {add_bench_neighbors, add_bench_deposit, add_bench_wall_distance, add_bench_collision, add_bench_sph})
    add(*bench, chosen);
}

}  // namespace shoal::cli
