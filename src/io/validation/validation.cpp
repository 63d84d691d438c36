// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/validation.hpp>

#include <shoal/io/output_file.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "io/case/document/case_reader.hpp"
#include "io/case/kinds/validation/validation_schema.hpp"
#include "io/validation/validation_curve.hpp"

namespace shoal::io::validation {

namespace {

bool compares_curves(Take take) { return take == Take::rms_error || take == Take::share_within; }

void require_sense(const Check& check, const std::set<std::string>& runs) {
  const auto fail = [&](const auto&... parts) { throw Error(text(check.place, ": ", parts...)); };
  for (const std::string& name : check.runs)
    if (!runs.contains(name))
      fail("this check is about the run \"", name, "\", which is not there; the file has ",
           join({runs.begin(), runs.end()}), ".");
  const bool has_bounds = check.at_least || check.at_most;
  const bool has_answer = check.expected || (!check.reference.empty() && !compares_curves(check.take));
  if (int{has_bounds} + int{has_answer} + int{check.falls} != 1)
    fail("this check has ", int{has_bounds} + int{has_answer} + int{check.falls},
         " things to be held against, expected one of expected, reference, falls, or at_least and at_most.");
  if (compares_curves(check.take) && check.reference.empty())
    fail("`take` = \"", to_name(check.take), "\" needs a `reference`.");
  if (check.take == Take::share_within && check.band.size() != 2)
    fail("`band` has ", check.band.size(), " columns, expected the one of the lower and the one of the upper end.");
  if (check.take == Take::value && !check.time && !has_places(check.along)) fail("`take` = \"value\" needs a `time`.");
  if (is_profile(check.along) && check.column.empty()) fail("a profile needs a `column` of ", check.table, ".csv.");
}

std::string number_text(double value) {
  std::ostringstream out;
  out.precision(4);
  out << value;
  return out.str();
}

/// Returns the expected value of a check, from its key or its reference.
double expected_of(const Check& check, const Plan& plan) {
  if (check.expected) return *check.expected;
  return taken(check, references_of(check, plan).at(0), {});
}

void judge(const Check& check, const Plan& plan, double got, Finding& finding) {
  if (check.at_least || check.at_most) {
    const double least = check.at_least.value_or(-INFINITY), most = check.at_most.value_or(INFINITY);
    finding.passed = got >= least && got <= most;
    if (check.at_least && check.at_most)
      finding.expected = number_text(least) + " to " + number_text(most);
    else
      finding.expected = check.at_least ? "at least " + number_text(least) : "at most " + number_text(most);
    return;
  }
  const double expected = expected_of(check, plan);
  const double tolerance = check.tolerance + check.relative_tolerance * std::abs(expected);
  finding.expected = number_text(expected);
  finding.tolerance = number_text(tolerance);
  finding.passed = std::abs(got - expected) <= tolerance;
}

bool is_about(const Check& check, const Run& run) {
  return check.runs.empty() || std::find(check.runs.begin(), check.runs.end(), run.name) != check.runs.end();
}

double answer(const Check& check, const Plan& plan, const Done& done) {
  const Curve curve = curve_of(check, done);
  // Comparisons restrict the reference curve instead, because rounding may end the run just before the reference.
  return taken(check, compares_curves(check.take) ? curve : within(curve, check), references_of(check, plan));
}

/// Returns one finding for all runs: each value must be smaller than that of the previous run.
Finding falling(const Check& check, const Plan& plan, const std::vector<Done>& runs) {
  Finding finding{{}, check.quantity, {}, "smaller from run to run", {}, true};
  std::vector<std::string> names, numbers;
  double before = INFINITY;
  for (const Done& done : runs) {
    if (!is_about(check, done.run)) continue;
    const double got = answer(check, plan, done);
    names.push_back(done.run.name);
    numbers.push_back(number_text(got));
    finding.passed = finding.passed && got < before;
    before = got;
  }
  finding.run = join(names);
  finding.got = join(numbers);
  return finding;
}

}  // namespace

Plan read(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "validation.toml";
  const Document document(case_file_content(file), file.string(), {});
  SectionReader sections(document);
  Plan plan = read_sections(validation_schema(), document, sections);
  plan.folder = folder;
  require(!plan.runs.empty() && !plan.checks.empty(), file.string(), ": it has ", plan.runs.size(), " runs and ",
          plan.checks.size(), " checks, expected at least one [[run]] and one [[check]].");
  std::set<std::string> names;
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    const std::string key = text("run.", i, ".name");
    require_file_name(plan.runs[i].name, text(sections.where(key), ": `", key, "`"));
    require(names.insert(plan.runs[i].name).second, sections.where(key), ": `", key, "` = \"", plan.runs[i].name,
            "\" is the name of an earlier run, too; expected different names.");
  }
  for (std::size_t i = 0; i < plan.checks.size(); ++i) {
    plan.checks[i].place = sections.where(text("check.", i, ".quantity"));
    require_file_name(plan.checks[i].table, text(plan.checks[i].place, ": `table`"));
    require_sense(plan.checks[i], names);
  }
  return plan;
}

std::vector<Finding> check(const Plan& plan, const std::vector<Done>& runs) {
  std::vector<Finding> findings;
  for (const Check& check : plan.checks) {
    const auto about = std::count_if(runs.begin(), runs.end(), [&](const Done& d) { return is_about(check, d.run); });
    if (check.falls) {
      if (about >= 2) findings.push_back(falling(check, plan, runs));
      continue;
    }
    for (const Done& done : runs) {
      if (!is_about(check, done.run)) continue;
      const double got = answer(check, plan, done);
      Finding finding{done.run.name, check.quantity, number_text(got), {}, {}, false};
      judge(check, plan, got, finding);
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

}  // namespace shoal::io::validation
