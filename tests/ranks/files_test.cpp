// SPDX-License-Identifier: Apache-2.0
// Files of several ranks. Their bytes are those of one rank, whether rank 0 writes all rows or each rank its own.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <shoal/io/restart.hpp>
#include <shoal/mpi.hpp>

#include <csignal>
#include <numeric>

#include "core/communication/rank_group.hpp"
#include "io/run/fields/field_writer.hpp"
#include "io/run/rank_parts.hpp"
#include "io/run/ranks/first_rank.hpp"
#include "io/run/sample_state.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::HasSubstr;

std::vector<std::int64_t> numbers(std::int64_t count, std::int64_t first = 0) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), first);
  return values;
}

/// A folder that rank 0 makes, and that all ranks see.
class FilesOfRanks : public testing::Test {
 protected:
  FilesOfRanks() {
    std::string path;
    if (ranks.rank() == 0) path = own_.emplace().path().string();
    broadcast_text(ranks, path);
    folder = path;
  }
  ~FilesOfRanks() override {
    ranks.agree([] {});
  }  // rank 0 removes the folder after all ranks have left it

  /// Sample state with every kind of array that the writer of a case takes.
  static sph::Case with_energy() {
    sph::Case simulation = sample_case();
    simulation.scheme.energy = true;
    return simulation;
  }

  /// Opens fields on rank 0.
  void open(const sph::Case& simulation, std::optional<std::int64_t> kept = {}) {
    writer.reset();
    on_first_rank(ranks, [&] { writer = open_fields(folder, simulation, kept); });
  }

  /// Writes a state of all ranks, as RankRecorder does.
  void write(const sph::Fields& whole) {
    const sph::Fields part = part_of(whole, ranks);
    const FieldState state(ranks, part);
    state.arrays().read([&] { writer->write(state); });
  }

  /// On rank 0, compares the fields with those that one rank writes.
  void expect_bytes_of_one_rank(const sph::Case& simulation, const std::vector<sph::Fields>& states) {
    if (ranks.rank() > 0) return;
    std::filesystem::create_directories(folder / "one");
    {
      const auto one = open_fields(folder / "one", simulation);
      for (const sph::Fields& state : states) one->write(state);
    }
    EXPECT_TRUE(read_text(folder / "one/fields.vtkhdf") == read_text(folder / "fields.vtkhdf"));
  }

  Communicator ranks = mpi::world();
  std::filesystem::path folder;
  std::unique_ptr<FieldWriter> writer;  ///< null on other ranks than 0

 private:
  std::optional<ScratchFolder> own_;
};

/// Limits the size of files that this process writes.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit small{bytes, limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit limit_{};
  void (*handler_)(int);
};

