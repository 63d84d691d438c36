// SPDX-License-Identifier: Apache-2.0
// Results of validation for tables with known answers.
#include <gmock/gmock.h>
#include <shoal/io/case_kinds.hpp>
#include <shoal/io/validation.hpp>

#include <cmath>

#include "io/validation/validation_curve.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io::validation {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* runs = "kind = \"validation\"\n[[run]]\nname = \"a\"\n[[run]]\nname = \"b\"\nsize = \"large\"\n";

struct ValidationTest : testing::Test {
  ScratchFolder folder;

  void write(const std::string& name, const std::string& content) const { write_text(folder / name, content); }
  Plan plan(const std::string& checks) const {
    write("validation.toml", runs + checks);
    return validation::read(folder.path());
  }
  std::string message(const std::string& checks) const {
    return message_of([&] { plan(checks); });
  }
  Done done(const std::string& name) const {
    Done made;
    made.run.name = name;
    made.folder = folder / name;
    std::filesystem::create_directories(made.folder);
    return made;
  }
  /// Finding of one check of the run "a" with the rows of t.csv.
  Finding finding(const std::string& rows, const std::string& keys) const {
    const Done run = done("a");
    write("a/t.csv", "time [s],p [Pa]\n" + rows);
    const std::vector<Finding> findings = check(plan("[[check]]\nquantity = \"q\"\ntable = \"t\"\n" + keys), {run});
    EXPECT_EQ(findings.size(), 1u);
    return findings.at(0);
  }
  std::string got(const std::string& rows, const std::string& keys) const {
    return finding(rows, keys + "\nat_least = -1e9").got;
  }
};

TEST_F(ValidationTest, TakesNumbersOfACurve) {
  const std::string hill = "0,0\n1,2\n2,6\n3,1\n4,1\n";
  EXPECT_EQ(got(hill, "time = 1.5"), "4");
  EXPECT_EQ(got(hill, "time = 2"), "6");
  EXPECT_EQ(got(hill, "time = 9"), "nan");
  EXPECT_EQ(got(hill, "take = \"mean\""), "2");
  EXPECT_EQ(got(hill, "take = \"mean\"\nfrom = 3\nto = 4"), "1");
  EXPECT_EQ(got(hill, "take = \"least\"\nfrom = 1"), "1");
  EXPECT_EQ(got(hill, "take = \"greatest\""), "6");
  EXPECT_EQ(got(hill, "take = \"time_of_greatest\""), "2");
  EXPECT_EQ(got(hill, "take = \"time_of_least\"\nfrom = 1"), "3");
  EXPECT_EQ(got(hill, "take = \"first_above\"\nthreshold = 1"), "0.5");
  EXPECT_EQ(got(hill, "take = \"last_above\"\nthreshold = 3.5"), "2.5");
  EXPECT_EQ(got(hill, "take = \"first_above\"\nthreshold = 7"), "nan");
  EXPECT_EQ(got(hill, "take = \"drift\"\nfrom = 1"), "-3");
}

TEST_F(ValidationTest, TheFrequencyIsThatOfUpwardCrossingsOfTheMean) {
  // Crosses the mean of 1 upward at 0.5, 2.5 and 6.5: two periods.
  const std::string wave = "0,0\n1,2\n2,0\n3,2\n4,2\n5,0\n6,0\n7,2\n";
  EXPECT_EQ(got(wave, "take = \"frequency\""), "0.3333");
  EXPECT_EQ(got(wave, "take = \"frequency\"\ntime_unit = 2"), "0.6667");
  EXPECT_EQ(got("0,8\n1,-4\n2,2\n3,1\n", "take = \"decay_rate\""), "0.6931");
  EXPECT_EQ(got("0,0\n1,2\n2,0\n", "take = \"frequency\""), "nan") << "one crossing has no period";
}

TEST_F(ValidationTest, ScalesTimesAndValues) {
  EXPECT_EQ(got("0,10\n2,30\n4,50\n", "time = 2\ntime_zero = 1\ntime_unit = 0.5\nzero = 10\nunit = 2"), "10");
}

TEST_F(ValidationTest, AWindowTakesTheMeanAroundEachPoint) {
  const std::string spike = "0,0\n1,0\n2,9\n3,0\n4,0\n";
  EXPECT_EQ(got(spike, "take = \"greatest\"\nwindow = 2"), "3");
  EXPECT_EQ(got(spike, "time = 0\nwindow = 4"), "3") << "at an end, of what there is";
  EXPECT_EQ(got(spike, "take = \"greatest\"\nwindow = 1"), "9");
  EXPECT_EQ(got(spike, "time = 1\nwindow = 1\ntime_unit = 2\nunit = 3"), "1") << "in the scaled time";
}

