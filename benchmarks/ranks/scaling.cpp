// SPDX-License-Identifier: Apache-2.0
// Weak and strong scaling of SPH over ranks:
//
//     mpirun -n 1 shoal_rank_scaling --particles 10000000 --output one.csv
//     mpirun -n 2 shoal_rank_scaling --particles 10000000 --reference one.csv --output two.csv
//
// `--particles` is the number of each GPU, with --strong that of all of them. The reference is a result of one rank.
#include <shoal/sph.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <sstream>

#include "core/communication/rank_group.hpp"
#include "core/memory/memory.hpp"
#include "core/text.hpp"
#include "ranks/rank_program.hpp"
#include "support/sph_cases.hpp"

namespace shoal::benchmarks {

namespace {

struct Options {
  std::string name = "box";
  std::string method = "auto";
  std::int64_t particles = 1'000'000;
  bool is_strong = false;
  std::int64_t steps = 200;
  std::int64_t warm_up = 50;
  int repeats = 5;
  bool prints_kernels = false;
  std::string reference;
  std::string output;
};

/// Periodic box of moving water, a cube for each rank, the cubes one behind the other along z.
sph::Case periodic_box(std::int64_t particles, int cubes) {
  const auto edge = static_cast<std::int64_t>(std::llround(std::cbrt(static_cast<double>(particles) / cubes)));
  sph::Case box = column_case(1000, 3);
  box.title = "Periodic box";
  box.spacing = 1 / static_cast<double>(edge);
  box.bodies[0].box = {{}, {1, 1, static_cast<double>(cubes)}};
  box.bodies[0].jitter = 0.1;
  box.bodies[0].velocity = {0.1, 0.2, 0.3};
  box.walls.clear();
  box.domain = box.bodies[0].box;
  box.scheme.periodic = {sph::Axis::x, sph::Axis::y, sph::Axis::z};
  box.scheme.gravity = {};
  box.scheme.dt = 0.02 * box.spacing;
  return box;
}

sph::Case case_of(const Options& options, int ranks) {
  const std::int64_t particles = options.is_strong ? options.particles : options.particles * ranks;
  require(options.name == "box" || options.name == "dam_break", "ranks: --case is \"", options.name,
          "\", expected box or dam_break.");
  sph::Case simulation =
      options.name == "box" ? periodic_box(particles, options.is_strong ? 1 : ranks) : column_case(particles, 3);
  simulation.method = options.method;
  simulation.precision = sph::Precision::float_;
  return simulation;
}

/// Number of particles that the lattice of a case has of fluid, which do nearly all the work.
double fluid_of(const sph::Case& simulation) {
  double fluid = 1;
  const sph::Box& box = simulation.bodies[0].box;
  for (std::size_t axis = 0; axis < 3; ++axis)
    fluid *= std::round((box.to[axis] - box.from[axis]) / simulation.spacing);
  return fluid;
}

constexpr int profiled_steps = 20;

/// Share of the halo in the time of a step, by events around each kernel and exchange.
double halo_share(const Communicator& ranks, const std::vector<sph::KernelProfile>& kernels) {
  double halo = 0, whole = 0;
  for (const sph::KernelProfile& kernel : kernels) {
    whole += kernel.seconds;
    if (kernel.name == "exchange_halo") halo += kernel.seconds;
  }
  return largest(ranks, whole > 0 ? halo / whole : 0);
}

/// Prints the time of each kernel in a step, rank by rank.
void print_kernels(const Communicator& ranks, const std::vector<sph::KernelProfile>& kernels) {
  for (int rank = 0; rank < ranks.size(); ++rank) {
    if (rank == ranks.rank())
      for (const sph::KernelProfile& kernel : kernels)
        std::fprintf(stderr, "rank %d  %-22s %9.4f ms\n", rank, kernel.name.c_str(),
                     1e3 * kernel.seconds / profiled_steps);
    meet(ranks);  // the next rank prints after this one
  }
}

const std::vector<std::string> columns = {"case",
                                          "scaling",
                                          "method",
                                          "ranks",
                                          "particles",
                                          "fluid particles",
                                          "step [ms]",
                                          "evaluations per GPU [1/s]",
                                          "halo share",
                                          "memory per GPU [GB]",
                                          "memory per particle [B]",
                                          "efficiency"};

/// Particles of fluid that a GPU of the reference, which must be of one rank, advances by a step in a second.
std::optional<double> reference_rate(const Options& options) {
  if (options.reference.empty()) return {};
  std::ifstream file(options.reference);
  require(file.good(), "ranks: cannot read the reference ", options.reference, '.');
  std::string line, last;
  while (std::getline(file, line))
    if (!line.empty() && line[0] != '#') last = line;
  std::vector<std::string> cells;
  std::istringstream row(last);
  for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
  require(cells.size() == columns.size() && cells[3] == "1", "ranks: ", options.reference,
          " is no result of one rank, expected one of this program under mpirun -n 1.");
  return std::stod(cells[5]) / (1e-3 * std::stod(cells[6]));
}

void measure_scaling(const Communicator& ranks, const Options& options) {
  const std::optional<double> reference = reference_rate(options);
  const Queue queue = mpi::queue(ranks, "cuda");
  const std::uint64_t free_before = memory_info(queue).free;
  const sph::Case simulation = case_of(options, ranks.size());
  sph::Solver solver(queue, simulation, ranks);
  const auto particles = static_cast<double>(solver.clock().particles);
  solver.advance_steps(options.warm_up);
  const double seconds = median_seconds(ranks, options.repeats, [&] { solver.advance_steps(options.steps); }) /
                         static_cast<double>(options.steps);
  const double memory = largest(ranks, static_cast<double>(free_before - memory_info(queue).free));
  constexpr double stages = 3;
  const double rate = stages * particles / seconds / ranks.size();
  const std::vector<sph::KernelProfile> kernels = solver.profile(profiled_steps);
  const double share = halo_share(ranks, kernels);
  if (options.prints_kernels) print_kernels(ranks, kernels);
  const double fluid = fluid_of(simulation), fluid_rate = fluid / seconds / ranks.size();
  const double efficiency = ranks.size() == 1 ? 1 : reference ? fluid_rate / *reference : std::nan("");
  if (ranks.rank() != 0) return;
  std::string row =
      text(options.name, ',', options.is_strong ? "strong" : "weak", ',', solver.method().name, ',', ranks.size(), ',',
           static_cast<std::int64_t>(particles), ',', static_cast<std::int64_t>(fluid));
  for (const double value : {1e3 * seconds, rate, share, memory / 1e9, memory * ranks.size() / particles, efficiency})
    row += text(',', value);
  write_result(options.output, text(join(columns, ","), '\n', row, '\n'));
}

int run(int argc, char** argv) {
  const Communicator ranks = mpi::world();
  Options options;
  CLI::App app("Measures how SPH scales over the GPUs of all ranks", "shoal_rank_scaling");
  app.add_option("--case", options.name, "box or dam_break");
  app.add_option("--method", options.method, "method on CUDA");
  app.add_option("--particles", options.particles, "particles a GPU, or of all GPUs with --strong");
  app.add_flag("--strong", options.is_strong, "the same case for any number of ranks");
  app.add_option("--steps", options.steps, "steps of a measurement");
  app.add_option("--warm-up", options.warm_up, "steps before the first measurement");
  app.add_option("--repeats", options.repeats, "number of measurements, of which the median counts");
  app.add_flag("--kernels", options.prints_kernels, "print the time of each kernel on each rank");
  app.add_option("--reference", options.reference, "result file of one rank, for the efficiency");
  app.add_option("--output", options.output, "result file; empty: standard output");
  return run_on_ranks(ranks, app, argc, argv, [&] { measure_scaling(ranks, options); });
}

}  // namespace

}  // namespace shoal::benchmarks

int main(int argc, char** argv) { return shoal::benchmarks::run(argc, argv); }
