// SPDX-License-Identifier: Apache-2.0
// Cases of kind = "wall_distance" and kind = "relaxation" on several ranks: the files of one rank, and the same errors on
// all ranks.
#include <gmock/gmock.h>
#include <shoal/io/case_kinds.hpp>

#include <algorithm>
#include <functional>

#include "io/relaxation_beams.hpp"
#include "support/devices.hpp"
#include "support/messages.hpp"
#include "support/replaced.hpp"
#include "support/scratch_folder.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* passing_body = R"(kind = "wall_distance"
[run]
duration = 1.0
step = 0.05
output_every = 0.25
[mesh]
source = "o_grid"
around = "circle"
points_around = 9
points_out = 7
[[body]]
name = "store"
shape = "round"
center = [-1, -0.5]
radius = 0.2
faces = 20
motion = "translation"
velocity = [2, 0]
)";

/// Eight nodes of a cube; the floor is the wall.
constexpr const char* cube = R"(kind = "wall_distance"
dimensions = 3
[run]
duration = 1.0
step = 0.5
[mesh]
file = "cube.x"
index_walls = ["floor=1/:/:/1"]
points = "nodes"
)";
constexpr const char* cube_nodes = "1\n2 2 2\n0 1 0 1 0 1 0 1\n0 0 1 1 0 0 1 1\n0 0 0 0 1 1 1 2\n";

/// Spectral approach on a grid that is too coarse: f becomes negative.
constexpr const char* unstable_beams = R"(kind = "relaxation"
[run]
duration = 1.0
[grid]
nodes = 8
half_width = 8
[initial]
distribution = "two_beams"
temperature = 0.1
[collision]
approach = "spectral"
method = "serial"
degree = 5
radii = 4
)";

class RankKinds : public testing::TestWithParam<DeviceKind> {
 protected:
  using Options = std::function<void(RunOptions&)>;

  void SetUp() override { SHOAL_SKIP_WITHOUT(GetParam()); }

  Queue queue() const { return GetParam() == DeviceKind::cpu ? Queue::cpu(1) : Queue::cuda(0); }

  /// Runs a case on `count` ranks into a subfolder. Returns the messages of the errors of all ranks, and "no error".
  std::vector<std::string> run_on(
      int count, const std::string& text, const std::string& name, const Options& change = [](RunOptions&) {}) {
    write_text(folder / "case.toml", text);
    std::vector<std::string> messages(static_cast<std::size_t>(count));
    summaries.assign(messages.size(), "");
    run_on_ranks(count, [&](const Communicator& ranks) {
      const auto number = static_cast<std::size_t>(ranks.rank());
      messages[number] = message_of([&] {
        const Queue device = queue();
        const auto run = prepare_run(device, {folder / "case.toml"}, {folder / name}, ranks);
        RunOptions options{.ranks = ranks, .folder = folder / name, .device = "a device"};
        change(options);
        summaries[number] = run->run(options).summary;
      });
    });
    return messages;
  }

  /// Expects the bytes of one rank, without printing whole files.
  void expect_same_files(const std::string& name, const std::vector<const char*>& files) const {
    for (const char* file : files) {
      const std::string one = read_text(folder / "one" / file), several = read_text(folder / name / file);
      const auto difference = std::mismatch(one.begin(), one.end(), several.begin(), several.end()).first;
      EXPECT_TRUE(one == several) << name << " " << file << ": " << several.size() << " bytes, expected " << one.size()
                                  << "; the first difference is at byte " << difference - one.begin();
    }
    EXPECT_FALSE(std::filesystem::exists(folder / name / ".lock"));
  }

  /// A case for the device: `serial` is a method of the CPU.
  std::string with_method(const std::string& text) const {
    return GetParam() == DeviceKind::cpu ? text : replaced(text, "method = \"serial\"", "method = \"auto\"");
  }

  ScratchFolder folder;
  std::vector<std::string> summaries;
};
INSTANTIATE_TEST_SUITE_P(Devices, RankKinds, testing::Values(DeviceKind::cpu, DeviceKind::cuda),
                         [](const auto& kind) { return device_word(kind.param); });

TEST_P(RankKinds, WallDistanceWritesTheFilesOfOneRank) {
  std::vector<const char*> files = {"distance.vtkhdf", "case.toml"};
  if (GetParam() == DeviceKind::cpu) files.push_back("distances.csv");  // certificates on CUDA depend on warps
  EXPECT_THAT(run_on(1, passing_body, "one"), Each("no error"));
  for (const int count : {2, 3, 4}) {
    const std::string name = std::to_string(count);
    EXPECT_THAT(run_on(count, passing_body, name), Each("no error"));
    expect_same_files(name, files);
    for (const std::string& summary : summaries) EXPECT_THAT(summary, HasSubstr("5 states, 48 points"));
    EXPECT_EQ(summaries[1].substr(summaries[1].find("  distance  ")),
              summaries[0].substr(summaries[0].find("  distance  ")));
  }
}

