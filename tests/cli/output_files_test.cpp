// SPDX-License-Identifier: Apache-2.0
// Outputs never replace inputs, and no other file without --force.
#include "support/command_line.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::Not;

constexpr const char* drop = R"(kind = "sph"
[run]
duration = 0.01
[particles]
spacing = 0.25
[[body]]
material = "water"
particles = { file = "PARTICLES" }
[material.water]
density = 1000
sound_speed = 20
[[probe]]
kind = "surge_front"
)";

constexpr const char* four_points = "x,y,mass\n0,0,1\n0.25,0,1\n0,0.25,1\n0.25,0.25,1\n";

struct OutputFiles : CommandLineTest {
  std::string points = write("points.csv", four_points);
  std::string case_file = write_case(points);

  /// Writes a case whose particles are those of a file.
  std::string write_case(const std::string& particles) const {
    std::string content = drop;
    content.replace(content.find("PARTICLES"), 9, particles);
    return write("drop.toml", content);
  }
  Result run(const std::string& options) const {
    return run_shoal("run " + case_file + " --device cpu --threads 1 --quiet --out " + out + " " + options);
  }
  /// Expects that a command refuses to replace a file, which stays as it is.
  void expect_kept(const std::string& file, const std::string& command, const std::string& message) const {
    const std::string before = read_text(file);
    EXPECT_THAT(run_shoal(command), Refuses(message)) << command;
    EXPECT_EQ(read_text(file), before) << command;
  }
};

TEST_F(OutputFiles, ALinkToAnInputIsThatInput) {
  std::filesystem::create_symlink(points, folder / "list.h5");
  std::filesystem::create_hard_link(points, folder / "image.vtkhdf");
  for (const char* force : {"", " --force"}) {
    expect_kept(points, "neighbors " + points + " --radius 1 --out " + path("list.h5") + force,
                "points.csv: the output would replace this file, which is read to make it");
    expect_kept(points, "deposit " + points + " --grid 1,1 --values mass --out " + path("image.vtkhdf") + force,
                "points.csv: the output would replace this file");
  }
  write("other.csv", four_points);
  expect_kept(
      points,
      "neighbors " + path("other.csv") + " --sources " + points + " --radius 1 --force --out " + path("list.h5"),
      "points.csv: the output would replace this file");
}

TEST_F(OutputFiles, AMeshIsNotReplacedByItsDistances) {
  const std::string square = write("square.su2",
                                   "NDIME= 2\nNELEM= 1\n9 0 1 2 3 0\nNPOIN= 4\n0 0 0\n1 0 1\n1 1 2\n0 1 3\nNMARK= 1\n"
                                   "MARKER_TAG= floor\nMARKER_ELEMS= 1\n3 0 1\n");
  const std::string mesh = path("distance.vtu");
  ASSERT_THAT(run_shoal("wall_distance " + square + " --wall floor --out " + mesh), Succeeds());
  expect_kept(mesh, "wall_distance " + square + " --wall floor --out " + mesh, "this file exists");
  expect_kept(mesh, "wall_distance " + mesh + " --points nodes --force --out " + mesh, "the output would replace");
  EXPECT_THAT(run_shoal("wall_distance " + square + " --wall floor --force --out " + mesh), Succeeds());
}

TEST_F(OutputFiles, AnExistingFileNeedsForce) {
  write("list.npz", "mine");
  write("image.vtkhdf", "mine");
  const std::string find = "neighbors " + points + " --radius 1 --out " + path("list.npz");
  const std::string deposit = "deposit " + points + " --grid 1,1 --values mass --out " + path("image.vtkhdf");
  expect_kept(path("list.npz"), find, "list.npz: this file exists. Choose another one, or replace it");
  expect_kept(path("image.vtkhdf"), deposit, "image.vtkhdf: this file exists");
  EXPECT_THAT(run_shoal(find + " --force"), Succeeds());
  EXPECT_THAT(run_shoal(deposit + " --force"), Succeeds());
  EXPECT_THAT(run_shoal("neighbors " + points + " --radius 1 --force"), Refuses("--force requires --out"));
}

TEST_F(OutputFiles, ARunDoesNotReplaceTheFilesOfItsCase) {
  std::filesystem::create_directories(out + "/fields");
  for (const std::string& name : std::vector<std::string>{"balance.csv", "surge_front.csv", "fields/state.csv"})
    write_text(out + "/" + name, four_points);
  for (const std::string& name : std::vector<std::string>{"balance.csv", "surge_front.csv"}) {
    write_case(out + "/" + name);
    expect_kept(out + "/" + name, "run " + case_file + " --device cpu --force --out " + out,
                name + ": the output would replace this file");
  }
  write_case(out + "/fields/state.csv");
  EXPECT_THAT(run("--force"), Succeeds()) << "a file that the run does not write";
}

TEST_F(OutputFiles, ADistributionIsNotReplacedByThatOfItsRun) {
  const std::string start = "run " + std::string(SHOAL_CASES) +
                            "/two_beams/case.toml --device cpu --quiet --set grid.nodes=8 --set run.duration=0.5 --set "
                            "collision.degree=5 --set collision.symmetrized=false --out " +
                            out;
  ASSERT_THAT(run_shoal(start), Succeeds());
  expect_kept(out + "/distribution.npy",
              start + " --force --set initial.distribution=file --set initial.file='\"" + out + "/distribution.npy\"'",
              "distribution.npy: the output would replace this file");
}

TEST_F(OutputFiles, ALogIsAFileOfItsOwn) {
  const std::string start = "run " + case_file + " --device cpu --quiet --out " + out + " --force --json-log ";
  ASSERT_THAT(run(""), Succeeds());
  expect_kept(case_file, start + case_file, "drop.toml: the run reads or writes this file");
  expect_kept(points, start + points, "points.csv: the run reads or writes this file");
  for (const std::string& name :
       std::vector<std::string>{"balance.csv", "surge_front.csv", "restart.h5", "case.toml"}) {
    const std::string file = out + "/../out/" + name;
    expect_kept(file, start + file, name + ": the run reads or writes this file");
    expect_kept(file, "resume " + out + " --until 0.02 --device cpu --json-log " + file,
                name + ": the run reads or writes this file");
  }
  std::filesystem::remove_all(out);
  EXPECT_THAT(run("--json-log " + out + "/balance.csv"), Refuses("the run reads or writes this file"))
      << "not there yet";
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(OutputFiles, AnExistingLogIsReplacedByForceAndContinuedByResume) {
  const std::string log = write("log.jsonl", "mine");
  EXPECT_THAT(run("--json-log " + log), Refuses("log.jsonl: this file exists"));
  EXPECT_EQ(read_text(log), "mine");
  ASSERT_THAT(run("--force --json-log " + log), Succeeds());
  const std::string first = read_text(log);
  EXPECT_THAT(first, Not(HasSubstr("mine")));
  EXPECT_THAT(run_shoal("resume " + out + " --until 0.02 --device cpu --quiet --json-log " + log), Succeeds());
  EXPECT_EQ(read_text(log).substr(0, first.size()), first);
  EXPECT_GT(read_text(log).size(), first.size());
}

}  // namespace
}  // namespace shoal
