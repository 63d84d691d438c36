// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <shoal/io/case_file.hpp>
#include <shoal/io/case_kinds.hpp>

#include "io/case/renamed_keys.hpp"
#include "io/formats/text/spelling.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing_support::message_of;

constexpr const char* dam_break = R"(kind  = "sph"
title = "A \"small\" dam"

[run]
duration = 4.0
output_every = 0.04
precision = "double"

[particles]
dimensions = 2
spacing = 0.02
smoothing = 1.3

[[body]]
material = "water"
box = { from = [0, 0], to = [2, 1] }
velocity = [0.5, 0]

[[wall]]
name = "tank"
box = { from = [0, 0], to = [5.38, 1.6] }
open = ["top", "right"]
layers = 4

[material.water]
density = 998
sound_speed = 50
equation_of_state = "tait"
exponent = 6.5

[scheme]
time_step = "fixed"
dt = 4e-4
kernel = "cubic_spline"
density_diffusion = "ferrari"
diffusion_coefficient = 0.3
viscosity = { artificial = 0.05 }
walls = "dynamic"
gravity = [0, -9.81]

[[probe]]
kind = "surge_front"

[[probe]]
name = "gauge"
kind = "pressure"
at = [5.38, 0.2]
every = 0.01
)";

/// Text of `dam_break` with the first `from` replaced by `to`.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = dam_break;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

sph::Case parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return parse_case(text, "case.toml", overrides);
}

std::string message(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return message_of([&] { parse(text, overrides); });
}

std::string message_of_set(const std::string& override_text) { return message(dam_break, {override_text}); }

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

TEST(CaseFile, AnUnknownKeyNamesLineAndNearest) {
  EXPECT_EQ(message(changed("density_diffusion", "densty_diffusion")),
            "case.toml:35: unknown key `scheme.densty_diffusion`; did you mean `scheme.density_diffusion`?");
  EXPECT_EQ(message(changed("layers = 4", "layer = 4")),
            "case.toml:23: unknown key `wall.0.layer`; did you mean `wall.0.layers`?");
  EXPECT_EQ(message(changed("{ artificial = 0.05 }", "{ artifical = 0.05 }")),
            "case.toml:37: unknown key `scheme.viscosity.artifical`; did you mean `scheme.viscosity.artificial`?");
  EXPECT_EQ(message(changed("[scheme]", "[schemes]")),
            "case.toml:31: unknown section `schemes`; did you mean `scheme`?");
}

TEST(CaseFile, AnUnknownKeyThatIsNearNothingGetsTheList) {
  const std::string found = message(changed("smoothing = 1.3", "color = 3"));
  EXPECT_THAT(found, StartsWith("case.toml:12: unknown key `particles.color`"));
  EXPECT_THAT(found, HasSubstr("takes dimensions, spacing, smoothing"));
}

TEST(CaseFile, AKeyOfAnotherSectionIsToldWhereItBelongs) {
  EXPECT_EQ(message(changed("smoothing = 1.3", "gravity = [0, 0]")),
            "case.toml:12: unknown key `particles.gravity`; it belongs to [scheme].");
  EXPECT_EQ(message(changed("title =", "duration =")), "case.toml:2: unknown key `duration`; it belongs to [run].");
}

TEST(CaseFile, AnUnknownOverrideIsTheSameError) {
  EXPECT_EQ(message_of_set("scheme.densty_diffusion=none"),
            "--set scheme.densty_diffusion: unknown key `scheme.densty_diffusion`; did you mean "
            "`scheme.density_diffusion`?");
  EXPECT_EQ(message_of_set("shceme.cfl=1"), "--set shceme.cfl: unknown section `shceme`; did you mean `scheme`?");
  EXPECT_EQ(message_of_set("probe.every=1"),
            "--set probe.every=1: `probe.every` is no key of a table; name an entry, such as `probe.0.every`.");
  EXPECT_THAT(message_of_set("probe.2.every=1"), HasSubstr("\"2\" is no entry of the list, expected a number below 2"));
  EXPECT_THAT(message_of_set("cfl"), HasSubstr("expected key=value"));
  EXPECT_THAT(message_of_set("scheme..cfl=1"), HasSubstr("empty part"));
  EXPECT_THAT(message_of_set("scheme.gravity=[0,"), HasSubstr("is no TOML value"));
  EXPECT_THAT(message_of_set("scheme.dt.x=1"), HasSubstr("no key of a table"));
}