TEST_F(ValidationTest, JudgesByTolerancesAndBounds) {
  const std::string at_5 = "time = 0\n";
  EXPECT_TRUE(finding("0,5\n", at_5 + "expected = 5.2\ntolerance = 0.21").passed);
  EXPECT_FALSE(finding("0,5\n", at_5 + "expected = 5.2\ntolerance = 0.19").passed);
  EXPECT_TRUE(finding("0,5\n", at_5 + "expected = -4\ntolerance = 8\nrelative_tolerance = 0.3").passed);
  EXPECT_FALSE(finding("0,5\n", at_5 + "expected = 4\nrelative_tolerance = 0.2").passed);
  EXPECT_TRUE(finding("0,5\n", at_5 + "at_least = 4\nat_most = 6").passed);
  EXPECT_FALSE(finding("0,5\n", at_5 + "at_most = 4").passed);
  EXPECT_FALSE(finding("0,nan\n", at_5 + "expected = 5\ntolerance = 9").passed) << "what is not a number never passes";
  EXPECT_FALSE(finding("0,nan\n", at_5 + "at_least = 4").passed);
  EXPECT_EQ(finding("0,5\n", at_5 + "at_least = 4\nat_most = 6").expected, "4 to 6");
  EXPECT_EQ(finding("0,5\n", at_5 + "expected = 4\nrelative_tolerance = 0.2").tolerance, "0.8");
}

TEST_F(ValidationTest, ComparesWithReferences) {
  write("r.csv", "# a reference\ntime,low,high\n0,1,3\n1,2,4\n2,3,5\n3,4,6\n");
  const std::string rows = "0,2\n2,6\n3,3\n";
  EXPECT_EQ(finding(rows, "time = 1.5\nreference = \"r.csv\"\nreference_column = \"high\"").expected, "4.5");
  EXPECT_EQ(got(rows, "take = \"rms_error\"\nreference = \"r.csv\"\nreference_column = \"low\"\nto = 1"), "1.581");
  EXPECT_EQ(got(rows, "take = \"share_within\"\nreference = \"r.csv\"\nband = [\"low\", \"high\"]"), "0.5");
}

TEST_F(ValidationTest, NamesOfRunsAndTablesStayInTheirFolder) {
  for (const std::string& name : std::vector<std::string>{"/tmp/victim", "../victim", "..", "", "a/b"}) {
    write("validation.toml", "kind = \"validation\"\n[[run]]\nname = \"" + name +
                                 "\"\n[[check]]\nquantity = \"q\"\ntable = \"t\"\ntime = 0\nexpected = 0\n");
    EXPECT_THAT(message_of([&] { validation::read(folder.path()); }),
                HasSubstr("validation.toml:3: `run.0.name` = \"" + name + "\""));
  }
  EXPECT_THAT(message("[[check]]\nquantity = \"q\"\ntable = \"../t\"\ntime = 0\nexpected = 0\n"),
              HasSubstr(": `table` = \"../t\" (4 characters) is no name for a file"));
}

TEST_F(ValidationTest, PlotsOfQuantitiesHaveNamesOfLimitedLength) {
  const Done run = done("a");
  write("r.csv", "time,p\n0,1\n1,2\n");
  write("a/t.csv", "time [s],p [Pa]\n0,1\n1,2\n");
  const std::string quantity = "../" + std::string(300, 'q');
  const Plan plotted = plan("[[check]]\nquantity = \"" + quantity +
                            "\"\ntable = \"t\"\ntake = \"rms_error\"\nreference = \"r.csv\"\nat_most = 1\n");
  write_plots(plotted, run);
  EXPECT_TRUE(std::filesystem::exists(folder / ("a/.._" + std::string(97, 'q') + ".svg")));
}

TEST_F(ValidationTest, AnErrorThatFallsIsOneFindingForAllRuns) {
  const Done a = done("a"), b = done("b");
  write("a/t.csv", "time [s],p [Pa]\n0,5\n");
  write("b/t.csv", "time [s],p [Pa]\n0,4\n");
  const Plan falls = plan("[[check]]\nquantity = \"q\"\ntable = \"t\"\ntime = 0\nfalls = true\n");
  const std::vector<Finding> findings = check(falls, {a, b});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].run, "a, b");
  EXPECT_EQ(findings[0].got, "5, 4");
  EXPECT_TRUE(findings[0].passed);
  EXPECT_FALSE(check(falls, {b, a})[0].passed);
  EXPECT_TRUE(check(falls, {a}).empty()) << "one run says nothing";
}

