// SPDX-License-Identifier: Apache-2.0
// Files that rank 0 writes and reads for all ranks. Their bytes are those of one rank.
#include <gmock/gmock.h>
#include <shoal/io/restart.hpp>

#include <numeric>

#include "io/run/fields/field_writer.hpp"
#include "io/run/rank_parts.hpp"
#include "io/run/ranks/rank_rows.hpp"
#include "io/run/sample_state.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::HasSubstr;

using Integers = std::vector<std::int64_t>;

Integers numbers(std::int64_t count) {
  Integers values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

RowArray array_of(const std::string& name, const Integers& values) {
  return {name, values.data(), sizeof(std::int64_t), static_cast<std::int64_t>(values.size())};
}

/// Numbers of ranks, and numbers of particles: none, fewer than ranks, and more than one piece.
class RankFiles : public testing::TestWithParam<std::tuple<int, std::int64_t>> {
 protected:
  ScratchFolder folder;
  int count = std::get<0>(GetParam());
  std::int64_t particles = std::get<1>(GetParam());
};

TEST_P(RankFiles, RowsComeInTheirOrderInPiecesThatDoNotDependOnTheRanks) {
  const Integers whole = numbers(particles);
  run_on_ranks(count, [&](const Communicator& ranks) {
    const Integers part = part_of(whole, ranks);
    RankRows rows(ranks, {array_of("empty", {}), array_of("numbers", part)});
    EXPECT_EQ(rows.count(), particles);
    EXPECT_EQ(rows.count("empty"), 0);
    Integers read, pieces;
    rows.read([&] {
      rows.for_each_piece("empty", [](const void*, std::int64_t) { FAIL() << "a piece of an empty array"; });
      rows.for_each_piece("numbers", [&](const void* values, std::int64_t piece) {
        const auto* first = static_cast<const std::int64_t*>(values);
        read.insert(read.end(), first, first + piece);
        pieces.push_back(piece);
      });
    });
    if (ranks.rank() > 0) return;
    EXPECT_TRUE(read == whole);
    for (std::size_t piece = 0; piece + 1 < pieces.size(); ++piece) EXPECT_EQ(pieces[piece], RankRows::most_rows);
  });
}

TEST_P(RankFiles, FieldsHaveTheBytesOfOneRank) {
  for (const sph::FieldFormat format : {sph::FieldFormat::vtkhdf, sph::FieldFormat::vtp}) {
    sph::Case simulation = sample_case();
    simulation.output.format = format;
    simulation.output.compression = particles < 1000 ? 4 : 0;
    simulation.scheme.energy = true;
    simulation.materials[0].rheology.model = sph::RheologyModel::bingham;
    const sph::Fields first = sample_fields(0, numbers(particles)), second = sample_fields(0.5, numbers(particles));
    const sph::Fields third = sample_fields(1, numbers(particles / 2));
    std::filesystem::create_directories(folder / "one");
    std::filesystem::create_directories(folder / "several");
    {
      const auto one = open_fields(folder / "one", simulation);
      for (const sph::Fields* state : {&first, &second, &third}) one->write(*state);
    }
    std::unique_ptr<FieldWriter> writer;
    run_on_ranks(count, [&](const Communicator& ranks) {
      ranks.agree([&] {
        if (ranks.rank() == 0) writer = open_fields(folder / "several", simulation);
      });
      for (const sph::Fields* state : {&first, &second, &third}) {
        const sph::Fields part = part_of(*state, ranks);
        const FieldState rows(ranks, part);
        rows.arrays().read([&] { writer->write(rows); });
      }
    });
    writer.reset();
    for (const char* name : {"fields.vtkhdf", "fields.pvd", "fields/0.vtp", "fields/500.vtp", "fields/1000.vtp"}) {
      ASSERT_EQ(std::filesystem::exists(folder / "one" / name), std::filesystem::exists(folder / "several" / name));
      if (!std::filesystem::exists(folder / "one" / name)) continue;
      EXPECT_TRUE(read_text(folder / "one" / name) == read_text(folder / "several" / name)) << name;
    }
  }
}

TEST_P(RankFiles, RestartsHaveTheBytesOfOneRankAndAreReadByAnyNumber) {
  const sph::Snapshot whole = random_snapshot(static_cast<std::size_t>(particles));
  const OutputCounts outputs{{"balance.csv", 3}, {"a name.csv", 5}};
  write_restart(folder / "one.h5", {whole, "case of the run", outputs});
  run_on_ranks(count, [&](const Communicator& ranks) {
    write_restart(folder / "several.h5", {part_of(whole, ranks), "case of the run", outputs}, ranks);
  });
  EXPECT_TRUE(read_text(folder / "one.h5") == read_text(folder / "several.h5"));
  run_on_ranks(count, [&](const Communicator& ranks) {
    const Restart read = read_restart(folder / "one.h5", ranks);
    const sph::Snapshot part = part_of(whole, ranks);
    EXPECT_EQ(read.case_text, "case of the run");
    EXPECT_EQ(read.outputs, outputs);
    EXPECT_EQ(read.snapshot.clock.step, whole.clock.step);
    EXPECT_TRUE(read.snapshot.clock.time == whole.clock.time);
    EXPECT_EQ(read.snapshot.changes.added, whole.changes.added);
    EXPECT_EQ(read.snapshot.changes.added_mass, whole.changes.added_mass);
    EXPECT_TRUE(read.snapshot.id == part.id);
    EXPECT_TRUE(read.snapshot.tag == part.tag);
    EXPECT_TRUE(read.snapshot.coordinate == part.coordinate);
    EXPECT_TRUE(read.snapshot.velocity == part.velocity);
    EXPECT_TRUE(read.snapshot.energy == part.energy);
    EXPECT_TRUE(read.snapshot.previous_energy.empty());
  });
}

TEST_P(RankFiles, FieldsOfAllRanksAreThoseOfOne) {
  const sph::Fields whole = sample_fields(0.5, numbers(particles));
  run_on_ranks(count, [&](const Communicator& ranks) {
    const sph::Fields part = part_of(whole, ranks);
    const FieldState state(ranks, part);
    sph::Fields joined;
    state.arrays().read([&] { joined = whole_fields(state); });
    if (ranks.rank() > 0) return;
    EXPECT_EQ(joined.total, particles);
    EXPECT_EQ(joined.clock.time, 0.5);
    EXPECT_TRUE(joined.id == whole.id && joined.material == whole.material && joined.body == whole.body);
    EXPECT_TRUE(joined.wall == whole.wall && joined.wall_number == whole.wall_number);
    EXPECT_TRUE(joined.position == whole.position && joined.velocity == whole.velocity);
    EXPECT_TRUE(joined.density == whole.density && joined.pressure == whole.pressure);
  });
}

INSTANTIATE_TEST_SUITE_P(Small, RankFiles, testing::Combine(testing::Values(1, 2, 3), testing::Values(0, 1, 2, 100)));
INSTANTIATE_TEST_SUITE_P(Pieces, RankFiles, testing::Values(std::tuple(3, RankRows::most_rows + 70'001)));

TEST(RankRows, AnErrorOfTheReaderIsThrownOnAllRanks) {
  const Integers whole = numbers(10);
  run_on_ranks(3, [&](const Communicator& ranks) {
    const Integers part = part_of(whole, ranks);
    RankRows rows(ranks, {array_of("numbers", part)});
    const auto fail = [&] {
      rows.for_each_piece("numbers", [](const void*, std::int64_t) { throw Error("disk full"); });
    };
    EXPECT_EQ(message_of([&] { rows.read(fail); }), "disk full");
    EXPECT_EQ(message_of([&] { rows.read([&] { rows.for_each_piece("none", {}); }); }),
              "the state to write has no array `none`.");
  });
}

TEST(RankRows, ArraysOfOtherLengthsAreRefusedOnAllRanks) {
  run_on_ranks(2, [](const Communicator& ranks) {
    const Integers two = numbers(2), one = numbers(1);
    EXPECT_EQ(message_of([&] {
                RankRows(ranks, {array_of("a", two), array_of("b", ranks.rank() == 1 ? one : two)});
              }),
              "the state to write has 3 values of `b` for 4 particles.");
    EXPECT_EQ(message_of([&] {
                RankRows(ranks, {array_of("a", two), array_of("b", ranks.rank() == 1 ? Integers{} : two)});
              }),
              "the state to write has 2 values of `b` for 4 particles.");
  });
}

TEST(RankRestart, ErrorsAreThrownOnAllRanks) {
  const ScratchFolder folder;
  write_text(folder / "text.h5", "not HDF5");
  write_restart(folder / "damaged.h5", {random_snapshot(10), "text"});
  std::string damaged = read_text(folder / "damaged.h5");
  damaged[damaged.size() / 2] ^= 1;
  write_text(folder / "damaged.h5", damaged);
  run_on_ranks(3, [&](const Communicator& ranks) {
    const auto message = [&](const char* name) { return message_of([&] { read_restart(folder / name, ranks); }); };
    EXPECT_THAT(message("none.h5"), HasSubstr("there is no such restart file"));
    EXPECT_THAT(message("text.h5"), HasSubstr("no whole restart file"));
    EXPECT_THAT(message("damaged.h5"), HasSubstr("its checksum does not fit"));
    const sph::Snapshot part = part_of(random_snapshot(10), ranks);
    EXPECT_THAT(message_of([&] {
                  write_restart(folder / "no folder/restart.h5", {part, ""}, ranks);
                }),
                HasSubstr("writing the restart failed"));
  });
}

}  // namespace
}  // namespace shoal::io
