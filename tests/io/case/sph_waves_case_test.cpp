// SPDX-License-Identifier: Apache-2.0
// Sections [[motion]], [[rigid_body]], [[wavemaker]] and [[damping]], and motions from files.
#include <gmock/gmock.h>
#include <shoal/io/case_file.hpp>
#include <shoal/io/wall_motion.hpp>

#include "io/case/dam_break_case.hpp"
#include "io/run/folder/stored_inputs.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::HasSubstr;

const std::string moving = std::string(dam_break) + R"(
[[motion]]
wall = "tank"
kind = "oscillation"
amplitude = [0.1, 0]
frequency = 2
start = 0.5
ramp = 3

[[motion]]
wall = "tank"
kind = "rotation"
angular_velocity = 5
about = [1, 0]

[[wavemaker]]
wall = "tank"
paddle = "flap"
depth = 1
period = 2
height = 0.1
phase = 20
hinge = [0, -0.1]

[[wavemaker]]
wall = "tank"
waves = "irregular"
depth = 1
period = 2
height = 0.1
spectrum = "jonswap"
peak_enhancement = 2
frequencies = [0.6, 2.5]
components = 50
seed = 7
ramp = 0
direction = [-1, 0]

[[wavemaker]]
wall = "tank"
waves = "focused"
depth = 1
period = 2
crest = 0.1
focus_time = 9
focus_length = 3
spectrum = "pierson_moskowitz"

[[damping]]
box = { from = [3, 0], to = [5.38, 1.6] }
toward = "left"
rate = 6
)";

TEST(RigidBodySection, IsReadAndWritten) {
  const std::string floating = std::string(dam_break) + R"(
[[rigid_body]]
wall = "tank"
mass = 12.5
velocity = [0, -1]
angular_velocity = [0, 0, 90]
locked_shifts = ["x"]
locked_turns = ["x", "y"]
)";
  const sph::Case c = parse_case(floating, "case.toml");
  ASSERT_EQ(c.rigid_bodies.size(), 1u);
  const sph::RigidBody& body = c.rigid_bodies[0];
  EXPECT_EQ(body.wall, "tank");
  EXPECT_EQ(body.mass, 12.5);
  EXPECT_EQ(body.velocity, (sph::Vector{0, -1, 0}));
  EXPECT_EQ(body.angular_velocity, (sph::Vector{0, 0, 90}));
  EXPECT_EQ(body.locked_shifts, std::vector{sph::Axis::x});
  EXPECT_EQ(body.locked_turns, (std::vector{sph::Axis::x, sph::Axis::y}));
  EXPECT_EQ(case_text(parse_case(case_text(c), "again.toml")), case_text(c));
}

TEST(RigidBodySection, NeedsAWallAndAMass) {
  const std::string head = std::string(dam_break) + "[[rigid_body]]\n";
  EXPECT_THAT(message_of([&] { parse_case(head + "wall = \"tank\"\n", "case.toml"); }), HasSubstr("rigid_body.0.mass"));
  EXPECT_THAT(message_of([&] { parse_case(head + "mass = 1\n", "case.toml"); }), HasSubstr("rigid_body.0.wall"));
  EXPECT_THAT(message_of([&] { parse_case(head + "wall = \"tank\"\nmass = 0\n", "case.toml"); }), HasSubstr("mass"));
}

TEST(WaveCase, EverySectionIsReadAndWrittenBack) {
  const sph::Case c = parse(moving);
  ASSERT_EQ(c.motions.size(), 2u);
  EXPECT_EQ(c.motions[0].wall, "tank");
  EXPECT_EQ(c.motions[0].motion.kind, MotionKind::oscillation);
  EXPECT_EQ(c.motions[0].motion.start, 0.5);
  EXPECT_EQ(c.motions[0].motion.ramp, 3);
  EXPECT_EQ(c.motions[1].motion.angular_velocity, 5);
  EXPECT_FALSE(c.motions[1].motion.start.has_value());
  ASSERT_EQ(c.wavemakers.size(), 3u);
  EXPECT_EQ(c.wavemakers[0].paddle, sph::Paddle::flap);
  EXPECT_EQ(c.wavemakers[0].phase, 20);
  EXPECT_EQ(c.wavemakers[0].hinge, (sph::Vector{0, -0.1, 0}));
  EXPECT_FALSE(c.wavemakers[0].ramp.has_value());
  EXPECT_EQ(c.wavemakers[1].waves, sph::Waves::irregular);
  EXPECT_EQ(c.wavemakers[1].peak_enhancement, 2);
  EXPECT_EQ(c.wavemakers[1].frequencies, (std::array{0.6, 2.5}));
  EXPECT_EQ(c.wavemakers[1].components, 50);
  EXPECT_EQ(c.wavemakers[1].seed, 7);
  EXPECT_EQ(c.wavemakers[1].ramp, 0);
  EXPECT_EQ(c.wavemakers[1].direction, (sph::Vector{-1, 0, 0}));
  EXPECT_EQ(c.wavemakers[2].waves, sph::Waves::focused);
  EXPECT_EQ(c.wavemakers[2].crest, 0.1);
  EXPECT_EQ(c.wavemakers[2].focus_time, 9);
  EXPECT_EQ(c.wavemakers[2].focus_length, 3);
  EXPECT_EQ(c.wavemakers[2].spectrum, sph::Spectrum::pierson_moskowitz);
  ASSERT_EQ(c.damping.size(), 1u);
  EXPECT_EQ(c.damping[0].box.from, (sph::Vector{3, 0, 0}));
  EXPECT_EQ(c.damping[0].toward, sph::Side::left);
  EXPECT_EQ(c.damping[0].rate, 6);
  EXPECT_EQ(parse(c.text).text, c.text);
}

