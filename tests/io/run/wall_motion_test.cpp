// SPDX-License-Identifier: Apache-2.0
// Cases of kind = "wall_distance": their keys, and the equality of each state of a run with a new search.
#include <gmock/gmock.h>
#include <shoal/io/wall_motion.hpp>

#include <algorithm>
#include <cmath>

#include "support/devices.hpp"
#include "support/hdf5_values.hpp"
#include "support/messages.hpp"
#include "support/replaced.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io::wall_motion {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* two_bodies = R"(kind = "wall_distance"
title = "Both move"
[run]
duration = 1.0
step = 0.05
output_every = 0.25
[mesh]
source = "o_grid"
around = "naca0012"
points_around = 33
points_out = 17
[[body]]
name = "wing"
walls = ["airfoil"]
motion = "pitch"
about = [0.25, 0]
angle_amplitude = 20
frequency = 0.5
[[body]]
name = "store"
shape = "round"
center = [-1, -0.5]
radius = 0.2
faces = 40
motion = "translation"
velocity = [2, 0]
)";

/// Text of `two_bodies` with the first `before` replaced by `after`.
std::string changed(const std::string& before, const std::string& after) { return replaced(two_bodies, before, after); }

std::string message(const std::string& text) {
  return message_of([&] { make_scene(parse_case(text, "case.toml")); });
}

TEST(WallMotionCase, ReadsAndWritesAllItSays) {
  const Case read = parse_case(two_bodies, "case.toml");
  EXPECT_EQ(read.title, "Both move");
  EXPECT_EQ(read.output_every, 0.25);
  EXPECT_EQ(read.mesh.around, Around::naca0012);
  ASSERT_EQ(read.bodies.size(), 2u);
  EXPECT_THAT(read.bodies[0].walls, ElementsAre("airfoil"));
  EXPECT_EQ(read.bodies[1].motion.velocity, (Vector{2, 0, 0}));
  EXPECT_EQ(parse_case(read.text, "again").text, read.text) << "the resolved case is a case";
  EXPECT_THAT(read.text, HasSubstr("angle_amplitude = 20  # degrees"));
  EXPECT_EQ(update_count(read), 21);
  EXPECT_EQ(parse_case(two_bodies, "case.toml", {"body.1.radius=0.5"}).bodies[1].radius, 0.5);
}

TEST(WallMotionCase, PointsHaveAsManyNumbersAsTheCaseHasDimensions) {
  const Case read = parse_case(R"(kind = "wall_distance"
dimensions = 3
[run]
duration = 1
step = 1
[mesh]
file = "wing.stl"
[[body]]
name = "ball"
shape = "round"
center = [1, 2, 3]
radius = 1
)",
                               "folder/case.toml");
  EXPECT_EQ(read.bodies[0].center, (Vector{1, 2, 3}));
  EXPECT_TRUE(read.mesh.file.is_absolute());
  EXPECT_THAT(read.mesh.file.string(), testing::EndsWith("/folder/wing.stl")) << "beside the case file";
}

