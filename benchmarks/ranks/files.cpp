// SPDX-License-Identifier: Apache-2.0
// Time of a state of the fields and of a restart that several ranks write. With a parallel HDF5 every rank writes its
// rows, else rank 0 writes them all.
//
//     mpirun -n 2 shoal_rank_files --folder out --particles 20000000 --output files.csv
#include <unistd.h>
#include <shoal/io/libraries.hpp>
#include <shoal/io/restart.hpp>

#include <algorithm>
#include <numeric>

#include "core/communication/rank_group.hpp"
#include "core/text.hpp"
#include "io/run/fields/field_writer.hpp"
#include "io/run/ranks/first_rank.hpp"
#include "ranks/rank_program.hpp"

namespace shoal::benchmarks {

namespace {

struct Settings {
  std::filesystem::path folder = ".";
  std::int64_t particles = 1'000'000;
  int repeats = 3;
  std::string output;
};

/// Ids and values of this rank.
struct Part {
  std::vector<std::int64_t> ids;
  std::vector<double> values;
  std::size_t size() const { return ids.size(); }
};

Part part_of(const Communicator& ranks, std::int64_t particles) {
  const std::int64_t first = particles * ranks.rank() / ranks.size();
  const auto count = static_cast<std::size_t>(particles * (ranks.rank() + 1) / ranks.size() - first);
  Part part{std::vector<std::int64_t>(count), std::vector<double>(count)};
  std::iota(part.ids.begin(), part.ids.end(), first);
  std::transform(part.ids.begin(), part.ids.end(), part.values.begin(),
                 [](std::int64_t id) { return static_cast<double>(id); });
  return part;
}

sph::Snapshot snapshot_of(const Part& part) {
  sph::Snapshot snapshot;
  snapshot.id = part.ids;
  snapshot.tag.assign(part.size(), 1);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    snapshot.coordinate[axis] = part.ids;
    snapshot.velocity[axis] = part.values;
  }
  snapshot.density_deviation = snapshot.pressure_over_density2 = part.values;
  return snapshot;
}

sph::Fields fields_of(const Part& part, double time) {
  sph::Fields fields;
  fields.clock.time = time;
  fields.id = part.ids;
  fields.material.assign(part.size(), 0);
  fields.wall.assign(part.size(), 0);
  fields.position.assign(3 * part.size(), time);
  fields.velocity.assign(3 * part.size(), 1.0F);
  fields.density.assign(part.size(), 1000.0F);
  fields.pressure.assign(part.size(), 1.0F);
  return fields;
}

std::string row_of(const Communicator& ranks, const Settings& settings, const std::string& file, double bytes,
                   double seconds) {
  return text(ranks.size(), ',', io::hdf5_kind(), ',', file, ',', settings.particles, ',', bytes, ',', seconds, ',',
              1e-9 * bytes / seconds, '\n');
}

std::string measure_restart(const Communicator& ranks, const Settings& settings, const Part& part) {
  const io::Restart restart{snapshot_of(part), "case", {}};
  const std::filesystem::path file = settings.folder / "restart.h5";
  const double seconds = median_seconds(
      ranks, settings.repeats, [&] { io::write_restart(file, restart, ranks); }, ::sync);
  const auto bytes = static_cast<double>(std::filesystem::file_size(file));
  meet(ranks);
  io::on_first_rank(ranks, [&] { std::filesystem::remove(file); });
  return row_of(ranks, settings, "restart.h5", bytes, seconds);
}

/// Measures states behind the first, which have the ids and cells of the file.
std::string measure_fields(const Communicator& ranks, const Settings& settings, const Part& part) {
  sph::Case simulation;
  simulation.text = "case";
  std::unique_ptr<io::FieldWriter> writer;
  io::on_first_rank(ranks, [&] { writer = io::open_fields(settings.folder, simulation); });
  double time = 0;
  const std::filesystem::path file = settings.folder / "fields.vtkhdf";
  const auto write = [&] {
    const sph::Fields fields = fields_of(part, time++);
    const io::FieldState state(ranks, fields);
    state.arrays().read([&] {
      writer->write(state);
      writer->sync();
    });
  };
  write();
  const auto size = [&] { return static_cast<double>(std::filesystem::file_size(file)); };
  const double before = size();
  const double seconds = median_seconds(ranks, settings.repeats, write, ::sync);
  const double bytes = (size() - before) / settings.repeats;
  meet(ranks);
  io::on_first_rank(ranks, [&] {
    writer.reset();
    std::filesystem::remove(file);
  });
  return row_of(ranks, settings, "fields.vtkhdf", bytes, seconds);
}

void measure_files(const Communicator& ranks, const Settings& settings) {
  const Part part = part_of(ranks, settings.particles);
  std::string rows = "ranks,hdf5,file,particles,size [B],time [s],speed [GB/s]\n";
  rows += measure_restart(ranks, settings, part);
  rows += measure_fields(ranks, settings, part);
  if (ranks.rank() == 0) write_result(settings.output, rows);
}

int run(int argc, char** argv) {
  const Communicator ranks = mpi::world();
  Settings settings;
  CLI::App app("Measures the files that several ranks write", "shoal_rank_files");
  app.add_option("--folder", settings.folder, "folder that all ranks see");
  app.add_option("--particles", settings.particles, "of all ranks");
  app.add_option("--repeats", settings.repeats, "writes of each file, of which the median counts");
  app.add_option("--output", settings.output, "result file; empty: standard output");
  return run_on_ranks(ranks, app, argc, argv, [&] { measure_files(ranks, settings); });
}

}  // namespace

}  // namespace shoal::benchmarks

int main(int argc, char** argv) { return shoal::benchmarks::run(argc, argv); }
