// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <shoal/io/restart.hpp>

#include <cstring>

#include "io/formats/binary/hdf5.hpp"
#include "io/formats/file_checksum.hpp"
#include "io/run/sample_state.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::HasSubstr;

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void expect_same_bits(const sph::Snapshot& a, const sph::Snapshot& b) {
  EXPECT_TRUE(
      same_bits<double>({a.clock.time, a.clock.dt, a.clock.next_dt}, {b.clock.time, b.clock.dt, b.clock.next_dt}));
  EXPECT_EQ(a.clock.step, b.clock.step);
  EXPECT_EQ(a.clock.particles, b.clock.particles);
  EXPECT_EQ(a.clock.lost, b.clock.lost);
  EXPECT_EQ(a.changes.added, b.changes.added);
  EXPECT_EQ(a.changes.removed, b.changes.removed);
  EXPECT_EQ(a.changes.added_mass, b.changes.added_mass);
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.tag, b.tag);
  EXPECT_EQ(a.coordinate, b.coordinate);
  for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_TRUE(same_bits(a.velocity[axis], b.velocity[axis]));
  EXPECT_TRUE(same_bits(a.density_deviation, b.density_deviation));
  EXPECT_TRUE(same_bits(a.pressure_over_density2, b.pressure_over_density2));
  EXPECT_TRUE(same_bits(a.energy, b.energy));
  EXPECT_TRUE(same_bits(a.viscosity, b.viscosity));
}

/// Error message for a restart that `damage` modified after it was written.
template <class Damage>
std::string message_after(Damage damage) {
  const ScratchFolder folder;
  write_restart(folder / "restart.h5", {random_snapshot(100), "text"});
  damage(folder / "restart.h5");
  return message_of([&] { read_restart(folder / "restart.h5"); });
}

/// Gives a file that was changed through HDF5 the checksum of its new content.
void seal(const std::filesystem::path& file) {
  const std::string content = read_text(file);
  write_with_checksum(file, content);
}

class RestartOfSize : public testing::TestWithParam<std::size_t> {};

TEST_P(RestartOfSize, KeepsEveryBit) {
  const ScratchFolder folder;
  const Restart written{random_snapshot(GetParam()), "kind = \"sph\"\n# ünïcode\n"};
  write_restart(folder / "restart.h5", written);
  const Restart read = read_restart(folder / "restart.h5");
  EXPECT_EQ(read.case_text, written.case_text);
  expect_same_bits(read.snapshot, written.snapshot);
  EXPECT_FALSE(std::filesystem::exists(folder / "restart.h5.partial"));
}

INSTANTIATE_TEST_SUITE_P(Sizes, RestartOfSize, testing::Values(0, 1, 131, 70'000));

TEST(Restart, TheSameStateIsTheSameFile) {
  const ScratchFolder folder;
  for (const char* name : {"a.h5", "b.h5"}) write_restart(folder / name, {random_snapshot(10), "text"});
  EXPECT_EQ(read_text(folder / "a.h5"), read_text(folder / "b.h5"));
}

TEST(Restart, ALaterOneTakesThePlaceOfTheEarlier) {
  const ScratchFolder folder;
  write_restart(folder / "restart.h5", {random_snapshot(10, 1), "first"});
  write_restart(folder / "restart.h5", {random_snapshot(20, 2), "second"});
  EXPECT_EQ(read_restart(folder / "restart.h5").case_text, "second");
}

TEST(Restart, OneThatIsTruncatedAnywhereIsAnError) {
  for (const double part : {0.0, 0.01, 0.3, 0.7, 0.99})
    EXPECT_THAT(message_after([&](const std::filesystem::path& file) {
                  const auto size = static_cast<double>(std::filesystem::file_size(file));
                  std::filesystem::resize_file(file, static_cast<std::uintmax_t>(size * part));
                }),
                HasSubstr("no whole restart file"))
        << part;
}

TEST(Restart, AChangedByteAnywhereIsAnError) {
  for (const double part : {0.0, 0.1, 0.5, 0.9, 0.999}) {
    const std::string message = message_after([&](const std::filesystem::path& file) {
      std::string content = read_text(file);
      char& byte = content[static_cast<std::size_t>(part * static_cast<double>(content.size()))];
      byte = static_cast<char>(~byte);
      write_text(file, content);
    });
    EXPECT_THAT(message, HasSubstr("checksum")) << part;
  }
}

TEST(Restart, HowMuchOutputBelongsToItIsKept) {
  const ScratchFolder folder;
  const OutputCounts outputs{{"balance.csv", 12}, {"fields.vtkhdf", 3}};
  write_restart(folder / "restart.h5", {random_snapshot(10), "text", outputs});
  EXPECT_EQ(read_restart(folder / "restart.h5").outputs, outputs);
}

TEST(Restart, KeepsEveryBitOfRigidBodies) {
  const ScratchFolder folder;
  Restart written{random_snapshot(10), "text"};
  for (const double first : {0.1, -7.0}) {
    sph::RigidBodyState body;
    double next = first;
    for (auto* vector : {&body.center, &body.velocity, &body.angular_momentum, &body.previous_velocity,
                         &body.previous_angular_momentum})
      for (double& value : *vector) value = next /= 3;
    for (double& value : body.rotation) value = next /= 3;
    written.snapshot.rigid_bodies.push_back(body);
  }
  write_restart(folder / "restart.h5", written);
  const std::vector<sph::RigidBodyState> read = read_restart(folder / "restart.h5").snapshot.rigid_bodies;
  ASSERT_EQ(read.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    const sph::RigidBodyState& body = written.snapshot.rigid_bodies[k];
    EXPECT_EQ(read[k].center, body.center);
    EXPECT_EQ(read[k].velocity, body.velocity);
    EXPECT_EQ(read[k].rotation, body.rotation);
    EXPECT_EQ(read[k].angular_momentum, body.angular_momentum);
    EXPECT_EQ(read[k].previous_velocity, body.previous_velocity);
    EXPECT_EQ(read[k].previous_angular_momentum, body.previous_angular_momentum);
  }
}

TEST(Restart, HasTheStatesOfPaddlesThatAbsorb) {
  const ScratchFolder folder;
  Restart written{random_snapshot(10), "text"};
  written.snapshot.absorption = {
      {.displacement = 0.1 / 3, .velocity = -0.2 / 3, .acceleration = 0.7 / 3, .still_level = 1.0 / 3}, {}};
  write_restart(folder / "restart.h5", written);
  EXPECT_TRUE(read_restart(folder / "restart.h5").snapshot.absorption == written.snapshot.absorption);
}

TEST(Restart, ANumberOfPartsThatCannotBeIsAnError) {
  for (const char* name : {"rigid_bodies", "absorption"})
    for (const std::int64_t count : {-1, 257, 1})  // of one the numbers are missing
      EXPECT_NE(message_after([&](const std::filesystem::path& file) {
                  {
                    const hdf5::Handle out = hdf5::open_for_writing(file);
                    hdf5::write_scalar_attribute<std::int64_t>(out, name, count);
                  }
                  seal(file);
                }),
                "no error")
          << name << ", " << count;
}

TEST(Restart, ALinkOfTheTemporaryNameIsNotFollowed) {
  const ScratchFolder folder;
  write_text(folder / "victim", "kept");
  std::filesystem::create_symlink(folder / "victim", folder / "restart.h5.partial");
  write_restart(folder / "restart.h5", {random_snapshot(10), "text"});
  EXPECT_EQ(read_text(folder / "victim"), "kept");
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "restart.h5"));
}