TEST(WallMotionCase, MistakesHaveTheirPlace) {
  EXPECT_THAT(message(changed("angle_amplitude", "angle_amplitud")),
              StartsWith("case.toml:17: unknown key `body.0.angle_amplitud`; did you mean `body.0.angle_amplitude`?"));
  EXPECT_THAT(message(changed("step = 0.05", "step = -1")),
              StartsWith("case.toml:5: `run.step` = -1 s, expected a number above 0"));
  EXPECT_THAT(message(changed("step = 0.05", "step = 2")), StartsWith("case.toml: run.step = 2 s, expected at most"));
  EXPECT_THAT(message(changed("output_every = 0.25", "output_every = 0.01")),
              StartsWith("case.toml: run.output_every = 0.01 s, expected at least run.step = 0.05 s"));
  EXPECT_THAT(message(changed("radius = 0.2\n", "")), StartsWith("case.toml:19: missing key `body.1.radius`"));
  EXPECT_THAT(message(changed("velocity = [2, 0]", "angle_amplitude = 1\nvelocity = [2, 0]")),
              StartsWith("case.toml:26: `body.1.angle_amplitude` counts only with `body.1.motion` = \"pitch\""));
  EXPECT_THAT(message(changed("angle_amplitude", "amplitude")),
              testing::EndsWith("The amplitude of an angle is `angle_amplitude`."));
  EXPECT_THAT(message(changed("angle_amplitude = 20", "mean = 20")),
              StartsWith("case.toml:17: `body.0.mean` is called `body.0.mean_angle` now."));
  EXPECT_THAT(
      message(changed("\"pitch\"", "\"roll\"")),
      StartsWith("case.toml:15: `body.0.motion` = \"roll\" is an unknown name; expected one of none, translation"));
  EXPECT_THAT(message(changed("[\"airfoil\"]", "[\"fin\"]")),
              StartsWith("case.toml:13: wall_distance: no wall \"fin\"; the mesh has airfoil, store."));
  EXPECT_THAT(message(changed("[\"airfoil\"]", "\"airfoil\"")),
              StartsWith("case.toml:14: `body.0.walls` is \"airfoil\", expected a list of text."));
  EXPECT_THAT(message(changed("\"store\"", "\"airfoil\"")), HasSubstr("has the name of a wall of the mesh"));
  EXPECT_THAT(message(changed("[\"airfoil\"]", "[\"store\"]")),
              StartsWith("case.toml:20: wall \"store\" belongs to another body already."));
  EXPECT_THAT(message(changed("points_around = 33", "points_around = 32")),
              StartsWith("case.toml:7: `mesh.points_around` = 32, expected an odd number"));
  EXPECT_THAT(message(changed("frequency = 0.5", "frequency = 0.5\naxis = [1, 0, 0]")),
              StartsWith("case.toml:13: the axis of body \"wing\" leaves the plane"));
  EXPECT_THAT(message(changed("source = \"o_grid\"\naround = \"naca0012\"\npoints_around = 33\npoints_out = 17",
                              "file = \"none.su2\"")),
              HasSubstr("case.toml:7: "));
  EXPECT_THAT(message(changed("source = \"o_grid\"\naround = \"naca0012\"\npoints_around = 33\npoints_out = 17",
                              "file = \"case.foam\"")),
              HasSubstr("case.foam: this is a case of OpenFOAM, and a case takes a mesh in one file"));
  EXPECT_THAT(message(changed("\"wall_distance\"", "\"sph\"")),
              StartsWith("case.toml:1: `kind` = \"sph\", expected \"wall_distance\" here."));
  EXPECT_THAT(message(changed("\"wall_distance\"", "\"walls\"")),
              StartsWith("case.toml:1: `kind` = \"walls\" is an unknown name; expected one of sph, wall_distance"));
}

TEST(WallMotionCase, ReadsTheWallsOfAMeshFile) {
  ScratchFolder folder;
  write_text(folder / "square.x", "1\n2 2\n0 1 0 1\n0 0 1 1\n");
  write_text(folder / "case.toml", R"(kind = "wall_distance"
[run]
duration = 1
step = 1
[mesh]
file = "square.x"
index_walls = ["floor=1/:/1"]
)");
  const Scene scene = make_scene(read_case(folder / "case.toml"));
  EXPECT_THAT(scene.walls.wall_names, ElementsAre("floor"));
  EXPECT_EQ(scene.walls.face_count(), 1);
  EXPECT_EQ(scene.points.count(), 1);
}

struct WallMotionRun : testing::TestWithParam<DeviceKind> {
  void SetUp() override { SHOAL_SKIP_WITHOUT(GetParam()); }

  ScratchFolder folder;
  std::filesystem::path out = folder / "out";
  Case simulation = parse_case(two_bodies, "case.toml");