TEST_P(RankKinds, WallDistanceHasPointsInSpaceAndRanksWithoutPoints) {
  write_text(folder / "cube.x", cube_nodes);
  const std::vector<const char*> files = {"distance.vtkhdf", "distances.csv", "inputs/cube.x"};
  EXPECT_THAT(run_on(1, cube, "one"), Each("no error"));
  EXPECT_THAT(run_on(3, cube, "three"), Each("no error"));
  expect_same_files("three", files);
  const std::string one_cell = replaced(cube, "points = \"nodes\"\n", "");
  std::filesystem::remove_all(folder / "one");
  EXPECT_THAT(run_on(1, one_cell, "one"), Each("no error"));
  EXPECT_THAT(run_on(3, one_cell, "three_for_a_cell"), Each("no error"));
  expect_same_files("three_for_a_cell", files);
}

TEST_P(RankKinds, ABadPointOfOneRankIsTheSameErrorOnAllRanks) {
  write_text(folder / "cube.x", replaced(cube_nodes, "1 1 1 2", "1 1 1 2e100"));
  EXPECT_THAT(run_on(1, cube, "one"), Each(StartsWith("wall_distance: point 7 has a bad z coordinate")));
  EXPECT_THAT(run_on(2, cube, "two"), Each(AllOf(StartsWith("wall_distance: point 3 has a bad z coordinate"),
                                                 HasSubstr("(rank 1 of 2 on this machine)"))));
}

TEST_P(RankKinds, ErrorsOfFilesAreThrownOnAllRanks) {
  for (const char* text : {passing_body, beams}) {
    const std::string folder_name = text == beams ? "gas" : "walls";
    EXPECT_THAT(run_on(3, std::string(text) + "size = 1\n", folder_name), Each(HasSubstr("unknown key `")));
    EXPECT_FALSE(std::filesystem::exists(folder / folder_name));
    write_text(folder / "taken", "");
    EXPECT_THAT(run_on(3, text, "taken"), Each(HasSubstr("taken")));
    EXPECT_THAT(run_on(3, text, folder_name), Each("no error"));
    EXPECT_THAT(run_on(3, text, folder_name), Each(HasSubstr("the option `force`")));
    const auto into_another = [&](RunOptions& options) { options.folder = folder / "none"; };
    EXPECT_THAT(run_on(3, text, folder_name + "_moved", into_another),
                Each(HasSubstr("none: cannot write into this folder")));
  }
}

TEST_P(RankKinds, RelaxationWritesTheFilesOfOneRank) {
  for (const std::string& text :
       {std::string(beams), replaced(beams, "[run]\n", "[run]\nprecision = \"float\"\n"),
        with_method(replaced(beams, "stencil = \"two_pair\"\nsymmetrized = false\n",
                             "approach = \"spectral\"\nmethod = \"serial\"\nradii = 4\nnegative = \"accept\"\n"))}) {
    EXPECT_THAT(run_on(1, text, "one"), Each("no error"));
    for (const int count : {2, 3, 4}) {
      const std::string name = std::to_string(count);
      EXPECT_THAT(run_on(count, text, name), Each("no error"));
      expect_same_files(name, {"moments.csv", "distribution.npy", "case.toml"});
      for (const std::string& summary : summaries) EXPECT_THAT(summary, HasSubstr("5 rows, 512 nodes"));
      std::filesystem::remove_all(folder / name);
    }
    std::filesystem::remove_all(folder / "one");
  }
}

TEST_P(RankKinds, RankZeroInterruptsRelaxation) {
  int queries = 0;
  const auto interrupted = [&](RunOptions& options) {
    options.interrupted = [&, rank = options.ranks.rank()] {
      EXPECT_EQ(rank, 0);
      return ++queries == 2;
    };
  };
  EXPECT_THAT(run_on(1, beams, "one", interrupted), Each("no error"));
  queries = 0;
  EXPECT_THAT(run_on(3, beams, "three", interrupted), Each("no error"));
  expect_same_files("three", {"moments.csv", "distribution.npy"});
  for (const std::string& summary : summaries) EXPECT_THAT(summary, HasSubstr("interrupted at t = "));
}

TEST_P(RankKinds, AnUnstableRelaxationIsTheErrorOfOneRankOnAllRanks) {
  const std::string unstable = with_method(unstable_beams);
  const std::string message = run_on(1, unstable, "same")[0];
  EXPECT_THAT(message, AllOf(StartsWith("collision: f is negative at node "), HasSubstr("moments.csv")));
  std::filesystem::remove_all(folder / "same");
  EXPECT_THAT(run_on(3, unstable, "same"), Each(message));
  const std::string bad = replaced(unstable_beams, "method = \"serial\"", "method = \"magic\"");
  EXPECT_THAT(run_on(3, bad, "bad"), Each(run_on(1, bad, "bad")[0]));
}

TEST_P(RankKinds, RelaxationByAMethodWithoutAnOrderOfSumsIsTheSameErrorOnAllRanks) {
  if (GetParam() == DeviceKind::cpu) GTEST_SKIP() << "all methods of the CPU are deterministic";
  const std::string atomic = replaced(beams, "symmetrized = false\n", "symmetrized = false\nmethod = \"atomic\"\n");
  EXPECT_THAT(run_on(2, atomic, "two"), Each(HasSubstr("collision: method atomic adds in another order on every run")));
  EXPECT_FALSE(std::filesystem::exists(folder / "two"));
}

}  // namespace
}  // namespace shoal::io
