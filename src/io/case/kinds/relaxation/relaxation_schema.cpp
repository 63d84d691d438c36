// SPDX-License-Identifier: Apache-2.0
#include "io/case/kinds/relaxation/relaxation_schema.hpp"

namespace shoal::io {

using relaxation::Case;
using relaxation::Distribution;
using relaxation::Initial;

namespace {

Section<Case> top_keys() {
  return {"", Shape::table, true, {key<Case>("title", &Case::title, {.meaning = "title for output and messages"})}};
}

Section<Case> run_keys() {
  return {"run",
          Shape::table,
          true,
          {key<Case>("duration", &Case::duration,
                     {.meaning = "physical time to run", .unit = "s", .required = true, .range = positive}),
           key<Case>("output_every", &Case::output_every,
                     {.meaning = "time between rows; 0: at the start and the end", .unit = "s", .range = not_negative}),
           key<Case>("precision", &Case::precision, {.meaning = "precision of the distribution"})}};
}

Section<VelocityGrid> grid_keys() {
  using Grid = VelocityGrid;
  return {"grid",
          Shape::table,
          true,
          {key<Grid>("nodes", &Grid::nodes, {.meaning = "number of nodes along each axis", .range = {8, 128}}),
           key<Grid>("half_width", &Grid::half_width,
                     {.meaning = "distance from the center of the box to each face",
                      .unit = "m/s",
                      .required = true,
                      .range = positive}),
           key<Grid>("center", &Grid::center, {.meaning = "center of the box", .unit = "m/s", .three_numbers = true})}};
}

Section<Molecules> gas_keys() {
  const Condition<Molecules> maxwell{"model", "maxwell",
                                     [](const Molecules& m) { return m.model == MoleculeModel::maxwell; }};
  const Condition<Molecules> vss{"model", "vss", [](const Molecules& m) { return m.model == MoleculeModel::vss; }};
  return {
      "gas",
      Shape::table,
      false,
      {key<Molecules>("model", &Molecules::model, {.meaning = "molecular model"}),
       key<Molecules>("rate", &Molecules::rate,
                      {.meaning = "|V| sigma_T: collisions of a molecule a second and density",
                       .unit = "m3/s",
                       .range = positive,
                       .only_with = maxwell}),
       key<Molecules>(
           "diameter", &Molecules::diameter,
           {.meaning = "all but maxwell; vhs, vss: at the reference temperature", .unit = "m", .range = not_negative}),
       key<Molecules>("viscosity_exponent", &Molecules::viscosity_exponent,
                      {.meaning = "vhs, vss: omega, 0.5 (hard spheres) to 1 (Maxwell)", .range = {0.5, 1}}),
       key<Molecules>("reference_temperature", &Molecules::reference_temperature,
                      {.meaning = "vhs, vss", .unit = "K", .range = not_negative}),
       key<Molecules>("mass", &Molecules::mass, {.meaning = "vhs, vss, mixtures", .unit = "kg", .range = not_negative}),
       key<Molecules>("scattering_exponent", &Molecules::scattering_exponent,
                      {.meaning = "exponent alpha; 1 is isotropic", .range = {1, 2}, .only_with = vss})}};
}

Section<SecondGas> second_gas_keys() {
  return {
      "second_gas",
      Shape::table,
      false,
      {key<SecondGas>("mass", &SecondGas::mass,
                      {.meaning = "mass of a molecule, in the unit of gas.mass", .required = true, .range = positive}),
       key<SecondGas>("rate", &SecondGas::rate,
                      {.meaning = "maxwell: as gas.rate, of this gas", .unit = "m3/s", .range = positive}),
       key<SecondGas>("diameter", &SecondGas::diameter,
                      {.meaning = "hard_sphere: diameter", .unit = "m", .range = not_negative}),
       key<SecondGas>("cross_rate", &SecondGas::cross_rate,
                      {.meaning = "maxwell: as gas.rate, of unlike molecules", .unit = "m3/s", .range = positive}),
       key<SecondGas>("cross_diameter", &SecondGas::cross_diameter,
                      {.meaning = "hard_sphere: diameter of unlike molecules; 0: the mean of both",
                       .unit = "m",
                       .range = not_negative})}};
}

Section<Initial> initial_keys(const char* name) {
  const Condition<Initial> bkw{"distribution", "bkw",
                               [](const Initial& i) { return i.distribution == Distribution::bkw; }};
  const Condition<Initial> beams{"distribution", "two_beams",
                                 [](const Initial& i) { return i.distribution == Distribution::two_beams; }};
  const Condition<Initial> file{"distribution", "file",
                                [](const Initial& i) { return i.distribution == Distribution::file; }};
  return {
      name,
      Shape::table,
      false,
      {key<Initial>("distribution", &Initial::distribution,
                    {.meaning = "initial distribution: the solution of Bobylev, Krook and Wu, two Maxwellians, one "
                                "Maxwellian, or a file"}),
       key<Initial>("density", &Initial::density,
                    {.meaning = "density, except for files", .unit = "1/m3", .range = positive}),
       key<Initial>(
           "temperature", &Initial::temperature,
           {.meaning = "k T / m, except for files; for two_beams of each beam", .unit = "m2/s2", .range = positive}),
       key<Initial>("velocity", &Initial::velocity,
                    {.meaning = "mean velocity, except for files", .unit = "m/s", .three_numbers = true}),
       key<Initial>("amplitude", &Initial::amplitude,
                    {.meaning = "1 - K at the start; above 0.4 f is negative", .range = {0, 0.4}, .only_with = bkw}),
       key<Initial>("apart", &Initial::apart,
                    {.meaning = "velocity of the beams relative to the mean, with opposite signs",
                     .unit = "m/s",
                     .only_with = beams,
                     .three_numbers = true}),
       key<Initial>("file", &Initial::file,
                    {.meaning = ".npy or .h5 file with a number for each node, relative to the case file",
                     .required = true,
                     .only_with = file}),
       key<Initial>("dataset", &Initial::dataset, {.meaning = "dataset of a .h5 file", .only_with = file})}};
}

Section<CollisionOptions> collision_keys() {
  using Options = CollisionOptions;
  const auto with = [](CollisionApproach approach) {
    return Condition<Options>{"approach", std::string(to_name(approach)),
                              [approach](const Options& o) { return o.approach == approach; }};
  };
  const Condition<Options> interpolated = with(CollisionApproach::interpolated);
  const Condition<Options> statistical{"integration", "statistical", [](const Options& o) {
                                         return o.integration == CollisionIntegration::statistical;
                                       }};
  const Condition<Options> conservative = with(CollisionApproach::conservative);
  const Condition<Options> spectral = with(CollisionApproach::spectral);
  return {
      "collision",
      Shape::table,
      false,
      {key<Options>("approach", &Options::approach, {.meaning = "discretization of the collision integral"}),
       key<Options>("method", &Options::method,
                    {.meaning = "method of `shoal methods`; auto: the best deterministic one for the device"}),
       key<Options>("directions", [](auto& o) -> auto& { return o.directions.family; },
                    {.meaning = "designs have equal weights, octahedral rules the symmetry of the cube"}),
       key<Options>("degree", [](auto& o) -> auto& { return o.directions.degree; },
                    {.meaning = "degree of the polynomials that the quadrature of directions integrates exactly",
                     .range = {1, 19}}),
       key<Options>("half_sphere", [](auto& o) -> auto& { return o.directions.half; },
                    {.meaning = "one of each two opposite directions: the same sums in half the work"}),
       key<Options>(
           "support", &Options::support,
           {.meaning = "interpolated, conservative: all nodes collide, or those with |v - center| <= half_width"}),
       key<Options>("interpolation", &Options::interpolation,
                    {.meaning = "interpolation between the nodes", .only_with = interpolated}),
       key<Options>(
           "over_maxwellian", &Options::over_maxwellian,
           {.meaning = "interpolate f / M, M the Maxwellian of f: equilibrium stays", .only_with = interpolated}),
       key<Options>(
           "integration", &Options::integration,
           {.meaning = "sum over all partners and directions, or mean over random ones", .only_with = interpolated}),
       key<Options>(
           "samples", &Options::samples,
           {.meaning = "number of random collisions of each node", .range = {1, 1e9}, .only_with = statistical}),
       key<Options>("seed", &Options::seed,
                    {.meaning = "seed of the random collisions", .range = not_negative, .only_with = statistical}),
       key<Options>("stencil", &Options::stencil,
                    {.meaning = "stencil of nodes that receive the mass of a collision", .only_with = conservative}),
       key<Options>("symmetrized", &Options::symmetrized,
                    {.meaning = "inverse collisions too: entropy never falls", .only_with = conservative}),
       key<Options>("radii", &Options::radii,
                    {.meaning = "number of Gauss points of |V|", .range = {2, 256}, .only_with = spectral}),
       key<Options>(
           "cutoff", &Options::cutoff,
           {.meaning = "spectral, carleman: largest |V|; 0: from the box", .unit = "m/s", .range = not_negative}),
       key<Options>("equilibrium_preserving", &Options::equilibrium_preserving,
                    {.meaning = "Q(f) - Q(M), M the Maxwellian of f"}),
       key<Options>("projection", &Options::projection,
                    {.meaning = "the smallest change that keeps mass, momentum and energy"}),
       key<Options>("negative", &Options::negative,
                    {.meaning = "treatment of values of f that a step makes negative"})}};
}

Section<RelaxationOptions> scheme_keys() {
  using Options = RelaxationOptions;
  return {"scheme",
          Shape::table,
          false,
          {key<Options>("integrator", &Options::scheme, {.meaning = "explicit Runge-Kutta method"}),
           key<Options>("step", &Options::step,
                        {.meaning = "0: step_share of the bound", .unit = "s", .range = not_negative}),
           key<Options>("step_share", &Options::step_share,
                        {.meaning = "time step relative to the stability bound 1 / max nu", .range = {0, 1, true}})}};
}

}  // namespace

const RelaxationSchema& relaxation_schema() {
  static const RelaxationSchema table{top_keys(),
                                      run_keys(),
                                      grid_keys(),
                                      gas_keys(),
                                      second_gas_keys(),
                                      initial_keys("initial"),
                                      initial_keys("second_initial"),
                                      collision_keys(),
                                      scheme_keys()};
  return table;
}

}  // namespace shoal::io
