// SPDX-License-Identifier: Apache-2.0
// Time of other operations than sph on several ranks, and a checksum of their results, which are the same for any number
// of ranks:
//
//     mpirun -n 4 shoal_rank_operations --operation deposit --items 1000000000 --output four.csv
//
// Points are a lattice in the unit cube, each moved by less than half of its spacing; a rank has whole layers of them.
#include <shoal/collision/relaxation.hpp>
#include <shoal/deposit.hpp>
#include <shoal/gas.hpp>
#include <shoal/ranks/ghost_points.hpp>
#include <shoal/wall_distance.hpp>

#include <cmath>
#include <functional>
#include <map>

#include "core/range.hpp"
#include "core/text.hpp"
#include "ranks/checksum.hpp"
#include "ranks/rank_program.hpp"
#include "support/dented_sphere.hpp"
#include "support/exact_collision.hpp"
#include "support/problems.hpp"
#include "support/random_values.hpp"

namespace shoal::benchmarks {

namespace {

struct Settings {
  std::string operation = "deposit";
  std::string device = "best";
  std::int64_t items = 1'000'000;
  int repeats = 3;
  std::string output;
};

/// Result of a measurement.
struct Measured {
  double seconds = 0;          ///< median, of the slowest rank
  std::uint64_t checksum = 0;  ///< Checksum of the results of all ranks
};

/// Layers of the lattice that this rank has.
struct Lattice {
  std::int64_t edge = 0;   ///< points along an axis
  std::int64_t first = 0;  ///< number of the first own point
  std::int64_t count = 0;  ///< number of own points

  std::int64_t total() const { return edge * edge * edge; }
};

/// @param layers  the edge is a multiple of it, and a rank has a multiple of it
Lattice lattice_of(const Communicator& ranks, std::int64_t items, std::int64_t layers) {
  const auto groups = static_cast<std::int64_t>(std::llround(std::cbrt(static_cast<double>(items)) / layers));
  const Share share = share_of(groups, ranks);
  const std::int64_t edge = groups * layers, layer = edge * edge * layers;
  return {edge, share.first * layer, share.count * layer};
}

/// A coordinate of the own points on the device.
template <class Real>
Array<Real> coordinate(const Queue& queue, const Lattice& lattice, std::uint64_t axis) {
  const std::int64_t stride[3] = {1, lattice.edge, lattice.edge * lattice.edge};
  std::vector<Real> values(static_cast<std::size_t>(lattice.count));
#pragma omp parallel for
  for (std::int64_t i = 0; i < lattice.count; ++i) {
    const std::int64_t number = lattice.first + i;
    const double moved = 0.1 + 0.8 * random_value(4 * static_cast<std::uint64_t>(number) + axis);
    values[static_cast<std::size_t>(i)] =
        static_cast<Real>((static_cast<double>(number / stride[axis] % lattice.edge) + moved) / lattice.edge);
  }
  return to_device(queue, values);
}

template <class Real>
struct Cloud {
  Array<Real> x, y, z;