TEST(Restart, AnArrayOfAnotherSizeIsAnError) {
  const std::string message = message_after([](const std::filesystem::path& file) {
    {
      const hdf5::Handle out = hdf5::open_for_writing(file);
      hdf5::Rows(out, "velocity_y").keep(99);
    }
    seal(file);
  });
  EXPECT_THAT(message, HasSubstr("`velocity_y` has 99 values for 100 particles"));
}

TEST(Restart, OneOfAnotherVersionNamesBoth) {
  const std::string message = message_after([](const std::filesystem::path& file) {
    {
      const hdf5::Handle out = hdf5::open_for_writing(file);
      hdf5::write_scalar_attribute<std::int64_t>(out, "format_version", 99);
    }
    seal(file);
  });
  EXPECT_THAT(message, HasSubstr("has format 99"));
  EXPECT_THAT(message, HasSubstr("Resume with the shoal that wrote it"));
}

TEST(Restart, AFileThatIsNoneOrNotThereIsAnError) {
  const ScratchFolder folder;
  EXPECT_THAT(message_of([&] { read_restart(folder / "none.h5"); }), HasSubstr("there is no such restart file"));
  write_text(folder / "text.h5", "not HDF5");
  EXPECT_THAT(message_of([&] { read_restart(folder / "text.h5"); }), HasSubstr("no whole restart file"));
  { const hdf5::Handle empty = hdf5::create_file(folder / "other.h5"); }
  EXPECT_THAT(message_of([&] { read_restart(folder / "other.h5"); }), HasSubstr("no whole restart file"));
}

TEST(Restart, AFolderThatIsNotThereIsAnErrorThatNamesTheFile) {
  const ScratchFolder folder;
  EXPECT_THAT(message_of([&] {
                write_restart(folder / "none/restart.h5", {random_snapshot(1), ""});
              }),
              HasSubstr("none/restart.h5: writing the restart failed"));
}

TEST(SameCase, OnlyTheEndAndWhatIsSaidOfTheRunMayDiffer) {
  const std::string before =
      "title = \"a\"\n[run]\nduration = 1\noutput_times = [1, 2, 3, 4, 5, 6, 7, 8]\n[scheme]\ncfl = 0.8\n";
  const auto message = [&](const std::string& given) {
    return testing_support::message_of([&] { require_same_case(before, given, "case.toml"); });
  };
  EXPECT_EQ(message(before), "no error");
  EXPECT_EQ(
      message("title = \"b\"\n[scheme]\ncfl = 0.8\n[run]\noutput_times = [1, 2, 3, 4, 5, 6, 7, 8]\nduration = 7\n"),
      "no error");
  EXPECT_EQ(message("[run]\noutput_times = [1, 2, 3, 4, 5, 6, 7, 8]\n[scheme]\ncfl = 0.4\n"),
            "case.toml: `scheme.cfl` is 0.4, but the run began with 0.8. A run continues with its own case: put the "
            "value back, or start a new run.");
  EXPECT_THAT(message("[run]\noutput_times = [1, 2, 3, 4, 5, 6, 7, 9]\n[scheme]\ncfl = 0.8\n"),
              testing::HasSubstr("`run.output_times` is [1, 2, 3, 4, 5, 6, 7, 9], but the run began with [1,"));
  EXPECT_THAT(message("[run]\noutput_times = [1, 2, 3, 4, 5, 6, 7, 8]\n"),
              testing::HasSubstr("`scheme.cfl` is not given, but the run began with 0.8"));
  EXPECT_THAT(message(before + "dt = 3\n"), testing::HasSubstr("`scheme.dt` is 3, but the run began with not given"));
}

}  // namespace
}  // namespace shoal::io
