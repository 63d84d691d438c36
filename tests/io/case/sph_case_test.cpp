// SPDX-License-Identifier: Apache-2.0
// Values of cases of kind = "sph", read and written again.
#include <gmock/gmock.h>
#include <shoal/io/case_file.hpp>

#include "io/case/dam_break_case.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::HasSubstr;

TEST(CaseFile, ReadsEveryKind) {
  const sph::Case c = parse(dam_break);
  EXPECT_EQ(c.title, "A \"small\" dam");
  EXPECT_EQ(c.duration, 4.0);
  EXPECT_EQ(c.output.every, 0.04);
  EXPECT_EQ(c.precision, sph::Precision::double_);
  EXPECT_EQ(c.method, "auto");
  EXPECT_EQ(c.spacing, 0.02);
  EXPECT_EQ(c.smoothing, 1.3);
  ASSERT_EQ(c.bodies.size(), 1u);
  EXPECT_EQ(c.bodies[0].material, "water");
  EXPECT_EQ(c.bodies[0].box.to, (sph::Vector{2, 1, 0}));
  EXPECT_EQ(c.bodies[0].velocity, (sph::Vector{0.5, 0, 0}));
  ASSERT_EQ(c.walls.size(), 1u);
  EXPECT_EQ(c.walls[0].name, "tank");
  EXPECT_EQ(c.walls[0].open, (std::vector{sph::Side::top, sph::Side::right}));
  EXPECT_EQ(c.walls[0].layers, 4);
  ASSERT_EQ(c.materials.size(), 1u);
  EXPECT_EQ(c.materials[0].name, "water");
  EXPECT_EQ(c.materials[0].density, 998);
  EXPECT_EQ(c.materials[0].exponent, 6.5);
  EXPECT_EQ(c.scheme.time_step, sph::TimeStep::fixed);
  EXPECT_EQ(c.scheme.dt, 4e-4);
  EXPECT_EQ(c.scheme.kernel, sph::Kernel::cubic_spline);
  EXPECT_EQ(c.scheme.density_diffusion, sph::DensityDiffusion::ferrari);
  EXPECT_EQ(c.scheme.diffusion_coefficient, 0.3);
  EXPECT_EQ(c.scheme.artificial_viscosity, 0.05);
  EXPECT_EQ(c.scheme.walls, sph::Walls::dynamic);
  EXPECT_EQ(c.scheme.gravity, (sph::Vector{0, -9.81, 0}));
  ASSERT_EQ(c.probes.size(), 2u);
  EXPECT_EQ(c.probes[0].name, "surge_front");
  EXPECT_EQ(c.probes[1].name, "gauge");
  EXPECT_EQ(c.probes[1].at, (sph::Vector{5.38, 0.2, 0}));
  EXPECT_EQ(c.probes[1].every, 0.01);
  EXPECT_FALSE(c.domain.has_value());
}

TEST(CaseFile, AProbeOnAWallHasItsPoint) {
  const std::string probe = "[[probe]]\nkind = \"moment\"\nwall = \"tank\"\nabout = [5.38, 0.5]\n";
  const sph::Case c = parse(dam_break + probe);
  ASSERT_EQ(c.probes.size(), 3u);
  EXPECT_EQ(c.probes[2].kind, sph::ProbeKind::moment);
  EXPECT_EQ(c.probes[2].wall, "tank");
  EXPECT_EQ(c.probes[2].about, (sph::Vector{5.38, 0.5, 0}));
  EXPECT_EQ(parse(c.text).probes[2].about, c.probes[2].about);
  EXPECT_THAT(message(dam_break + replaced(probe, "about = [5.38, 0.5]\n", "")),
              HasSubstr("missing key `probe.2.about` (point, m: point about which the moment is taken)."));
  EXPECT_THAT(message(dam_break + replaced(probe, "moment", "force")),
              HasSubstr("`probe.2.about` counts only with `probe.2.kind` = \"moment\"."));
  EXPECT_THAT(message(dam_break + replaced(probe, "tank", "tanks")), HasSubstr("is on the wall \"tanks\""));
}