TEST(WaveCase, AnAbsorptionGaugeIsReadAndWrittenBack) {
  const std::string absorbing = std::string(dam_break) + R"(
[[wavemaker]]
wall = "tank"
depth = 1
period = 2
height = 0
absorption_gauge = [5.6, 0.5]
)";
  const sph::Case c = parse(absorbing);
  ASSERT_EQ(c.wavemakers.size(), 1u);
  EXPECT_EQ(c.wavemakers[0].absorption_gauge, (sph::Vector{5.6, 0.5, 0}));
  EXPECT_EQ(c.wavemakers[0].height, 0);
  EXPECT_EQ(parse(c.text).text, c.text);
  EXPECT_FALSE(parse(moving).wavemakers[0].absorption_gauge.has_value());
  EXPECT_THAT(message(replaced(absorbing, "absorption_gauge = [5.6, 0.5]\n", "")),
              HasSubstr("wavemaker.height = 0 m, expected a positive number."));
}

TEST(WaveCase, KeysThatDoNotApplyOrAreMissingAreErrors) {
  const auto message_with = [](const std::string& before, const std::string& after) {
    return message(replaced(moving, before, after));
  };
  EXPECT_THAT(message_with("height = 0.1\nphase", "phase"), HasSubstr("missing key `wavemaker.0.height`"));
  EXPECT_THAT(message_with("hinge = [0, -0.1]\n", ""), HasSubstr("missing key `wavemaker.0.hinge`"));
  EXPECT_THAT(message_with("phase = 20", "seed = 20"), HasSubstr("`wavemaker.0.seed` counts only with"));
  EXPECT_THAT(message_with("crest = 0.1", "height = 0.1"), HasSubstr("`wavemaker.2.height` counts only with"));
  EXPECT_THAT(
      message_with("spectrum = \"pierson_moskowitz\"", "spectrum = \"pierson_moskowitz\"\npeak_enhancement = 2"),
      HasSubstr("counts only with `wavemaker.2.spectrum` = \"jonswap\""));
  EXPECT_THAT(message_with("paddle = \"flap\"", "paddle = \"flaps\""), HasSubstr("\"flap\""));
  EXPECT_THAT(message_with("kind = \"rotation\"\n", ""), HasSubstr("missing key `motion.1.kind`"));
  EXPECT_THAT(message_with("angular_velocity = 5", "velocity = [1, 0]"),
              HasSubstr("`motion.1.velocity` counts only with `motion.1.kind` = \"translation\""));
  EXPECT_THAT(message_with("rate = 6", "rate = 0"), HasSubstr("`damping.0.rate`"));
  EXPECT_THAT(message_with("wall = \"tank\"\nkind = \"rotation\"", "wall = \"bank\"\nkind = \"rotation\""),
              HasSubstr("motion.wall = \"bank\", expected the name of a wall: tank."));
}

class MotionFile : public testing::Test {
 protected:
  void write(const std::string& content) const { write_text(folder / "paddle.csv", content); }
  /// Case with a [[motion]] from the file, whose other keys are `keys`.
  sph::Case read(const std::string& keys) const {
    write_text(folder / "case.toml",
               std::string(dam_break) + "[[motion]]\nwall = \"tank\"\nkind = \"file\"\nfile = \"paddle.csv\"\n" + keys);
    return read_case(folder / "case.toml");
  }
  std::string fault(const std::string& content) const {
    write(content);
    return message_of([&] { read("columns = [\"x\"]"); });
  }
  ScratchFolder folder;
};