TEST_F(ValidationTest, ALineIsACurveOverItsPlaces) {
  Done run = done("a");
  sph::Probe line;
  line.name = "profile";
  line.kind = sph::ProbeKind::line;
  line.of = sph::LineQuantity::density;
  line.from = {0, 7, 0};
  line.to = {2, 7, 0};
  line.points = 3;
  run.probes = {line};
  write("a/profile.csv",
        "time [s],density_1 [kg/m3],density_2 [kg/m3],density_3 [kg/m3]\n0,1,1,1\n0.5,4,5,6\n1,7,8,9\n");
  const std::string check_line = "[[check]]\nquantity = \"q\"\ntable = \"profile\"\nalong = \"line\"\nat_least = 0\n";
  const Plan last = plan(check_line + "take = \"first_above\"\nthreshold = 7.5\n");
  EXPECT_EQ(check(last, {run})[0].got, "0.5");
  const Plan before = plan(check_line + "take = \"mean\"\ntime = 0.5\nfrom = 1\n");
  EXPECT_EQ(check(before, {run})[0].got, "5.5");
  const Plan sensor = plan(
      "[[check]]\nquantity = \"q\"\ntable = \"profile\"\nalong = \"line_mean\"\nat_least = 0\n"
      "take = \"first_above\"\nthreshold = 6.5\n");
  EXPECT_EQ(check(sensor, {run})[0].got, "0.75") << "means of 1, 5 and 8";
  run.probes.clear();
  EXPECT_THAT(message_of([&] { check(last, {run}); }), HasSubstr("has no probe \"profile\" of kind = \"line\""));
}

TEST_F(ValidationTest, AProfileIsACurveOverXAtATime) {
  const Done run = done("a");
  write("a/profiles.csv",
        "time [s],iterations,x [m],density [1/m3],velocity y [m/s]\n"
        "0,0,0.5,1,0\n0,0,1.5,1,0\n"
        "2,0,0.5,4,1\n2,0,1.5,6,2\n2,0,2.5,9,2\n"
        "2,7,0.5,5,-1\n2,7,1.5,7,-2\n2,7,2.5,12,-3\n");
  const std::string profile = "[[check]]\nquantity = \"q\"\ntable = \"profiles\"\nalong = \"profile\"\n";
  const auto got_of = [&](const std::string& keys) { return check(plan(profile + keys), {run})[0].got; };
  EXPECT_EQ(got_of("column = \"density\"\ntake = \"mean\"\nat_least = 0\n"), "8") << "the last state";
  EXPECT_EQ(got_of("column = \"density\"\nfrom = 1\nto = 2\nat_least = 0\n"), "7");
  EXPECT_EQ(got_of("column = \"density\"\ntime = 1\ntake = \"greatest\"\nat_least = 0\n"), "1");
  EXPECT_EQ(got_of("column = \"velocity y\"\ntake = \"least\"\nat_most = 0\n"), "-3");
  EXPECT_EQ(got_of("column = \"density\"\ntake = \"steepest\"\nat_least = 0\n"), "5");
  EXPECT_EQ(got_of("column = \"density\"\ntake = \"steepest\"\ntime_unit = 0.5\nat_least = 0\n"), "2.5");
  write("exact.csv", "x [m],n,m\n0.5,0,5\n1.5,0,7\n2,0,9.5\n");
  EXPECT_EQ(got_of("column = \"density\"\ntake = \"rms_error\"\nreference = \"exact.csv\"\n"
                   "reference_column = \"m\"\nat_most = 0\n"),
            "0");
  EXPECT_THAT(message_of([&] { got_of("take = \"mean\"\nat_least = 0\n"); }), HasSubstr("a profile needs a `column`"));
  EXPECT_THAT(message_of([&] { got_of("column = \"density\"\ntime = -1\nat_least = 0\n"); }),
              HasSubstr("it has no rows up to t = -1 s"));
}

TEST_F(ValidationTest, AProfileMayBeACurveOverY) {
  const Done run = done("a");
  write("a/profiles_y.csv", "time [s],iterations,y [m],density [1/m3]\n0,0,0.5,1\n0,0,1.5,1\n0,3,0.5,4\n0,3,1.5,6\n");
  const std::string profile = "[[check]]\nquantity = \"q\"\ntable = \"profiles_y\"\nalong = \"profile_y\"\n";
  const auto got_of = [&](const std::string& keys) { return check(plan(profile + keys), {run})[0].got; };
  EXPECT_EQ(got_of("column = \"density\"\nfrom = 1\nat_least = 0\n"), "6");
  write("exact_y.csv", "y [m],n\n1,2\n");
  EXPECT_EQ(got_of("column = \"density\"\ntake = \"rms_error\"\nreference = \"exact_y.csv\"\n"
                   "reference_column = \"n\"\nat_most = 9\n"),
            "3");
  EXPECT_THAT(message_of([&] { got_of("take = \"mean\"\nat_least = 0\n"); }), HasSubstr("a profile needs a `column`"));
}