TEST(CaseFile, AProbeOfASectionHasItsCorners) {
  const std::string probe = "[[probe]]\nkind = \"flow_rate\"\ncorners = [[2.5, 0], [2.5, 1]]\nraster = 0.05\n";
  const sph::Case c = parse(dam_break + probe);
  ASSERT_EQ(c.probes.size(), 3u);
  EXPECT_EQ(c.probes[2].corners, (std::vector<sph::Vector>{{2.5, 0, 0}, {2.5, 1, 0}}));
  EXPECT_EQ(c.probes[2].raster, 0.05);
  EXPECT_EQ(parse(c.text).probes[2].corners, c.probes[2].corners);
  EXPECT_THAT(message(dam_break + replaced(probe, "[2.5, 1]", "[2.5, 1, 0]")),
              HasSubstr("`probe.2.corners` is [[2.5, 0], [2.5, 1, 0]], expected a list of points of 2 finite numbers "
                        "each in m."));
  EXPECT_THAT(message(dam_break + replaced(probe, "[2.5, 1]", "[2.5, \"x\"]")), HasSubstr("expected a list of points"));
  EXPECT_THAT(message(dam_break + replaced(probe, ", [2.5, 1]", "")),
              HasSubstr("has 1 corners, expected the 2 ends of a line in 2-D."));
  EXPECT_THAT(message(dam_break + replaced(probe, "raster = 0.05", "raster = -1")),
              HasSubstr("`probe.2.raster` = -1 m, expected a number not below 0."));
}

TEST(CaseFile, ASoundSpeedIsChosenAndWritten) {
  const sph::Case c = parse(changed("sound_speed = 50\n", ""));
  EXPECT_TRUE(c.materials[0].sound_speed_is_chosen);
  EXPECT_DOUBLE_EQ(c.materials[0].sound_speed, 10 * std::sqrt(9.81));  // the water is 1 m deep
  EXPECT_THAT(c.text, HasSubstr("sound_speed = 31.32091952673165  # m/s\n"));
  const sph::Case again = parse(c.text);
  EXPECT_EQ(again.materials[0].sound_speed, c.materials[0].sound_speed);
  EXPECT_EQ(again.text, c.text);
}

TEST(CaseFile, ReadsThreeDimensionsPolynomialsHeatAndDomain) {
  const sph::Case c = parse(R"(kind = "sph"
run.duration = 1e-4
particles = { dimensions = 3, spacing = 1 }
domain = { from = [-9, -9, -9], to = [9, 9, 9] }
[[body]]
material = "mercury"
box = { from = [0, 0, 0], to = [3, 3, 3] }
[material.mercury]
density = 13600
sound_speed = 1451
equation_of_state = "polynomial"
compression = [2.86e10, 1, 2]
tension = [2.8e10, 3]
energy = [0.5, 0.25]
[scheme]
energy = true
[[heat_pulse]]
at = [1, 2, 3]
radius = 0.004
energy = 1000
)");
  EXPECT_EQ(c.dimensions, 3);
  EXPECT_EQ(c.materials[0].compression, (std::array<double, 3>{2.86e10, 1, 2}));
  EXPECT_EQ(c.materials[0].tension, (std::array<double, 2>{2.8e10, 3}));
  EXPECT_EQ(c.materials[0].energy, (std::array<double, 2>{0.5, 0.25}));
  ASSERT_EQ(c.heat.size(), 1u);
  EXPECT_EQ(c.heat[0].at, (sph::Vector{1, 2, 3}));
  ASSERT_TRUE(c.domain.has_value());
  EXPECT_EQ(c.domain->from, (sph::Vector{-9, -9, -9}));
  EXPECT_EQ(parse(c.text).text, c.text);
}

TEST(CaseFile, ACompressionInTwoDimensionsStillHasThreeNumbers) {
  const std::string text = changed("equation_of_state = \"tait\"\nexponent = 6.5",
                                   "equation_of_state = \"polynomial\"\ncompression = [1e9, 2, 3]\ntension = [1e9, 5]");
  EXPECT_EQ(parse(text).materials[0].compression, (std::array<double, 3>{1e9, 2, 3}));
}

TEST(CaseFile, TheResolvedTextReadsBackToTheSameCase) {
  const sph::Case c = parse(dam_break, {"scheme.gravity=[0.1, -9.80665]", "run.method=serial"});
  const sph::Case again = parse(c.text);
  EXPECT_EQ(again.text, c.text);
  EXPECT_EQ(again.title, c.title);
  EXPECT_EQ(again.method, "serial");
  EXPECT_EQ(again.scheme.gravity, (sph::Vector{0.1, -9.80665, 0}));
  EXPECT_EQ(again.scheme.dt, c.scheme.dt);
  EXPECT_EQ(again.walls[0].open, c.walls[0].open);
  EXPECT_EQ(again.probes[1].at, c.probes[1].at);
  EXPECT_THAT(c.text, HasSubstr("exponent = 6.5"));       // given in the case
  EXPECT_THAT(c.text, HasSubstr("format = \"vtkhdf\""));  // default value
  EXPECT_THAT(c.text, testing::Not(HasSubstr("cfl =")));  // used only with another time_step
}

TEST(CaseFile, OverridesTakeTomlOrBareWords) {
  const sph::Case c =
      parse(dam_break, {"scheme.kernel=wendland_c2", "title=\"quoted\"", "probe.1.every=0.5",
                        "material.water.density=1000", "particles.spacing = 0.05", "wall.0.open=[\"top\"]"});
  EXPECT_EQ(c.scheme.kernel, sph::Kernel::wendland_c2);
  EXPECT_EQ(c.title, "quoted");
  EXPECT_EQ(c.probes[1].every, 0.5);
  EXPECT_EQ(c.materials[0].density, 1000);
  EXPECT_EQ(c.walls[0].open, std::vector{sph::Side::top});
}

