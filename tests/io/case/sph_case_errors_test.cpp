// SPDX-License-Identifier: Apache-2.0
// Error messages for cases of kind = "sph".
#include <gmock/gmock.h>
#include <shoal/io/case_file.hpp>

#include "io/case/dam_break_case.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::StartsWith;

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
  const std::string unknown = message(changed("smoothing = 1.3", "color = 3"));
  EXPECT_THAT(unknown, StartsWith("case.toml:12: unknown key `particles.color`"));
  EXPECT_THAT(unknown, HasSubstr("takes dimensions, spacing, smoothing"));
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
  EXPECT_EQ(
      message(changed("viscosity = { artificial = 0.05 }", "viscosity = 0.05")),
      "case.toml:37: `scheme.viscosity` is 0.05, expected a table with `artificial`, `quadratic`, `laminar`, `form`.");
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
            "case.toml:34: `scheme.kernel` = \"wendland\" is an unknown name; expected one of " +
                list_names<sph::Kernel>() + "; did you mean \"wendland_c2\"?");
  EXPECT_EQ(message(changed("\"cubic_spline\"", "3")),
            "case.toml:34: `scheme.kernel` is 3, expected one of the words " + list_names<sph::Kernel>() + ".");
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
  EXPECT_EQ(
      message(changed("sound_speed = 50\n", ""), {"scheme.energy=true"}),
      "case.toml: missing key `material.water.sound_speed` (number, m/s): it is chosen for tait and linear without "
      "scheme.energy only. Give it.");
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
  for (const char* name : {"a/b", "..", "../b", "/b", ".b", "a b"})
    EXPECT_THAT(message_of_set("probe.1.name=\"" + std::string(name) + "\""),
                HasSubstr("is no name for a file; expected at most 100 letters, digits, _, - and .,"))
        << name;
  EXPECT_THAT(
      message_of_set("probe.1.name=" + std::string(300, 'a')),
      StartsWith("--set probe.1.name: `probe.1.name` = \"" + std::string(40, 'a') + "...\" (300 characters) is"));
  EXPECT_THAT(message_of_set("probe.1.name=surge_front"), HasSubstr("name of an earlier probe"));
  EXPECT_THAT(message_of_set("probe.1.name=balance"), HasSubstr("balance.csv"));
  EXPECT_EQ(parse(changed("name = \"gauge\"\n", "") + "[[probe]]\nkind = \"surge_front\"\n").probes[2].name,
            "surge_front_2");
}

TEST(CaseFile, NumbersOfOutputsAndStepsHaveLimits) {
  EXPECT_EQ(
      message_of_set("run.output_every=1e-12"),
      "--set run.output_every: `run.output_every` = 1e-12 s fits 4e+12 times into the duration of 4 s, expected at "
      "most 1e+08 times. Enlarge it or shorten the run.");
  for (const char* key : {"run.output_every", "run.balance_every", "probe.0.every", "scheme.dt"})
    EXPECT_THAT(message_of_set(std::string(key) + "=1e-300"),
                StartsWith("--set " + std::string(key) + ": `" + key + "` = 1e-300 s fits 4e+300 times"));
  EXPECT_THAT(message(changed("dt = 4e-4", "dt = 4e-14")),
              StartsWith("case.toml:33: `scheme.dt` = 4e-14 s fits 1e+14"));
  EXPECT_THAT(message_of_set("run.duration=1e308"), HasSubstr("into the duration of 1e+308 s, expected at most"));
  EXPECT_THAT(message(changed("time_step = \"fixed\"\ndt = 4e-4\n", ""), {"particles.spacing=1e-300"}),
              StartsWith("--set particles.spacing: the time step that spacing and sound speed allow = "));
}

TEST(CaseFile, ASyntaxErrorHasLineAndColumn) {
  EXPECT_THAT(message(changed("layers = 4", "layers == 4")), StartsWith("case.toml:23:9: not TOML: "));
  EXPECT_THAT(message(changed("[run]", "[run")), StartsWith("case.toml:4:"));
  EXPECT_THAT(message("\xff\xfe"), HasSubstr("not TOML"));
}

TEST(CaseFile, AKeyOfManyPartsIsRefusedBeforeItIsParsed) {
  const auto dotted = [](std::size_t parts) {
    std::string key = "a";
    for (std::size_t part = 1; part < parts; ++part) key += ".a";
    return key;
  };
  EXPECT_EQ(message("kind = \"sph\"\n" + dotted(50'000) + " = 1\n"),
            "case.toml:2: a key has more than 8 parts with dots between them. Keys of cases have at most 4.");
  EXPECT_THAT(message("x = { y = [1.5, 2.5], \"=\"." + dotted(50'000) + " = 1 }\n"), HasSubstr("more than 8 parts"));
  EXPECT_THAT(message("[" + dotted(50'000) + "]\n"), HasSubstr("more than 8 parts"));
  EXPECT_THAT(message_of_set(dotted(50'000) + "=1"), HasSubstr(" has 50000 parts, expected at most 8."));
  EXPECT_THAT(message_of_set("title={" + dotted(50'000) + "=1}"), HasSubstr("more than 8 parts"));
}

TEST(CaseFile, DotsInTextsAndNumbersAreNoKeys) {
  const auto retitled = [](const std::string& title) { return changed("title = \"A \\\"small\\\" dam\"\n", title); };
  const std::string dots(100, '.');
  const std::string source = "title = \"" + dots + "\\\"" + dots + "\" # " + dots + "\n";
  EXPECT_EQ(parse(retitled(source)).title.size(), 201U);
  for (const std::string quotes : {"\"\"\"", "'''"})
    EXPECT_EQ(parse(retitled("title = " + quotes + dots + "\n" + dots + quotes + "\n")).title.size(), 201U);
}

TEST(CaseFile, ACaseThatMakesNoSenseIsAnErrorOfTheFile) {
  EXPECT_THAT(message(changed("to = [2, 1] }", "to = [-2, 1] }")), StartsWith("case.toml: "));
}

TEST(CaseFile, AFileThatIsNotThereOrAFolderIsNamed) {
  const ScratchFolder folder;
  EXPECT_THAT(message_of([&] { read_case(folder / "none.toml"); }), HasSubstr("none.toml: cannot read"));
  EXPECT_THAT(message_of([&] { read_case(folder.path()); }), HasSubstr("this is a folder"));
  std::filesystem::create_symlink("loop.toml", folder / "loop.toml");
  EXPECT_THAT(message_of([&] { read_case(folder / "loop.toml"); }), HasSubstr("loop.toml: cannot read"));
  write_text(folder / "case.toml", dam_break);
  EXPECT_EQ(read_case(folder / "case.toml").text, parse(dam_break).text);
}

}  // namespace
}  // namespace shoal::io