TEST(CaseFile, AWrongTypeSaysWhatWasGotAndExpected) {
  EXPECT_EQ(message(changed("spacing = 0.02", "spacing = \"wide\"")),
            "case.toml:11: `particles.spacing` is \"wide\", expected a finite number in m.");
  EXPECT_EQ(message(changed("layers = 4", "layers = 2.5")),
            "case.toml:23: `wall.0.layers` is 2.5, expected a whole number.");
  EXPECT_EQ(message(changed("to = [2, 1] }", "to = [2, 1, 0] }")),
            "case.toml:16: `body.0.box.to` is [2, 1, 0], expected a list of 2 finite numbers in m.");
  EXPECT_EQ(message(changed("to = [2, 1] }", "to = [2, \"x\"] }")),
            "case.toml:16: `body.0.box.to` is [2, \"x\"], expected a list of 2 finite numbers in m.");
  EXPECT_EQ(message(changed("viscosity = { artificial = 0.05 }", "viscosity = 0.05")),
            "case.toml:37: `scheme.viscosity` is 0.05, expected a table with `artificial`, `quadratic`, `laminar`.");
  EXPECT_EQ(message(changed("gravity = [0, -9.81]", "energy = 1")),
            "case.toml:39: `scheme.energy` is 1, expected true or false.");
  EXPECT_EQ(message(changed("[[body]]", "[body]")), "case.toml:14: `body` is a table, expected entries [[body]].");
  EXPECT_EQ(message(changed("[run]", "[[run]]")), "case.toml:4: `run` is a list of 1, expected a section [run].");
  EXPECT_EQ(message(changed("duration = 4.0", "duration = nan")),
            "case.toml:5: `run.duration` is nan, expected a finite number in s.");
  EXPECT_EQ(message(changed("duration = 4.0", "duration = inf")),
            "case.toml:5: `run.duration` is inf, expected a finite number in s.");
}

TEST(CaseFile, AnUnknownWordListsThoseThatExist) {
  EXPECT_EQ(message(changed("\"cubic_spline\"", "\"wendland\"")),
            "case.toml:34: `scheme.kernel` = \"wendland\" is an unknown name; expected one of cubic_spline, "
            "wendland_c2, wendland_c4, quintic_spline; did you mean \"wendland_c2\"?");
  EXPECT_EQ(message(changed("\"cubic_spline\"", "3")),
            "case.toml:34: `scheme.kernel` is 3, expected one of the words cubic_spline, wendland_c2, wendland_c4, "
            "quintic_spline.");
  EXPECT_THAT(message(changed("\"sph\"", "\"dem\"")), StartsWith("case.toml:1: `kind` = \"dem\" is an unknown name"));
}

TEST(CaseFile, AValueOutOfItsRangeIsAnErrorWithItsLine) {
  EXPECT_EQ(message(changed("spacing = 0.02", "spacing = -0.02")),
            "case.toml:11: `particles.spacing` = -0.02 m, expected a number above 0.");
  EXPECT_EQ(message(changed("spacing = 0.02", "spacing = 0")),
            "case.toml:11: `particles.spacing` = 0 m, expected a number above 0.");
  EXPECT_EQ(message(changed("dimensions = 2", "dimensions = 4")),
            "case.toml:10: `particles.dimensions` = 4, expected a number from 1 to 3.");
  EXPECT_EQ(message(changed("output_every = 0.04", "output_every = -1")),
            "case.toml:6: `run.output_every` = -1 s, expected a number not below 0.");
  EXPECT_EQ(message(changed("output_every = 0.04", "compression = 10")),
            "case.toml:6: `run.compression` = 10, expected a number from 0 to 9.");
  EXPECT_EQ(message(changed("dt = 4e-4", "dt = 0")), "case.toml:33: `scheme.dt` = 0 s, expected a number above 0.");
  EXPECT_THAT(message(changed("layers = 4", "layers = 99999999999")),
              StartsWith("case.toml:23: `wall.0.layers` = 9999"));
}

TEST(CaseFile, AMissingKeyIsNamedWithItsMeaning) {
  EXPECT_EQ(message(changed("duration = 4.0\n", "")),
            "case.toml:4: missing key `run.duration` (number, s: physical time to run).");
  EXPECT_THAT(message(changed("dt = 4e-4\n", "")), StartsWith("case.toml:31: missing key `scheme.dt`"));
  EXPECT_THAT(message(changed("at = [5.38, 0.2]\n", "")), HasSubstr("missing key `probe.1.at`"));
  EXPECT_THAT(message(changed("kind  = \"sph\"\n", "")), HasSubstr("missing key `kind`"));
  EXPECT_THAT(message("kind = \"sph\"\n[run]\nduration = 1\n"), HasSubstr("missing key `particles.spacing`"));
}

TEST(CaseFile, AKeyThatHasNoEffectIsAnError) {
  EXPECT_EQ(message(changed("dt = 4e-4", "dt = 4e-4\ncfl = 0.8")),
            "case.toml:34: `scheme.cfl` counts only with `scheme.time_step` = \"cfl\". Remove the one or change the "
            "other.");
}

TEST(CaseFile, AnUnknownMaterialNamesThoseOfTheFile) {
  EXPECT_EQ(message(changed("material = \"water\"", "material = \"watr\"")),
            "case.toml:15: `body.0.material` = \"watr\", but there is no [material.watr]; the file has water; did you "
            "mean \"water\"?");
  EXPECT_THAT(message(changed("layers = 4", "material = \"steel\"")), StartsWith("case.toml:23: `wall.0.material`"));
}

