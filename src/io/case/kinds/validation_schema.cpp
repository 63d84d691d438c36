// SPDX-License-Identifier: Apache-2.0
#include "io/case/kinds/validation_schema.hpp"

namespace shoal::io {

using namespace validation;

namespace {

Section<Run> run_keys() {
  return {"run",
          Shape::list,
          true,
          {key<Run>("name", &Run::name, {.meaning = "of the run, and of its folder", .required = true}),
           key<Run>("case", &Run::case_file, {.meaning = "case file, beside this one"}),
           key<Run>("size", &Run::size, {.meaning = "the run is left out where only smaller ones are asked for"}),
           key<Run>("set", &Run::set, {.meaning = "key=value, each in place of the case's"})}};
}

Section<Check> check_keys() {
  const Condition<Check> line{"along", "line", [](const Check& c) { return c.along == Along::line; }};
  const Condition<Check> threshold{"take", "first_above or last_above", [](const Check& c) {
                                     return c.take == Take::first_above || c.take == Take::last_above;
                                   }};
  const Condition<Check> band{"take", "share_within", [](const Check& c) { return c.take == Take::share_within; }};
  return {
      "check",
      Shape::list,
      true,
      {key<Check>("quantity", &Check::quantity, {.meaning = "what is checked, for people", .required = true}),
       key<Check>("runs", &Check::runs, {.meaning = "that it is about; by default all"}),
       key<Check>("table", &Check::table, {.meaning = "of the run: front is front.csv", .required = true}),
       key<Check>("column", &Check::column, {.meaning = "of the table, without unit; by default the first after time"}),
       key<Check>("along", &Check::along,
                  {.meaning = "a column over time, the points of a line at a time, or their mean over time"}),
       key<Check>("take", &Check::take, {.meaning = "what of the curve is looked at"}),
       key<Check>("time", &Check::time, {.meaning = "of a value; of a line, s, the row: by default the last"}),
       key<Check>("from", &Check::from, {.meaning = "where the part of the curve that counts begins"}),
       key<Check>("to", &Check::to, {.meaning = "where it ends"}),
       key<Check>("threshold", &Check::threshold, {.meaning = "to be above", .only_with = threshold}),
       key<Check>("window", &Check::window,
                  {.meaning = "scaled: values are means over so much time around them", .range = not_negative}),
       key<Check>("time_zero", &Check::time_zero, {.meaning = "times (places) are (t - time_zero) / time_unit"}),
       key<Check>("time_unit", &Check::time_unit, {.meaning = "s (of a line m)", .range = positive}),
       key<Check>("zero", &Check::zero, {.meaning = "values are (value - zero) / unit"}),
       key<Check>("unit", &Check::unit, {.meaning = "in the unit of the column", .range = positive}),
       key<Check>("expected", &Check::expected, {.meaning = "the right answer"}),
       key<Check>("reference", &Check::reference,
                  {.meaning = "in place of `expected`: a table beside this file, scaled as the curve is"}),
       key<Check>("reference_column", &Check::reference_column, {.meaning = "of it; by default the first after time"}),
       key<Check>("band", &Check::band,
                  {.meaning = "columns of the reference: the lower and the upper end", .only_with = band}),
       key<Check>("tolerance", &Check::tolerance, {.meaning = "of what is expected", .range = not_negative}),
       key<Check>("relative_tolerance", &Check::relative_tolerance,
                  {.meaning = "as a share of what is expected", .range = not_negative}),
       key<Check>("at_least", &Check::at_least, {.meaning = "in place of `expected`"}),
       key<Check>("at_most", &Check::at_most, {.meaning = "in place of `expected`"}),
       key<Check>("falls", &Check::falls, {.meaning = "in place of `expected`: smaller from run to run"})}};
}

}  // namespace

const ValidationSchema& validation_schema() {
  static const ValidationSchema table{
      {"", Shape::table, true, {key<Plan>("title", &Plan::title, {.meaning = "for people"})}},
      run_keys(),
      check_keys()};
  return table;
}

}  // namespace shoal::io