TEST(CaseFile, AnOverrideOfTheTimeStepDropsWhatNoLongerCounts) {
  const sph::Case c = parse(dam_break, {"scheme.time_step=cfl", "scheme.cfl=0.4"});
  EXPECT_EQ(c.scheme.time_step, sph::TimeStep::cfl);
  EXPECT_EQ(c.scheme.cfl, 0.4);
  EXPECT_THAT(c.text, testing::Not(HasSubstr("dt =")));
}

constexpr const char* every_option = R"(kind = "sph"
[run]
duration = 1
[particles]
spacing = 0.01
smoothing_length = "by_density"
most_smoothing = 2
most_density_deviation = 300
[domain]
from = [0, -1]
to = [1, 1]
[[body]]
material = "water"
box = { from = [0, 0], to = [1, 0.5] }
density = 1001
energy = 5
jitter = 0.1
[[body]]
material = "air"
box = { from = [0, 0.5], to = [1, 1] }
spacing = 0.02
energy = 2.5
[[wall]]
name = "floor"
box = { from = [0, 0], to = [1, 2] }
open = ["left", "right", "top"]
motion = "pitch"
angle_amplitude = 5
frequency = 2
about = [0.5, 0]
[[wall]]
name = "lid"
box = { from = [0, 3], to = [1, 3.1] }
solid = true
motion = "translation"
velocity = [0.1, 0]
[material.water]
density = 1000
equation_of_state = "mie_grueneisen"
sound_speed = 1480
grueneisen = 0.3
hugoniot_slope = 1.9
least_pressure = -1e5
kinematic_viscosity = 1e-6
[material.air]
density = 1.2
equation_of_state = "ideal_gas"
exponent = 1.4
[scheme]
integrator = "symplectic"
kernel = "quintic_spline"
density_diffusion = "molteni"
viscosity = { artificial = 1, quadratic = 2, laminar = true, form = "monaghan" }
wall_flow = "no_slip"
periodic = ["x"]
shifting = { coefficient = 2, surface = 1.4 }
energy = true
[[heat_pulse]]
at = [0.5, 0.2]
radius = 0.1
energy = 100
start = 0.1
length = 0.2
)";

TEST(CaseFile, EveryWordOfPhysicsIsReadAndWrittenBack) {
  const sph::Case c = parse_case(every_option, "case.toml");
  EXPECT_EQ(c.smoothing_length, sph::SmoothingLength::by_density);
  EXPECT_EQ(c.most_density_deviation, 300);
  EXPECT_EQ(c.materials[0].equation_of_state, sph::EquationOfState::mie_grueneisen);
  EXPECT_EQ(c.materials[0].hugoniot_slope, 1.9);
  EXPECT_EQ(c.materials[0].least_pressure, -1e5);
  EXPECT_EQ(c.materials[1].exponent, 1.4);
  EXPECT_EQ(c.bodies[1].spacing, 0.02);
  EXPECT_EQ(c.bodies[0].jitter, 0.1);
  EXPECT_EQ(c.walls[0].motion.kind, MotionKind::pitch);
  EXPECT_EQ(c.walls[0].motion.angle_amplitude, 5);
  EXPECT_EQ(c.walls[1].motion.velocity[0], 0.1);
  EXPECT_EQ(c.scheme.integrator, sph::Integrator::symplectic);
  EXPECT_EQ(c.scheme.kernel, sph::Kernel::quintic_spline);
  EXPECT_EQ(c.scheme.quadratic_viscosity, 2);
  EXPECT_TRUE(c.scheme.laminar_viscosity);
  EXPECT_EQ(c.scheme.viscosity_form, sph::ViscosityForm::monaghan);
  EXPECT_EQ(c.scheme.wall_flow, sph::WallFlow::no_slip);
  EXPECT_EQ(c.scheme.periodic, std::vector{sph::Axis::x});
  EXPECT_EQ(c.scheme.shifting.surface, 1.4);
  EXPECT_EQ(c.heat[0].length, 0.2);
  EXPECT_EQ(case_text(parse_case(case_text(c), "again.toml")), case_text(c));
}

TEST(CaseFile, AMotionTakesOnlyItsOwnKeys) {
  const std::string text = replaced(every_option, "angle_amplitude = 5", "amplitude = [0, 1]");
  EXPECT_THAT(message_of([&] { parse_case(text, "case.toml"); }),
              HasSubstr("counts only with `wall.0.motion` = \"oscillation\""));
}

}  // namespace
}  // namespace shoal::io
