// SPDX-License-Identifier: Apache-2.0
#include "io/case/kinds/sph/sph_schema.hpp"

#include <algorithm>
#include <iterator>

#include "io/case/kinds/sph/enumerator_list.hpp"
#include "io/case/kinds/sph/sph_body_schema.hpp"
#include "io/case/kinds/sph/sph_material_schema.hpp"
#include "io/case/kinds/sph/sph_open_boundary_schema.hpp"
#include "io/case/kinds/sph/sph_refinement_schema.hpp"
#include "io/case/kinds/sph/sph_wave_schema.hpp"
#include "io/case/motions/motion_keys.hpp"
#include "io/case/shapes/case_shape.hpp"

namespace shoal::io {

using namespace sph;

namespace {

Section<Case> run_keys() {
  return {
      "run",
      Shape::table,
      true,
      {key<Case>("duration", &Case::duration,
                 {.meaning = "physical time to run", .unit = "s", .required = true, .range = positive}),
       key<Case>("output_every", [](auto& c) -> auto& { return c.output.every; },
                 {.meaning = "time between fields; 0: only the first and the last state",
                  .unit = "s",
                  .range = not_negative}),
       key<Case>(
           "output_times", [](auto& c) -> auto& { return c.output.times; },
           {.meaning = "times at which fields are written, instead of output_every (start and end are always written)",
            .unit = "s",
            .range = not_negative}),
       key<Case>(
           "balance_every", [](auto& c) -> auto& { return c.output.balance_every; },
           {.meaning = "time between rows of balance.csv; 0: as often as fields", .unit = "s", .range = not_negative}),
       key<Case>(
           "restart_every", [](auto& c) -> auto& { return c.output.restart_every; },
           {.meaning = "wall time between restarts; 0: at the end only", .unit = "minutes", .range = not_negative}),
       key<Case>("format", [](auto& c) -> auto& { return c.output.format; }, {.meaning = "file format of the fields"}),
       key<Case>("compression", [](auto& c) -> auto& { return c.output.compression; },
                 {.meaning = "deflate level of VTKHDF fields; 0: none", .range = {0, 9}}),
       key<Case>("vorticity", [](auto& c) -> auto& { return c.output.vorticity; },
                 {.meaning = "true: fields have the vorticity"}),
       key<Case>("precision", &Case::precision, {.meaning = "precision of the solver"}),
       key<Case>("method", &Case::method,
                 {.meaning = "method of `shoal methods`; auto: the best deterministic one for the device"})}};
}

Section<Isosurface> isosurface_keys() {
  return {"isosurface",
          Shape::table,
          false,
          {key<Isosurface>(
               "spacing", &Isosurface::spacing,
               {.meaning = "spacing of the grid; 0: that of the particles", .unit = "m", .range = not_negative}),
           key<Isosurface>("level", &Isosurface::level,
                           {.meaning = "share of the space that fluid fills at the surface", .range = {0, 1}})}};
}

Section<Case> particle_keys() {
  const Condition<Case> by_density{"smoothing_length", "by_density",
                                   [](const Case& c) { return c.smoothing_length == SmoothingLength::by_density; }};
  return {
      "particles",
      Shape::table,
      true,
      {key<Case>("dimensions", &Case::dimensions,
                 {.meaning = "1, 2 or 3; points have as many numbers", .range = {1, 3}}),
       key<Case>("spacing", &Case::spacing,
                 {.meaning = "distance between particles", .unit = "m", .required = true, .range = positive}),
       key<Case>("smoothing", &Case::smoothing, {.meaning = "smoothing length / spacing", .range = positive}),
       key<Case>("smoothing_length", &Case::smoothing_length,
                 {.meaning = "constant, or for each particle from its density (for shocks)"}),
       key<Case>("most_smoothing", &Case::most_smoothing,
                 {.meaning = "smoothing lengths grow to at most this times the largest at the start",
                  .range = {1, 100},
                  .only_with = by_density}),
       key<Case>("most_density_deviation", &Case::most_density_deviation,
                 {.meaning = "fluid whose density differs more from that of its material is dropped and counted; by "
                             "default none",
                  .unit = "kg/m3",
                  .range = positive})}};
}

Section<Box> domain_keys() {
  return {"domain",
          Shape::table,
          false,
          {key<Box>("from", &Box::from,
                    {.meaning = "lower corner; particles that leave the domain are dropped and counted",
                     .unit = "m",
                     .required = true}),
           key<Box>("to", &Box::to, {.meaning = "upper corner", .unit = "m", .required = true})}};
}

template <class T>
void append(std::vector<Key<T>>& keys, std::vector<Key<T>> more) {
  std::move(more.begin(), more.end(), std::back_inserter(keys));
}

Section<Body> body_keys() {
  const Condition<Body> from_file{"particles.file", "FILE",
                                  [](const Body& b) { return !b.particle_file.file.empty(); }};
  Section<Body> section{"body", Shape::list, false, {}};
  append<Body>(section.keys,
               {key<Body>("material", &Body::material, {.meaning = "name of a [material.NAME]", .required = true})});
  append(section.keys, shape_keys<Body>("what particles fill"));
  append<Body>(
      section.keys,
      {key<Body>("particles.file", [](auto& b) -> auto& { return b.particle_file.file; },
                 {.meaning = "in place of a shape: particles from a CSV, NPY or VTK file beside the case file, one "
                             "every spacing^D; docs/points_files.md"}),
       key<Body>("particles.coordinates", [](auto& b) -> auto& { return b.particle_file.coordinates; },
                 {.meaning = "columns of the coordinates in that file; by default x, y, z", .only_with = from_file}),
       key<Body>("particles.velocity", [](auto& b) -> auto& { return b.particle_file.velocity; },
                 {.meaning = "columns of the velocity in that file, m/s; by default the velocity of the body",
                  .only_with = from_file}),
       key<Body>("velocity", &Body::velocity, {.meaning = "initial velocity", .unit = "m/s"}),
       key<Body>("strain_rate", &Body::strain_rate,
                 {.meaning = "adds strain_rate_i x_i to the initial velocity_i", .unit = "1/s"}),
       key<Body>("vortices.speed", [](auto& b) -> auto& { return b.vortices.speed; },
                 {.meaning = "speed of initial Taylor-Green vortices, added to velocity", .unit = "m/s"}),
       key<Body>("vortices.length", [](auto& b) -> auto& { return b.vortices.length; },
                 {.meaning = "wavelength of the vortices", .unit = "m", .range = positive}),
       key<Body>("pressure", &Body::pressure,
                 {.meaning = "initial pressure; hydrostatic: from the depth below the highest point of the body"}),
       key<Body>("spacing", &Body::spacing,
                 {.meaning = "spacing of the particles of a box; by default that of the case",
                  .unit = "m",
                  .range = positive}),
       key<Body>(
           "density", &Body::density,
           {.meaning = "initial density, of a hydrostatic body at its highest point; by default that of the material",
            .unit = "kg/m3",
            .range = positive}),
       key<Body>("energy", &Body::energy, {.meaning = "initial internal energy", .unit = "J/kg"}),
       key<Body>("jitter", &Body::jitter,
                 {.meaning = "particles start off their places by up to so many spacings along each axis",
                  .range = {0, 0.4}})});
  return section;
}

Section<Wall> wall_keys() {
  Section<Wall> section{"wall", Shape::list, false, {}};
  append<Wall>(section.keys, {key<Wall>("name", &Wall::name, {.meaning = "name for messages and probes"})});
  append(section.keys, shape_keys<Wall>("what the walls enclose"));
  append<Wall>(
      section.keys,
      {key<Wall>("solid", &Wall::solid,
                 {.meaning = "true: the wall is the shape itself; false: the wall is around the shape"}),
       key<Wall>("open", &Wall::open, {.meaning = "sides of the box around the shape without a wall"}),
       key<Wall>("layers", &Wall::layers, {.meaning = "number of layers of wall particles", .range = {1, 100}}),
       key<Wall>("material", &Wall::material,
                 {.meaning = "whose reference density and sound speed the walls have; by default that of the "
                             "first material"})});
  append(section.keys, motion_keys<Wall>([](auto& wall) -> auto& { return wall.motion; }));
  return section;
}

Section<Scheme> scheme_keys() {
  const Condition<Scheme> fixed{"time_step", "fixed", [](const Scheme& s) { return s.time_step == TimeStep::fixed; }};
  const Condition<Scheme> cfl{"time_step", "cfl", [](const Scheme& s) { return s.time_step == TimeStep::cfl; }};
  return {
      "scheme",
      Shape::table,
      false,
      {key<Scheme>("integrator", &Scheme::integrator, {.meaning = "time integration"}),
       key<Scheme>("time_step", &Scheme::time_step, {.meaning = "how the time step is chosen"}),
       key<Scheme>(
           "dt", &Scheme::dt,
           {.meaning = "the fixed time step", .unit = "s", .required = true, .range = positive, .only_with = fixed}),
       key<Scheme>("cfl", &Scheme::cfl,
                   {.meaning = "Courant number of the time step (0.8 unless given, with verlet 0.1)",
                    .range = positive,
                    .only_with = cfl}),
       key<Scheme>("kernel", &Scheme::kernel, {.meaning = "smoothing kernel, docs/theory/sph.md"}),
       key<Scheme>("density_diffusion", &Scheme::density_diffusion, {.meaning = "density diffusion term"}),
       key<Scheme>("diffusion_coefficient", &Scheme::diffusion_coefficient,
                   {.meaning = "delta of molteni and fourtakas (0.1 unless given), xi of ferrari (1 unless given)",
                    .range = not_negative}),
       key<Scheme>("viscosity.artificial", &Scheme::artificial_viscosity,
                   {.meaning = "alpha of Monaghan's viscosity", .range = not_negative}),
       key<Scheme>("viscosity.quadratic", &Scheme::quadratic_viscosity,
                   {.meaning = "beta of Monaghan's viscosity, for shocks", .range = not_negative}),
       key<Scheme>("viscosity.laminar", &Scheme::laminar_viscosity,
                   {.meaning = "whether the materials' kinematic_viscosity or rheology acts"}),
       key<Scheme>("viscosity.form", &Scheme::viscosity_form,
                   {.meaning = "form of viscosity.laminar; monaghan for drops, bubbles and free surfaces"}),
       key<Scheme>("walls", &Scheme::walls, {.meaning = "boundary treatment at walls"}),
       key<Scheme>("wall_flow", &Scheme::wall_flow, {.meaning = "slip condition of viscosity.laminar at walls"}),
       key<Scheme>("periodic", &Scheme::periodic, {.meaning = "axes along which [domain] repeats"}),
       key<Scheme>("shifting.coefficient", [](auto& s) -> auto& { return s.shifting.coefficient; },
                   {.meaning = "A of particle shifting; 0: none, 2: usual", .range = not_negative}),
       key<Scheme>("shifting.surface", [](auto& s) -> auto& { return s.shifting.surface; },
                   {.meaning = "div r below which a particle is at a free surface; by default 0.75, 1.5, 2.75 in 1-D, "
                               "2-D, 3-D",
                    .range = not_negative}),
       key<Scheme>("gravity", &Scheme::gravity, {.meaning = "acceleration", .unit = "m/s2"}),
       key<Scheme>("energy", &Scheme::energy, {.meaning = "whether internal energy is integrated"})}};
}

Section<HeatPulse> heat_pulse_keys() {
  return {"heat_pulse",
          Shape::list,
          false,
          {key<HeatPulse>("at", &HeatPulse::at, {.meaning = "center of the pulse", .unit = "m", .required = true}),
           key<HeatPulse>(
               "radius", &HeatPulse::radius,
               {.meaning = "where exp(-(r / radius)^2) is 1/e", .unit = "m", .required = true, .range = positive}),
           key<HeatPulse>("energy", &HeatPulse::energy,
                          {.meaning = "internal energy at the center", .unit = "J/kg", .required = true}),
           key<HeatPulse>("start", &HeatPulse::start,
                          {.meaning = "start of the pulse", .unit = "s", .range = not_negative}),
           key<HeatPulse>("length", &HeatPulse::length,
                          {.meaning = "duration of the pulse; 0: instantaneous", .unit = "s", .range = not_negative})}};
}

Section<Probe> probe_keys() {
  const auto kinds_with = [](bool (*holds)(ProbeKind)) {
    std::vector<ProbeKind> kinds;
    for (std::size_t k = 0; k < enumerator_names<ProbeKind>.size(); ++k)
      if (holds(static_cast<ProbeKind>(k))) kinds.push_back(static_cast<ProbeKind>(k));
    return Condition<Probe>{"kind", names_of(kinds), [holds](const Probe& p) { return holds(p.kind); }};
  };
  const Condition<Probe> at_point = kinds_with(has_position);
  const Condition<Probe> along_line = kinds_with(has_line);
  const Condition<Probe> on_wall = kinds_with(has_wall);
  const Condition<Probe> on_spring = kinds_with(has_spring);
  const Condition<Probe> of_material = kinds_with(has_material);
  const Condition<Probe> line{"kind", "line", [](const Probe& p) { return p.kind == ProbeKind::line; }};
  const Condition<Probe> flow_rate{"kind", "flow_rate", [](const Probe& p) { return p.kind == ProbeKind::flow_rate; }};
  const Condition<Probe> moment{"kind", "moment", [](const Probe& p) { return p.kind == ProbeKind::moment; }};
  return {
      "probe",
      Shape::list,
      false,
      {key<Probe>("name", &Probe::name,
                  {.meaning = "name of the probe and of its file NAME.csv; by default the kind, numbered if repeated"}),
       key<Probe>("kind", &Probe::kind, {.meaning = "quantity to measure, docs/output.md", .required = true}),
       key<Probe>("at", &Probe::at,
                  {.meaning = "position; water_height uses only x (in 3-D x and y)",
                   .unit = "m",
                   .required = true,
                   .only_with = at_point}),
       key<Probe>("from", &Probe::from,
                  {.meaning = "first point of the line", .unit = "m", .required = true, .only_with = along_line}),
       key<Probe>("to", &Probe::to,
                  {.meaning = "last point of the line", .unit = "m", .required = true, .only_with = along_line}),
       key<Probe>("points", &Probe::points,
                  {.meaning = "number of points on the line, evenly spaced", .range = {2, 10'000}, .only_with = line}),
       key<Probe>("of", &Probe::of, {.meaning = "quantity on the line", .only_with = line}),
       key<Probe>("wall", &Probe::wall, {.meaning = "name of the wall", .required = true, .only_with = on_wall}),
       key<Probe>("spring", &Probe::spring,
                  {.meaning = "name of the spring", .required = true, .only_with = on_spring}),
       key<Probe>("follows", &Probe::follows,
                  {.meaning = "name of a moving wall or rigid body with which the points move, from where they are at "
                              "t = 0; by default they stay",
                   .only_with = kinds_with(has_points)}),
       key<Probe>("material", &Probe::material,
                  {.meaning = "name of the material; by default all fluid counts", .only_with = of_material}),
       key<Probe>(
           "about", &Probe::about,
           {.meaning = "point about which the moment is taken", .unit = "m", .required = true, .only_with = moment}),
       key<Probe>(
           "corners", &Probe::corners,
           {.meaning = "section: in 2-D the ends of a line, in 3-D the corners of a plane polygon in their order",
            .unit = "m",
            .required = true,
            .only_with = flow_rate}),
       key<Probe>("raster", &Probe::raster,
                  {.meaning = "spacing of the cells of the section; 0: that of the particles",
                   .unit = "m",
                   .range = not_negative,
                   .only_with = flow_rate}),
       key<Probe>(
           "every", &Probe::every,
           {.meaning = "time between values; 0: as often as fields are written", .unit = "s", .range = not_negative})}};
}

SphSchema make_schema() {
  return {
      .top = {"", Shape::table, true, {key<Case>("title", &Case::title, {.meaning = "title for output and messages"})}},
      .run = run_keys(),
      .isosurface = isosurface_keys(),
      .particles = particle_keys(),
      .domain = domain_keys(),
      .body = body_keys(),
      .wall = wall_keys(),
      .motion = motion_section(),
      .rigid_body = rigid_body_section(),
      .spring = spring_section(),
      .contact = contact_section(),
      .wavemaker = wavemaker_section(),
      .damping = damping_section(),
      .open_boundary = open_boundary_section(),
      .refinement = refinement_section(),
      .material = material_section(),
      .surface_tension = surface_tension_section(),
      .scheme = scheme_keys(),
      .heat_pulse = heat_pulse_keys(),
      .probe = probe_keys()};
}

}  // namespace

const SphSchema& sph_schema() {
  static const SphSchema table = make_schema();
  return table;
}

}  // namespace shoal::io