TEST(CaseFile, ProbesNeedNamesThatCanBeFiles) {
  EXPECT_THAT(message_of_set("probe.1.name=\"a/b\""), HasSubstr("expected letters, digits, _ and - only"));
  EXPECT_THAT(message_of_set("probe.1.name=surge_front"), HasSubstr("name of an earlier probe"));
  EXPECT_THAT(message_of_set("probe.1.name=balance"), HasSubstr("balance.csv"));
  EXPECT_EQ(parse(changed("name = \"gauge\"\n", "") + "[[probe]]\nkind = \"surge_front\"\n").probes[2].name,
            "surge_front_2");
}

TEST(CaseFile, ASyntaxErrorHasLineAndColumn) {
  EXPECT_THAT(message(changed("layers = 4", "layers == 4")), StartsWith("case.toml:23:9: not TOML: "));
  EXPECT_THAT(message(changed("[run]", "[run")), StartsWith("case.toml:4:"));
  EXPECT_THAT(message("\xff\xfe"), HasSubstr("not TOML"));
}

TEST(CaseFile, ACaseThatMakesNoSenseIsAnErrorOfTheFile) {
  EXPECT_THAT(message(changed("to = [2, 1] }", "to = [-2, 1] }")), StartsWith("case.toml: "));
}

TEST(CaseFile, AFileThatIsNotThereOrAFolderIsNamed) {
  const testing_support::ScratchFolder folder;
  EXPECT_THAT(message_of([&] { read_case(folder / "none.toml"); }), HasSubstr("none.toml: cannot read"));
  EXPECT_THAT(message_of([&] { read_case(folder.path()); }), HasSubstr("this is a folder"));
  testing_support::write_text(folder / "case.toml", dam_break);
  EXPECT_EQ(read_case(folder / "case.toml").text, parse(dam_break).text);
}

TEST(RenamedKeys, AreErrorsThatNameTheNewKey) {
  EXPECT_THAT(message(changed("[run]\n", "[run]\nledger_every = 0.1\n")),
              HasSubstr(": `run.ledger_every` is called `run.balance_every` now. Rename it."));
  EXPECT_THAT(message_of_set("run.checkpoint_every=5"),
              StartsWith("--set run.checkpoint_every: `run.checkpoint_every` is called `run.restart_every` now."));
  EXPECT_THAT(message(changed("", "") + "[[heat]]\nradius = 1\n"), HasSubstr(": `heat` is called `heat_pulse` now."));
}

TEST(CaseKeys, RenamedKeysLeadToKeysThatExist) {
  for (const RenamedKey& renamed : renamed_keys) {
    const auto exists = [&](const KeyInfo& key) {
      const bool of_section = key.section == "[[" + std::string(renamed.section) + "]]" ||
                              key.section == "[" + std::string(renamed.section) + "]";
      const bool is_section = renamed.section.empty() && key.section == "[[" + std::string(renamed.now) + "]]";
      return key.kind == renamed.kind && (is_section || (of_section && key.name == renamed.now));
    };
    const std::vector<KeyInfo> keys = case_keys();
    EXPECT_TRUE(std::any_of(keys.begin(), keys.end(), exists)) << renamed.before;
  }
}

TEST(CaseKeys, EachHasAMeaningAndAType) {
  for (const KeyInfo& key : case_keys()) {
    EXPECT_FALSE(key.meaning.empty()) << key.section << key.name;
    EXPECT_FALSE(key.type.empty()) << key.section << key.name;
    EXPECT_FALSE(key.required && !key.default_value.empty()) << key.section << key.name;
  }
}

TEST(Nearest, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("shceme", "scheme"), 1u);
  EXPECT_EQ(nearest("densty", {"pressure", "density"}), "density");
  EXPECT_EQ(nearest("wend", {"cubic_spline", "wendland_c2"}), "wendland_c2");
  EXPECT_EQ(nearest("color", {"pressure", "density"}), std::nullopt);
  EXPECT_EQ(nearest("", {"dt"}), std::nullopt);
  EXPECT_EQ(nearest("dt", {}), std::nullopt);
}

constexpr const char* all_words = R"(kind = "sph"
[run]
duration = 1
[particles]
spacing = 0.01
smoothing_length = "by_density"
most_smoothing = 2
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
viscosity = { artificial = 1, quadratic = 2, laminar = true }
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
  const sph::Case c = parse_case(all_words, "case.toml");
  EXPECT_EQ(c.smoothing_length, sph::SmoothingLength::by_density);
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
  EXPECT_EQ(c.scheme.wall_flow, sph::WallFlow::no_slip);
  EXPECT_EQ(c.scheme.periodic, std::vector{sph::Axis::x});
  EXPECT_EQ(c.scheme.shifting.surface, 1.4);
  EXPECT_EQ(c.heat[0].length, 0.2);
  EXPECT_EQ(case_text(parse_case(case_text(c), "again.toml")), case_text(c));
}

TEST(CaseFile, AMotionTakesOnlyItsOwnKeys) {
  std::string text = all_words;
  text.replace(text.find("angle_amplitude = 5"), 19, "amplitude = [0, 1]");
  EXPECT_THAT(message_of([&] { parse_case(text, "case.toml"); }),
              HasSubstr("counts only with `wall.0.motion` = \"oscillation\""));
}

}  // namespace
}  // namespace shoal::io