TEST_F(ValidationTest, ARunMayNeedTheCpu) {
  const Plan with = plan(
      "[[run]]\nname = \"c\"\non_cpu = true\n[[check]]\nquantity = \"q\"\ntable = \"t\"\ntake = "
      "\"mean\"\nexpected = 1\n");
  ASSERT_EQ(with.runs.size(), 3u);
  EXPECT_FALSE(with.runs[0].on_cpu);
  EXPECT_TRUE(with.runs[2].on_cpu);
}

TEST_F(ValidationTest, ChecksAreOnlyOfTheRunsThatTheyName) {
  const Done a = done("a"), b = done("b");
  for (const char* name : {"a/t.csv", "b/t.csv"}) write(name, "time [s],p [Pa]\n0,5\n");
  const std::string one = "[[check]]\nquantity = \"q\"\ntable = \"t\"\ntime = 0\nexpected = 5\n";
  EXPECT_EQ(check(plan(one), {a, b}).size(), 2u);
  const std::vector<Finding> findings = check(plan(one + "runs = [\"b\"]\n"), {a, b});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].run, "b");
}

TEST_F(ValidationTest, PlotsTheCurvesThatHaveAReference) {
  write("r.csv", "time,p\n0,1\n1,2\n");
  const Done run = done("a");
  write("a/t.csv", "time [s],p [Pa]\n0,5\n1,6\n");
  write_plots(plan("[[check]]\nquantity = \"p at 0.2 H\"\ntable = \"t\"\ntime = 1\nreference = \"r.csv\"\n"), run);
  EXPECT_THAT(read_text(run.folder / "p_at_0.2_H.svg"), HasSubstr("reference"));
}

TEST_F(ValidationTest, MistakesAreNamed) {
  const std::string start = "[[check]]\nquantity = \"q\"\ntable = \"t\"\n";
  EXPECT_THAT(message(start + "time = 1\n"),
              HasSubstr("validation.toml:8: this check has 0 things to be held against"));
  EXPECT_THAT(message(start + "time = 1\nexpected = 1\nat_most = 2\n"), HasSubstr("has 2 things"));
  EXPECT_THAT(message(start + "expected = 1\n"), HasSubstr("`take` = \"value\" needs a `time`"));
  EXPECT_THAT(message(start + "take = \"rms_error\"\nat_most = 1\n"), HasSubstr("needs a `reference`"));
  EXPECT_THAT(message(start + "take = \"share_within\"\nreference = \"r\"\nat_most = 1\n"), HasSubstr("`band` has 0"));
  EXPECT_THAT(message(start + "time = 1\nexpected = 1\nruns = [\"c\"]\n"),
              HasSubstr("the run \"c\", which is not there; the file has a, b"));
  EXPECT_THAT(message(start + "time = 1\nexpectd = 1\n"), HasSubstr("did you mean `check.0.expected`"));
  EXPECT_THAT(message(""), HasSubstr("it has 2 runs and 0 checks"));
  EXPECT_THAT(message("[[run]]\nname = \"a\"\n" + start + "time = 1\nexpected = 1\n"),
              HasSubstr("name of an earlier run"));
  EXPECT_THAT(message_of([&] { validation::read(folder / "none"); }), HasSubstr("validation.toml: cannot read"));
}

TEST(Validations, OfTheCasesOfThisRepositoryCanRun) {
  int validations = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SHOAL_CASES)) {
    if (!std::filesystem::exists(entry.path() / "validation.toml")) continue;
    ++validations;
    const Plan plan = validation::read(entry.path());
    for (const validation::Run& run : plan.runs) {
      const CaseSource source{plan.folder / run.case_file, run.set};
      EXPECT_EQ(message_of([&] { probes_of(source); }), "no error") << entry.path();
    }
    for (const Check& check : plan.checks)
      for (const Curve& curve : references_of(check, plan)) EXPECT_GE(curve.time.size(), 1u) << check.quantity;
    EXPECT_TRUE(std::filesystem::exists(entry.path() / "README.md")) << entry.path();
  }
  EXPECT_GE(validations, 6);
}

/// Profiles and their references have one unit, in which reports draw them.
TEST(ValidationsOfCases, DoNotScaleProfilesWithAReference) {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SHOAL_CASES)) {
    if (!std::filesystem::exists(entry.path() / "validation.toml")) continue;
    for (const Check& check : validation::read(entry.path()).checks) {
      if (!is_profile(check.along) || check.reference.empty()) continue;
      EXPECT_TRUE(check.unit == 1 && check.zero == 0 && check.time_unit == 1 && check.time_zero == 0) << check.place;
      ++seen;
    }
  }
  EXPECT_GT(seen, 10);
}

}  // namespace
}  // namespace shoal::io::validation