  Cloud(const Queue& queue, const Lattice& lattice)
      : x(coordinate<Real>(queue, lattice, 0)),
        y(coordinate<Real>(queue, lattice, 1)),
        z(coordinate<Real>(queue, lattice, 2)) {}
};

/// Returns the median time of `work`, which ends with the queue, after one call to warm up.
double median_seconds_of_queue(const Communicator& ranks, const Queue& queue, int repeats,
                               const std::function<void()>& work) {
  const auto complete = [&] {
    work();
    queue.wait();
  };
  complete();
  return median_seconds(ranks, repeats, complete);
}

/// Eight particles a cell, binned and transferred, in float.
Measured measure_deposit(const Communicator& ranks, const Queue& queue, const Settings& settings) {
  const Lattice lattice = lattice_of(ranks, settings.items, 2);
  const Cloud<float> particles(queue, lattice);
  const std::int64_t cells = lattice.edge / 2, layers = lattice.edge * lattice.edge * 2;
  const Grid grid{3, {}, {1.0 / cells, 1.0 / cells, 1.0 / cells}, {cells, cells, cells}};
  Slabs slabs{{0}};
  for (int rank = 1; rank <= ranks.size(); ++rank) slabs.cut.push_back(part_range(cells, rank - 1, ranks.size()).end);
  require(lattice.first / layers == slabs.first(ranks.rank()), "ranks: the lattice and the grid are cut unlike.");
  Deposit<float> deposit(queue, DepositGrid(grid), {}, slabs, ranks);
  Array<float> nodes(queue, deposit.node_count());
  const double seconds = median_seconds_of_queue(ranks, queue, settings.repeats, [&] {
    deposit.bin(particles.x, particles.y, particles.z);
    deposit.to_nodes(particles.x, nodes);
  });
  const std::int64_t plane = (cells + 1) * (cells + 1);
  const bool shares_last = ranks.rank() + 1 < ranks.size();  // the plane at a cut counts once
  const View<const float> counted(nodes.data(), nodes.count() - (shares_last ? plane : 0), nodes.device());
  return {seconds, checksum_of_all(ranks, checksum(queue, counted, deposit.first_node()))};
}

/// A list of some 60 neighbors a point, with its ghosts, in float.
Measured measure_neighbors(const Communicator& ranks, const Queue& queue, const Settings& settings) {
  const Lattice lattice = lattice_of(ranks, settings.items, 1);
  const Cloud<float> points(queue, lattice);
  const double radius = radius_of_uniform(lattice.total());
  GhostPoints<float> ghosts(queue, ranks, radius);
  Neighbors<float> neighbors(queue, radius);
  const double seconds = median_seconds_of_queue(ranks, queue, settings.repeats, [&] {
    ghosts.find({points.x, points.y, points.z});
    neighbors.find_part(ghosts.points(), ghosts.own_begin(), ghosts.own_count());
  });
  return {seconds, checksum_of_all(ranks, checksum_of_rows(queue, ghosts, neighbors, lattice.first))};
}

/// Distances of points in a box twice as wide as a dented sphere of 104,000 faces.
Measured measure_wall_distance(const Communicator& ranks, const Queue& queue, const Settings& settings) {
  const Lattice lattice = lattice_of(ranks, settings.items, 1);
  const Cloud<double> points(queue, lattice);
  WallMesh mesh = testing_support::dented_sphere_with(104'000);
  for (auto* coordinates : {&mesh.x, &mesh.y, &mesh.z})
    for (double& value : *coordinates) value = 0.5 + 0.4 * value;
  WallDistance walls(queue, mesh);
  Array<double> distance(queue, lattice.count);
  const double seconds = median_seconds_of_queue(
      ranks, queue, settings.repeats, [&] { walls.find(points.x, points.y, points.z, {.distance = distance}); });
  return {seconds, checksum_of_all(ranks, checksum<double>(queue, distance, lattice.first))};
}

/// A step of cells with 32³ nodes each, by the conservative approach in double. It takes long, and is measured once.
Measured measure_relaxation(const Communicator& ranks, const Queue& queue, const Settings& settings) {
  const VelocityGrid grid = velocity_grid(CollisionApproach::conservative, 32);
  const Share share = share_of(settings.items, ranks);
  const std::vector<double> beams = testing_support::BeamPair{}.on<double>(grid);
  std::vector<double> f;
  for (std::int64_t cell = share.first; cell < share.first + share.count; ++cell)
    for (const double value : beams) f.push_back(value * (1 + static_cast<double>(cell) / settings.items));
  const Array<double> start = to_device(queue, f);
  Relaxation<double> gas(Collision<double>(queue, grid, {.rate = 1}), {.scheme = collision::RelaxationScheme::euler},
                         ranks);
  gas.start(start);
  const double seconds = seconds_together(ranks, [&] {
    gas.advance_to(1e-3);
    queue.wait();
  });
  const auto nodes = static_cast<std::int64_t>(beams.size());
  return {seconds, checksum_of_all(ranks, checksum(queue, gas.f(), share.first * nodes))};
}

/// Steps in time of a gas between a cold and a hot wall, on a line of cells of 0.1 mean free paths with 32³ nodes, in float.
/// Times are those of one step.
Measured measure_gas(const Communicator& ranks, const Queue& queue, const Settings& settings, const GasOptions& options,
                     int steps) {
  const auto cells = static_cast<int>(settings.items);
  const GasBoundary cold{.temperature = 0.9}, hot{.temperature = 1.1};
  const Molecules molecules =
      gas::molecules_of_knudsen(MoleculeModel::hard_sphere, gas::MeanFreePath::hard_sphere, 1, 1, 1, 1);
  Gas<float> flow(queue, {.nodes = 32, .half_width = 5.5}, gas::uniform_faces(0, 0.1 * cells, cells), {cold, hot},
                  molecules, options, ranks);
  VelocityMoments rest;
  rest.density = rest.temperature = 1;
  flow.start({rest});
  const double seconds = median_seconds_of_queue(ranks, queue, settings.repeats, [&] {
    int taken = 0;
    flow.advance_to(flow.clock().time + 1, [&] { return ++taken < steps; });
  });
  const std::int64_t nodes = flow.velocities().node_count();
  return {seconds / steps, checksum_of_all(ranks, checksum(queue, flow.f(), flow.own_cells().first * nodes))};
}

Measured measure_gas_bgk(const Communicator& ranks, const Queue& queue, const Settings& settings) {
  return measure_gas(ranks, queue, settings, {.model = GasModel::bgk}, 200);
}

Measured measure_gas_carleman(const Communicator& ranks, const Queue& queue, const Settings& settings) {
  return measure_gas(ranks, queue, settings,
                     {.model = GasModel::boltzmann,
                      .collision = {.approach = CollisionApproach::carleman,
                                    .equilibrium_preserving = true,
                                    .projection = CollisionProjection::maxwellian,
                                    .negative = NegativeDistribution::accept}},
                     10);
}

using Measure = Measured (*)(const Communicator&, const Queue&, const Settings&);
const std::map<std::string, Measure> measures = {
    {"deposit", measure_deposit},       {"neighbors", measure_neighbors}, {"wall_distance", measure_wall_distance},
    {"relaxation", measure_relaxation}, {"gas_bgk", measure_gas_bgk},     {"gas_carleman", measure_gas_carleman}};

void measure_operation(const Communicator& ranks, const Settings& settings) {
  const auto entry = measures.find(settings.operation);
  require(entry != measures.end(), "ranks: --operation is \"", settings.operation,
          "\", expected deposit, neighbors, wall_distance, relaxation, gas_bgk or gas_carleman.");
  const Queue queue = mpi::queue(ranks, settings.device);
  const Measured measured = entry->second(ranks, queue, settings);
  const double rate = static_cast<double>(settings.items) / measured.seconds / ranks.size();
  if (ranks.rank() == 0)
    write_result(settings.output, text("operation,items,ranks,time [ms],items per GPU [1/s],checksum\n",
                                       settings.operation, ',', settings.items, ',', ranks.size(), ',',
                                       1e3 * measured.seconds, ',', rate, ',', measured.checksum, '\n'));
}

int run(int argc, char** argv) {
  const Communicator ranks = mpi::world();
  Settings settings;
  CLI::App app("Measures operations over the devices of all ranks", "shoal_rank_operations");
  app.add_option("--operation", settings.operation,
                 "deposit, neighbors, wall_distance, relaxation, gas_bgk or gas_carleman");
  app.add_option("--device", settings.device, "kind of the devices");
  app.add_option("--items", settings.items, "particles, points or cells of all ranks, roughly");
  app.add_option("--repeats", settings.repeats, "measurements, of which the median counts");
  app.add_option("--output", settings.output, "result file; empty: standard output");
  return run_on_ranks(ranks, app, argc, argv, [&] { measure_operation(ranks, settings); });
}

}  // namespace

}  // namespace shoal::benchmarks

int main(int argc, char** argv) { return shoal::benchmarks::run(argc, argv); }