TEST_F(MotionFile, ColumnsBecomeDisplacementAndAngle) {
  write("time [s],angle,y,x\n0,0,0,0\n1,10,0.2,0.5\n2,0,0,0\n");
  const sph::Case c = read("columns = [\"x\", \"angle\"]\ninterpolation = \"monotone\"\nabout = [1, 0]");
  const Motion& motion = c.motions[0].motion;
  ASSERT_NE(motion.path, nullptr);
  ASSERT_EQ(motion.path->knots().size(), 3u);
  EXPECT_EQ(motion.path->knots()[1].time, 1);
  EXPECT_EQ(motion.path->knots()[1].value[0], 0.5);
  EXPECT_EQ(motion.path->knots()[1].value[1], 0) << "y is not asked for";
  EXPECT_EQ(motion.path->knots()[1].value[3], 10);
  EXPECT_EQ(motion.path->knots()[1].slope[0], 0) << "monotone, and a turning point";
  EXPECT_EQ(motion.file, (folder / "paddle.csv").string());
  EXPECT_EQ(parse(c.text).text, c.text);
}

TEST_F(MotionFile, TheOutputFolderKeepsACopy) {
  write("time,x\n0,0\n1,0.5\n");
  sph::Case c = read("columns = [\"x\"]");
  EXPECT_THAT(input_files(c), testing::ElementsAre(folder / "paddle.csv"));
  store_inputs(folder / "out", c);
  EXPECT_EQ(c.motions[0].motion.file, "inputs/paddle.csv");
  EXPECT_EQ(read_text(folder / "out/inputs/paddle.csv"), "time,x\n0,0\n1,0.5\n");
  sph::Case again = read("columns = [\"x\"]");
  use_stored_inputs(folder / "out", again);
  EXPECT_EQ(again.text, c.text);
}

TEST_F(MotionFile, BadFilesAreNamed) {
  EXPECT_THAT(message_of([&] { read("columns = [\"x\"]"); }), HasSubstr("paddle.csv"));
  EXPECT_THAT(fault("t,x\n0,0\n1,1\n"), HasSubstr("time"));
  EXPECT_THAT(fault("time,y\n0,0\n1,1\n"), HasSubstr("x"));
  EXPECT_THAT(fault("time,x\n0,0\n0,1\n"),
              HasSubstr("paddle.csv: motion: row 1 of the path has the time 0 s after 0 s"));
  EXPECT_THAT(fault("time,x\n0,0\n"), HasSubstr("paddle.csv: motion: the path has 1 rows, expected two or more."));
  EXPECT_THAT(fault("time,x\n0,0\n1,nan\n"), HasSubstr("row 1 of the path"));
  EXPECT_THAT(fault("time,x\n0,0\n1,one\n"), HasSubstr("paddle.csv:3"));
  write("time,x\n0,0\n1,1\n");
  EXPECT_THAT(message_of([&] { read("columns = [\"w\"]"); }),
              HasSubstr("`columns` of the motion has \"w\", expected some of x, y, z, angle."));
  EXPECT_THAT(message_of([&] { read("columns = []"); }), HasSubstr("`columns` of the motion is empty"));
  EXPECT_THAT(message_of([&] { read(""); }), HasSubstr("missing key `motion.0.columns`"));
}

TEST_F(MotionFile, BodiesOfWallDistanceCasesMoveByFilesToo) {
  write("time,y\n0,0\n1,0.5\n");
  write_text(folder / "case.toml", R"(kind = "wall_distance"
run = { duration = 1, step = 0.5 }
mesh = { source = "o_grid", around = "circle", points_around = 33, points_out = 9 }
[[body]]
name = "store"
shape = "round"
center = [3, 0]
radius = 0.2
motion = "file"
file = "paddle.csv"
columns = ["y"]
)");
  wall_motion::Case c = wall_motion::read_case(folder / "case.toml");
  EXPECT_NEAR(c.bodies[0].motion.at(0.5).translation[1], 0.25, 1e-15);
  EXPECT_THAT(input_files(c), testing::ElementsAre(folder / "paddle.csv"));
  store_inputs(folder / "out", c);
  EXPECT_EQ(c.bodies[0].motion.file, "inputs/paddle.csv");
  EXPECT_TRUE(std::filesystem::exists(folder / "out/inputs/paddle.csv"));
}

}  // namespace
}  // namespace shoal::io