  Report run(RunOptions options = {}) const {
    prepare_output(out, false);
    options.folder = out;
    options.device = "a device";
    const Queue queue = queue_on(GetParam());
    const Scene scene = make_scene(simulation);
    WallDistance plan = open_plan(queue, simulation, scene);
    return wall_motion::run(queue, plan, simulation, scene, options);
  }
  template <class T>
  std::vector<T> values(const std::string& path) const {
    return read_dataset<T>(out / "distance.vtkhdf", "VTKHDF/" + path);
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, WallMotionRun, testing::Values(DeviceKind::cpu, DeviceKind::cuda),
                         [](const auto& kind) { return device_word(kind.param); });

TEST_P(WallMotionRun, EachStateIsThatOfANewSearch) {
  const Report report = run();
  EXPECT_EQ(report.updates, 21);
  EXPECT_EQ(report.states, 5);
  const auto times = values<double>("Steps/Values"), distance = values<double>("CellData/wall_distance");
  const auto face = values<std::int64_t>("CellData/nearest_face");
  const auto wall = values<std::int32_t>("CellData/wall"), body = values<std::int32_t>("CellData/body");
  EXPECT_THAT(times, ElementsAre(0, 0.25, 0.5, 0.75, 1));
  const Scene scene = make_scene(simulation);
  const auto cells = static_cast<std::size_t>(scene.points.count());
  ASSERT_EQ(cells, 32u * 16u);
  ASSERT_EQ(distance.size(), 5 * cells);
  const Queue queue = Queue::cpu(1);
  std::size_t told_apart = 0;
  for (std::size_t step = 0; step < times.size(); ++step) {
    WallDistance walls(queue, scene.walls, {.method = "serial", .bodies = scene.bodies});
    for (const Body& moving : simulation.bodies) walls.move(moving.name, moving.motion.at(times[step]));
    std::vector<double> expected(cells);
    std::vector<std::int64_t> expected_face(cells);
    walls.find(scene.points.x, scene.points.y, {.distance = expected, .face = expected_face});
    queue.wait();
    for (std::size_t i = 0; i < cells; ++i) {
      const std::size_t k = step * cells + i;
      ASSERT_EQ(distance[k], expected[i]) << "cell " << i << " at " << times[step];
      ASSERT_EQ(face[k], expected_face[i]);
      ASSERT_EQ(wall[k], expected_face[i] < 32 ? 0 : 1);
      ASSERT_EQ(body[k], wall[k]) << "the airfoil is the wing, and the circle the store";
      told_apart += body[k] == 1 ? 1 : 0;
    }
  }
  EXPECT_GT(told_apart, cells / 10);
  EXPECT_LT(told_apart, 4 * cells);
}

TEST_P(WallMotionRun, TheFileHasTheMeshOnceAndAStateAStep) {
  run();
  EXPECT_EQ(values<std::int64_t>("NumberOfCells"), std::vector<std::int64_t>{512});
  EXPECT_EQ(values<double>("Points").size(), 3u * 32u * 17u);
  EXPECT_THAT(values<std::int64_t>("Steps/CellDataOffsets/wall_distance"), ElementsAre(0, 512, 1024, 1536, 2048));
  for (const char* name : {"PartOffsets", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets"})
    EXPECT_THAT(values<std::int64_t>(std::string("Steps/") + name), ElementsAre(0, 0, 0, 0, 0)) << name;
  EXPECT_THAT(values<std::int64_t>("Steps/NumberOfParts"), ElementsAre(1, 1, 1, 1, 1));
  EXPECT_THAT(read_text(out / "distances.csv"), StartsWith("time [s],least distance [m],greatest distance [m],"));
  EXPECT_THAT(read_text(out / "summary.json"), HasSubstr("\"states\": 5"));
  EXPECT_EQ(read_text(out / "case.toml"), simulation.text);
}

TEST_P(WallMotionRun, AnInterruptLeavesWholeStates) {
  int queries = 0;
  RunOptions options;
  options.interrupted = [&] { return ++queries == 7; };  // after t = 0.3: two states
  const Report report = run(options);
  EXPECT_TRUE(report.interrupted);
  EXPECT_EQ(report.states, 2);
  EXPECT_EQ(values<double>("CellData/wall_distance").size(), 2u * 512u);
  EXPECT_THAT(summary_text(report), HasSubstr("interrupted at t = 0.3 s of 1 s"));
}

TEST_P(WallMotionRun, AFolderWithFilesIsRefused) {
  run();
  EXPECT_THAT(message_of([&] { run(); }), HasSubstr("the option `force`"));
  write_text(out / "mine.txt", "");
  prepare_output(out, true);
  EXPECT_TRUE(std::filesystem::exists(out / "mine.txt"));
  EXPECT_FALSE(std::filesystem::exists(out / "distance.vtkhdf"));
}

TEST_P(WallMotionRun, NodesHaveDistancesToo) {
  simulation = parse_case(two_bodies, "case.toml", {"mesh.points=nodes", "body=[]"});
  run();
  const auto distance = values<double>("PointData/wall_distance");
  ASSERT_EQ(distance.size(), 5u * 32u * 17u);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(distance[i], 0) << "on the wall";
  EXPECT_EQ(values<std::int32_t>("PointData/body").front(), -1);
}

/// Bounds in m that the README files of cases/passing_body and cases/pitching_airfoil state.
constexpr double stated_first_cell = 1e-4, stated_difference = 1e-14;

/// Wall distance of the cells on the airfoil, which the README of cases/passing_body states.
TEST(WallMotionCases, FirstCellsStayWithTheAirfoilWhileABodyPasses) {
  const Case simulation = read_case(std::filesystem::path(SHOAL_CASES) / "passing_body/case.toml");
  const Scene scene = make_scene(simulation);
  const std::size_t ring = 256;
  const std::vector<double> x(scene.points.x.begin(), scene.points.x.begin() + ring);
  const std::vector<double> y(scene.points.y.begin(), scene.points.y.begin() + ring);
  const Queue queue = Queue::cpu(2);
  WallDistance walls = open_plan(queue, simulation, scene);
  std::vector<double> distance(ring);
  for (int step = 0; step <= 40; ++step) {
    walls.move("store", simulation.bodies[0].motion.at(0.05 * step));
    walls.update(x, y, {.distance = distance});
    queue.wait();
    EXPECT_LT(*std::max_element(distance.begin(), distance.end()), stated_first_cell);
  }
}

/// Distances that the README of cases/circle states.
TEST(WallMotionCases, CellsAroundTheCircleAreNearestToTheFaceBelow) {
  const Case simulation = read_case(std::filesystem::path(SHOAL_CASES) / "circle/case.toml");
  const Scene scene = make_scene(simulation);
  ASSERT_EQ(scene.points.x.size(), 9751u);
  const Queue queue = Queue::cpu(2);
  WallDistance walls = open_plan(queue, simulation, scene);
  ASSERT_EQ(walls.face_count(), 199);
  std::vector<double> distance(scene.points.x.size());
  std::vector<std::int64_t> face(distance.size());
  walls.update(scene.points.x, scene.points.y, {.distance = distance, .face = face});
  queue.wait();
  for (std::size_t i = 0; i < distance.size(); ++i) {
    ASSERT_NEAR(distance[i], std::hypot(scene.points.x[i], scene.points.y[i]) - 0.5, 7e-5) << "cell " << i;
    ASSERT_EQ(face[i], static_cast<std::int64_t>(i % 199)) << "cell " << i;
  }
}

/// Times at which the airfoil is back in its position, which the README of cases/pitching_airfoil states.
TEST(WallMotionCases, APitchingAirfoilComesBack) {
  const Case simulation = read_case(std::filesystem::path(SHOAL_CASES) / "pitching_airfoil/case.toml");
  const Scene scene = make_scene(simulation);
  const Queue queue = Queue::cpu(2);
  WallDistance walls = open_plan(queue, simulation, scene);
  const auto distances_at = [&](double time) {
    std::vector<double> distance(scene.points.x.size());
    walls.move("wing", simulation.bodies[0].motion.at(time));
    walls.update(scene.points.x, scene.points.y, {.distance = distance});
    queue.wait();
    return distance;
  };
  const std::vector<double> rest = distances_at(0), pitched = distances_at(0.25);
  for (const double time : {0.5, 1.0}) {
    const std::vector<double> back = distances_at(time);
    for (std::size_t i = 0; i < rest.size(); ++i) ASSERT_NEAR(back[i], rest[i], stated_difference) << "cell " << i;
  }
  EXPECT_GT(std::abs(pitched[0] - rest[0]), 0.1) << "the trailing edge, 0.75 m from the hinge, goes up by 0.13 m";
}

}  // namespace
}  // namespace shoal::io::wall_motion
