// SPDX-License-Identifier: Apache-2.0
#include "io/case/kinds/validation/validation_schema.hpp"

namespace shoal::io {

using namespace validation;

namespace {

Section<Run> run_keys() {
  return {"run",
          Shape::list,
          true,
          {key<Run>("name", &Run::name, {.meaning = "name of the run and of its folder", .required = true}),
           key<Run>("case", &Run::case_file, {.meaning = "case file, relative to this file"}),
           key<Run>("size", &Run::size, {.meaning = "size of the run; `shoal validate --size` skips larger runs"}),
           key<Run>("set", &Run::set, {.meaning = "key=value, each replaces a value of the case"}),
           key<Run>("on_cpu", &Run::on_cpu, {.meaning = "true: runs on the CPU, whatever device the others run on"})}};
}

Section<Check> check_keys() {
  const Condition<Check> threshold{"take", "first_above or last_above", [](const Check& c) {
                                     return c.take == Take::first_above || c.take == Take::last_above;
                                   }};
  const Condition<Check> band{"take", "share_within", [](const Check& c) { return c.take == Take::share_within; }};
  return {
      "check",
      Shape::list,
      true,
      {key<Check>("quantity", &Check::quantity, {.meaning = "name of the checked quantity", .required = true}),
       key<Check>("runs", &Check::runs, {.meaning = "names of the runs to check; by default all"}),
       key<Check>("table", &Check::table, {.meaning = "table of the run: front is front.csv", .required = true}),
       key<Check>("column", &Check::column, {.meaning = "of the table, without unit; by default the first after time"}),
       key<Check>(
           "along", &Check::along,
           {.meaning =
                "a column over time, the points of a line at a time, their mean over time, or a column over x, y or a "
                "velocity at a time"}),
       key<Check>("take", &Check::take, {.meaning = "number to take from the curve"}),
       key<Check>("time", &Check::time,
                  {.meaning = "of a value; of a line or profile, s, the row: by default the last"}),
       key<Check>("from", &Check::from, {.meaning = "start of the part of the curve to check"}),
       key<Check>("to", &Check::to, {.meaning = "end of that part"}),
       key<Check>("threshold", &Check::threshold,
                  {.meaning = "threshold that the curve exceeds", .only_with = threshold}),
       key<Check>("window", &Check::window,
                  {.meaning = "scaled: values are means over so much time around them", .range = not_negative}),
       key<Check>("time_zero", &Check::time_zero, {.meaning = "times (places) are (t - time_zero) / time_unit"}),
       key<Check>("time_unit", &Check::time_unit, {.meaning = "s (of a line or profile m)", .range = positive}),
       key<Check>("zero", &Check::zero, {.meaning = "values are (value - zero) / unit"}),
       key<Check>("unit", &Check::unit, {.meaning = "in the unit of the column", .range = positive}),
       key<Check>("expected", &Check::expected, {.meaning = "expected value"}),
       key<Check>("reference", &Check::reference,
                  {.meaning = "instead of `expected`: a table of scaled values, relative to this file"}),
       key<Check>("reference_column", &Check::reference_column,
                  {.meaning = "column of the reference; by default the first after time"}),
       key<Check>("band", &Check::band,
                  {.meaning = "columns of the reference: lower and upper bound", .only_with = band}),
       key<Check>("tolerance", &Check::tolerance, {.meaning = "absolute tolerance", .range = not_negative}),
       key<Check>("relative_tolerance", &Check::relative_tolerance,
                  {.meaning = "tolerance relative to the expected value", .range = not_negative}),
       key<Check>("at_least", &Check::at_least, {.meaning = "instead of `expected`"}),
       key<Check>("at_most", &Check::at_most, {.meaning = "instead of `expected`"}),
       key<Check>("falls", &Check::falls, {.meaning = "instead of `expected`: the value decreases from run to run"})}};
}

}  // namespace

const ValidationSchema& validation_schema() {
  static const ValidationSchema table{
      {"", Shape::table, true, {key<Plan>("title", &Plan::title, {.meaning = "title for output and messages"})}},
      run_keys(),
      check_keys()};
  return table;
}

}  // namespace shoal::io
