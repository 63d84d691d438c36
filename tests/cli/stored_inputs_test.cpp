// SPDX-License-Identifier: Apache-2.0
// Output folders hold copies of the files that their case reads, so that they can be moved, resumed and run again.
#include "support/command_line.hpp"

namespace shoal::testing_support {
namespace {

/// STL text of the unit square of the x-z plane, extruded to a box of height 1, in millimeters.
std::string box_stl() {
  constexpr int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  std::string stl = "solid box\n";
  for (const auto& face : faces) {
    stl += "facet normal 0 0 0\nouter loop\n";
    for (const int corner : face)
      stl += "vertex " + std::to_string(100 * (corner & 1)) + " " + std::to_string(100 * (corner >> 1 & 1)) + " " +
             std::to_string(100 * (corner >> 2)) + "\n";
    stl += "endloop\nendfacet\n";
  }
  return stl + "endsolid box\n";
}

class StoredInputs : public testing::Test {
 protected:
  StoredInputs() {
    write_text(folder / "box.stl", box_stl());
    write_text(folder / "case.toml", R"(
kind = "sph"
[run]
duration = 0.002
output_every = 0.001
[particles]
dimensions = 3
spacing = 0.02
[[body]]
material = "water"
surface = { file = "box.stl", scale = 0.001 }
[material.water]
density = 1000
sound_speed = 20
[scheme]
time_step = "fixed"
dt = 0.0005
)");
  }
  Result run(const std::string& arguments) const {
    return shell("cd " + folder.path().string() + " && " SHOAL_EXECUTABLE " " + arguments +
                 " --device cpu --threads 1");
  }

  ScratchFolder folder;
};

TEST_F(StoredInputs, AFolderThatWasMovedIsResumedWithoutTheOriginalFiles) {
  ASSERT_THAT(run("run case.toml --out out"), Succeeds());
  EXPECT_EQ(read_text(folder / "out/inputs/box.stl"), box_stl());
  EXPECT_THAT(read_text(folder / "out/case.toml"), testing::HasSubstr("inputs/box.stl"));
  std::filesystem::remove(folder / "box.stl");
  std::filesystem::rename(folder / "out", folder / "moved");
  EXPECT_THAT(run("resume moved --until 0.003"), Succeeds());
  std::filesystem::rename(folder / "moved", folder / "archived");
  EXPECT_THAT(run("resume archived --until 0.004"), Succeeds());
  EXPECT_THAT(run("run archived/case.toml --out again"), Succeeds());
  EXPECT_EQ(read_text(folder / "again/inputs/box.stl"), box_stl());
}

TEST_F(StoredInputs, TheCaseThatWasRunIsStillThatOfTheRestart) {
  ASSERT_THAT(run("run case.toml --out out"), Succeeds());
  EXPECT_THAT(run("resume out --case case.toml --until 0.003"), Succeeds());
  write_text(folder / "box.stl", box_stl() + "\n");
  EXPECT_THAT(run("resume out --case case.toml --until 0.004"), Refuses("box.stl"));
}

TEST_F(StoredInputs, TheEndOfAResumedRunIsATime) {
  ASSERT_THAT(run("run case.toml --out out"), Succeeds());
  for (const char* end : {"nan", "0", "-1"})
    EXPECT_THAT(run("resume out --until " + std::string(end)),
                Refuses("the end of the run (until) is " + std::string(end) + " s, expected a finite number above 0."));
}

TEST_F(StoredInputs, ARunDoesNotReplaceItsOwnCaseFile) {
  std::filesystem::create_directory(folder / "out");
  std::filesystem::copy_file(folder / "case.toml", folder / "out/case.toml");
  std::filesystem::copy_file(folder / "box.stl", folder / "out/box.stl");
  EXPECT_THAT(run("run out/case.toml --out out --force"), Refuses("out/case.toml: the output would replace this file"));
  EXPECT_EQ(read_text(folder / "out/case.toml"), read_text(folder / "case.toml"));
}

}  // namespace
}  // namespace shoal::testing_support
