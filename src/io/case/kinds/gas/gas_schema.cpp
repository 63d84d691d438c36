// SPDX-License-Identifier: Apache-2.0
#include "io/case/kinds/gas/gas_schema.hpp"

#include <optional>

#include "io/case/kinds/relaxation/relaxation_schema.hpp"

namespace shoal::io {

using gas::Case;
using gas::Cells;
using gas::Knudsen;
using gas::Probe;
using gas::Region;

namespace {

Section<Case> top_keys() {
  return {"", Shape::table, true, {key<Case>("title", &Case::title, {.meaning = "title for output and messages"})}};
}

Section<Case> run_keys() {
  return {
      "run",
      Shape::table,
      false,
      {key<Case>(
           "duration", &Case::duration,
           {.meaning = "physical time to run, before the iteration of [steady]", .unit = "s", .range = not_negative}),
       key<Case>("output_every", &Case::output_every,
                 {.meaning = "time between profiles; 0: at the start and the end", .unit = "s", .range = not_negative}),
       key<Case>(
           "restart_every", &Case::restart_every,
           {.meaning = "wall time between restarts; 0: at the end only", .unit = "minutes", .range = not_negative}),
       key<Case>("precision", &Case::precision, {.meaning = "precision of the distribution"})}};
}

Section<Cells> cells_keys(const char* name, const char* first, const char* last) {
  return {name,
          Shape::table,
          false,
          {key<Cells>("from", &Cells::begin, {.meaning = first, .unit = "m"}),
           key<Cells>("to", &Cells::end, {.meaning = last, .unit = "m"}),
           key<Cells>("count", &Cells::count, {.meaning = "number of cells", .range = {2, 1e6}}),
           key<Cells>("wall_ratio", &Cells::wall_ratio,
                      {.meaning = "width of a cell / width of its neighbor toward the end", .range = {1, 2}})}};
}

Section<Knudsen> knudsen_keys() {
  return {
      "knudsen",
      Shape::table,
      false,
      {key<Knudsen>("number", &Knudsen::number,
                    {.meaning = "mean free path / length; determines rate or diameter of [gas]",
                     .required = true,
                     .range = positive}),
       key<Knudsen>("mean_free_path", &Knudsen::mean_free_path,
                    {.meaning = "definition of the mean free path", .required = true}),
       key<Knudsen>("length", &Knudsen::length, {.meaning = "length of the number", .unit = "m", .range = positive}),
       key<Knudsen>("density", &Knudsen::density,
                    {.meaning = "density of the state with this number", .unit = "1/m3", .range = positive}),
       key<Knudsen>("temperature", &Knudsen::temperature,
                    {.meaning = "k T / m of that state", .unit = "m2/s2", .range = positive})}};
}

Key<Region> region_end(const char* name, std::optional<double> Region::*member, const char* meaning) {
  return key<Region>(name, member, {.meaning = meaning, .unit = "m", .has_no_default = true});
}

Section<Region> start_keys() {
  return {
      "start",
      Shape::list,
      false,
      {region_end("from", &Region::begin, "left end; by default that of the cells"),
       region_end("to", &Region::end, "right end; by default that of the cells"),
       region_end("from_y", &Region::bottom, "lower end in a plane; by default that of the cells"),
       region_end("to_y", &Region::top, "upper end in a plane; by default that of the cells"),
       key<Region>("density", &Region::density, {.meaning = "density", .unit = "1/m3", .range = positive}),
       key<Region>("temperature", &Region::temperature, {.meaning = "k T / m", .unit = "m2/s2", .range = positive}),
       key<Region>("velocity", &Region::velocity, {.meaning = "mean velocity", .unit = "m/s", .three_numbers = true}),
       key<Region>("second_density", &Region::second_density,
                   {.meaning = "density of the second gas, which has this k T and velocity",
                    .unit = "1/m3",
                    .range = positive})}};
}

Section<GasBoundary> boundary_keys(const char* name) {
  using Boundary = GasBoundary;
  const Condition<Boundary> diffuse{"kind", "diffuse",
                                    [](const Boundary& b) { return b.kind == GasBoundaryKind::diffuse; }};
  const Condition<Boundary> reservoir{
      "kind", "inflow\" or \"behind_shock",
      [](const Boundary& b) { return b.kind == GasBoundaryKind::inflow || b.kind == GasBoundaryKind::behind_shock; }};
  return {
      name,
      Shape::table,
      false,
      {key<Boundary>("kind", &Boundary::kind, {.meaning = "boundary at this end of the line, or side of the plane"}),
       key<Boundary>("temperature", &Boundary::temperature,
                     {.meaning = "all but specular, periodic: k T / m", .unit = "m2/s2", .range = positive}),
       key<Boundary>(
           "last_temperature", &Boundary::last_temperature,
           {.meaning = "diffuse side of a plane: temperature at its right or upper end, linear from the other",
            .unit = "m2/s2",
            .has_no_default = true,
            .range = positive,
            .only_with = diffuse}),
       key<Boundary>("velocity", &Boundary::velocity,
                     {.meaning = "all but specular, periodic: velocity", .unit = "m/s", .three_numbers = true}),
       key<Boundary>(
           "density", &Boundary::density,
           {.meaning = "density of the reservoir", .unit = "1/m3", .range = positive, .only_with = reservoir}),
       key<Boundary>("second_density", &Boundary::second_density,
                     {.meaning = "density of the second gas of the reservoir, which has this k T and velocity",
                      .unit = "1/m3",
                      .range = positive,
                      .only_with = reservoir}),
       key<Boundary>("accommodation", &Boundary::accommodation,
                     {.meaning = "share of molecules that the wall emits; it reflects the others specularly",
                      .range = {0, 1},
                      .only_with = diffuse})}};
}

Section<GasOptions> scheme_keys() {
  using Options = GasOptions;
  return {
      "scheme",
      Shape::table,
      false,
      {key<Options>("model", &Options::model,
                    {.meaning = "collision term; boltzmann: the integral of [collision]; none: free-molecular flow"}),
       key<Options>("prandtl", &Options::prandtl,
                    {.meaning = "es_bgk, shakhov: Prandtl number", .range = {0, 1, true}}),
       key<Options>("limiter", &Options::limiter, {.meaning = "limiter of the slopes of f; none: first order"}),
       key<Options>("step_share", &Options::step_share,
                    {.meaning = "time step relative to the longest that keeps f positive", .range = {0, 1, true}})}};
}

Section<GasGradients> gradients_keys() {
  using Gradients = GasGradients;
  return {"gradients",
          Shape::table,
          false,
          {key<Gradients>("pressure", &Gradients::pressure,
                          {.meaning = "small gradient of ln p along y, which drives a flow", .unit = "1/m"}),
           key<Gradients>("temperature", &Gradients::temperature,
                          {.meaning = "small gradient of ln T along y: thermal creep", .unit = "1/m"}),
           key<Gradients>("base_density", &Gradients::base_density,
                          {.meaning = "density of the gas at rest", .unit = "1/m3", .range = positive}),
           key<Gradients>("base_temperature", &Gradients::base_temperature,
                          {.meaning = "k T / m of the gas at rest", .unit = "m2/s2", .range = positive})}};
}

Section<SteadyOptions> steady_keys() {
  using Options = SteadyOptions;
  return {"steady",
          Shape::table,
          false,
          {key<Options>("method", &Options::method, {.meaning = "steps in time, or sweeps along the velocities"}),
           key<Options>("continuation", &Options::continuation,
                        {.meaning = "boltzmann: cheaper collision term whose steady state the iteration begins with"}),
           key<Options>("correction", &Options::correction,
                        {.meaning = "boltzmann, sweeps: cheaper collision term of a defect correction, which saves "
                                    "evaluations of the integral"}),
           key<Options>("correction_sweeps", &Options::correction_sweeps,
                        {.meaning = "sweeps of each correction", .range = {1, 1e6}}),
           key<Options>(
               "anderson", &Options::anderson,
               {.meaning = "previous iterations that Anderson's acceleration combines; 0: none", .range = {0, 50}}),
           key<Options>(
               "residual", &Options::residual,
               {.meaning = "share of molecules that changes while one crosses the line, at which the iteration ends",
                .range = positive}),
           key<Options>("max_iterations", &Options::max_iterations,
                        {.meaning = "number of iterations after which it ends without", .range = {1, 1e9}})}};
}

Section<Probe> probe_keys() {
  return {
      "probe",
      Shape::list,
      false,
      {key<Probe>("name", &Probe::name,
                  {.meaning = "name of the probe and of its files NAME.npy and NAME.csv; by default probe, numbered if "
                              "repeated"}),
       key<Probe>("x", &Probe::x,
                  {.meaning = "position of the point at which f is recorded", .unit = "m", .required = true}),
       key<Probe>("y", &Probe::y, {.meaning = "its y in a plane", .unit = "m", .has_no_default = true})}};
}

}  // namespace

const GasSchema& gas_schema() {
  const RelaxationSchema& shared = relaxation_schema();
  static const GasSchema table{
      top_keys(),
      run_keys(),
      cells_keys("cells", "left end", "right end"),
      cells_keys("cells_y", "lower end; the section makes the cells those of a plane", "upper end"),
      shared.grid,
      shared.gas,
      shared.second_gas,
      knudsen_keys(),
      start_keys(),
      boundary_keys("left"),
      boundary_keys("right"),
      boundary_keys("bottom"),
      boundary_keys("top"),
      shared.collision,
      scheme_keys(),
      gradients_keys(),
      steady_keys(),
      probe_keys()};
  return table;
}

}  // namespace shoal::io