TEST_F(FilesOfRanks, FieldsHaveTheBytesOfOneRank) {
  for (const std::int64_t particles : {0, 1, 2, 5, 1000, 200'000}) {
    for (const sph::Precision precision : {sph::Precision::float_, sph::Precision::double_}) {
      for (const int compression : {0, particles <= 1000 ? 4 : 0}) {
        sph::Case simulation = with_energy();
        simulation.precision = precision;
        simulation.output.compression = compression;
        std::vector<sph::Fields> states = {sample_fields(0, numbers(particles)), sample_fields(0.5, numbers(particles)),
                                           sample_fields(1, numbers(particles / 2, 1)),
                                           sample_fields(1.5, numbers(particles / 3, 2))};
        open(simulation);
        for (const sph::Fields& state : states) write(state);
        expect_bytes_of_one_rank(simulation, states);
      }
    }
  }
}

TEST_F(FilesOfRanks, ContinuedFieldsHaveTheStatesThatWereKeptAndThoseBehind) {
  const std::vector<sph::Fields> states = {sample_fields(0, numbers(70'001)), sample_fields(0.5, numbers(69'000)),
                                           sample_fields(1, numbers(69'000)), sample_fields(1.5, numbers(69'000))};
  open(with_energy());
  for (const std::size_t state : {0, 1, 3}) write(states[state]);  // the last one belongs to no restart
  open(with_energy(), 2);
  for (const std::size_t state : {2, 3}) write(states[state]);
  writer.reset();
  if (ranks.rank() > 0) return;
  std::filesystem::create_directories(folder / "one");
  {
    const auto one = open_fields(folder / "one", with_energy());
    for (const std::size_t state : {0, 1, 3}) one->write(states[state]);
  }
  const auto one = open_fields(folder / "one", with_energy(), 2);
  for (const std::size_t state : {2, 3}) one->write(states[state]);
  EXPECT_TRUE(read_text(folder / "one/fields.vtkhdf") == read_text(folder / "fields.vtkhdf"));
}

TEST_F(FilesOfRanks, RestartsHaveTheBytesOfOneRankAndAreReadByAllRanks) {
  for (const std::size_t particles : {0, 1, 2, 5, 1000, 200'000}) {
    const sph::Snapshot whole = random_snapshot(particles);
    const OutputCounts outputs{{"balance.csv", 3}};
    write_restart(folder / "several.h5", {part_of(whole, ranks), "case of the run", outputs}, ranks);
    const Restart read = read_restart(folder / "several.h5", ranks);
    const sph::Snapshot part = part_of(whole, ranks);
    EXPECT_TRUE(read.snapshot.id == part.id);
    EXPECT_TRUE(read.snapshot.coordinate == part.coordinate);
    EXPECT_TRUE(read.snapshot.velocity == part.velocity);
    EXPECT_TRUE(read.snapshot.energy == part.energy);
    on_first_rank(ranks, [&] {
      write_restart(folder / "one.h5", {whole, "case of the run", outputs});
      EXPECT_TRUE(read_text(folder / "one.h5") == read_text(folder / "several.h5")) << particles << " particles";
    });
  }
}

TEST_F(FilesOfRanks, AllRanksWriteWithAParallelHdf5InAFolderThatAllSee) {
  const std::vector<std::int64_t> part = numbers(2);
  RankRows rows(ranks, {{"numbers", part.data(), sizeof(std::int64_t), 2, &hdf5::type_of<std::int64_t>}});
  const std::filesystem::path hidden = ranks.rank() == 0 ? folder / "seen.h5" : folder / "another.h5";
  rows.read([&] {
    EXPECT_FALSE(rows.can_share(folder / "none.h5"));
    write_text(folder / "seen.h5", "seen");
    EXPECT_EQ(rows.can_share(folder / "seen.h5"), hdf5::is_parallel && ranks.size() > 1);
  });
  EXPECT_FALSE(ranks.size() > 1 && hdf5::can_share(ranks, hidden));
}

TEST_F(FilesOfRanks, AWriteThatFailsOnOneRankIsAnErrorOfAllAndLeavesTheFilesBefore) {
  if (!hdf5::is_parallel || ranks.size() == 1) GTEST_SKIP() << "no parallel HDF5 in this build, or one rank";
  constexpr std::int64_t particles = 200'000;
  const std::vector<sph::Fields> states = {sample_fields(0, numbers(particles)), sample_fields(0.5, numbers(particles)),
                                           sample_fields(1, numbers(particles / 2))};
  const sph::Snapshot before = random_snapshot(1000, 1), after = random_snapshot(particles, 2);
  open(with_energy());
  write(states[0]);
  write_restart(folder / "restart.h5", {part_of(before, ranks), ""}, ranks);
  const std::string restart = read_text(folder / "restart.h5");
  for (const int failing : {ranks.size() - 1, 0}) {
    std::optional<FileSizeLimit> limit;
    if (ranks.rank() == failing) limit.emplace(1000);
    EXPECT_THAT(message_of([&] { write(states[1]); }), HasSubstr("fields.vtkhdf: "));
    EXPECT_THAT(message_of([&] {
                  write_restart(folder / "restart.h5", {part_of(after, ranks), ""}, ranks);
                }),
                HasSubstr("restart.h5: writing the restart failed: "));
    EXPECT_TRUE(read_text(folder / "restart.h5") == restart);
    EXPECT_FALSE(std::filesystem::exists(folder / "restart.h5.partial"));
    ranks.agree([] {});
  }
  open(with_energy(), 1);
  for (const std::size_t state : {1, 2}) write(states[state]);
  write_restart(folder / "restart.h5", {part_of(after, ranks), ""}, ranks);
  EXPECT_TRUE(read_restart(folder / "restart.h5", ranks).snapshot.id == part_of(after, ranks).id);
}

}  // namespace
}  // namespace shoal::io
