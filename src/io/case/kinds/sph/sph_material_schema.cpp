// SPDX-License-Identifier: Apache-2.0
#include "io/case/kinds/sph/sph_material_schema.hpp"

#include <algorithm>
#include <iterator>

#include "io/case/kinds/sph/enumerator_list.hpp"

namespace shoal::io {

using namespace sph;

namespace {

/// Returns the condition of a key that only some equations of state use.
Condition<Material> equation_with(std::string_view key) {
  const std::vector<EquationOfState> kinds = equations_of_state_with(key);
  return {"equation_of_state", names_of(kinds), [kinds](const Material& material) {
            return std::find(kinds.begin(), kinds.end(), material.equation_of_state) != kinds.end();
          }};
}

/// Returns the condition of a key that only some models of rheology use.
Condition<Material> rheology_with(std::string_view key) {
  const std::vector<RheologyModel> models = rheology_models_with(key);
  return {"rheology.model", names_of(models), [models](const Material& material) {
            return std::find(models.begin(), models.end(), material.rheology.model) != models.end();
          }};
}

/// Keys of the rheology of a material.
std::vector<Key<Material>> rheology_keys() {
  const auto member = [](auto pointer) {
    return [pointer](auto& material) -> auto& { return material.rheology.*pointer; };
  };
  return {key<Material>("rheology.model", member(&Rheology::model),
                        {.meaning = "viscosity from the shear rate, for viscosity.laminar, docs/sph.md"}),
          key<Material>("rheology.consistency", member(&Rheology::consistency),
                        {.meaning = "K, with n the exponent; of bingham the plastic viscosity",
                         .unit = "Pa s^n",
                         .required = true,
                         .range = positive,
                         .only_with = rheology_with("consistency")}),
          key<Material>("rheology.exponent", member(&Rheology::exponent),
                        {.meaning = "n: below 1 the fluid thins under shear, above 1 it thickens",
                         .required = true,
                         .range = positive,
                         .only_with = rheology_with("exponent")}),
          key<Material>("rheology.yield_stress", member(&Rheology::yield_stress),
                        {.meaning = "stress below which the fluid hardly flows",
                         .unit = "Pa",
                         .required = true,
                         .range = positive,
                         .only_with = rheology_with("yield_stress")}),
          key<Material>("rheology.regularization", member(&Rheology::regularization),
                        {.meaning = "m of Papanastasiou; the viscosity at rest is that of the flow plus yield_stress m",
                         .unit = "s",
                         .required = true,
                         .range = positive,
                         .only_with = rheology_with("regularization")}),
          key<Material>("rheology.most_viscosity", member(&Rheology::most_viscosity),
                        {.meaning = "bound of the viscosity; by default that at rest, which only an exponent of 1 has",
                         .unit = "Pa s",
                         .range = positive,
                         .only_with = rheology_with("most_viscosity")}),
          key<Material>("kinematic_viscosity", &Material::kinematic_viscosity,
                        {.meaning = "kinematic viscosity for viscosity.laminar",
                         .unit = "m2/s",
                         .range = not_negative,
                         .only_with = rheology_with("kinematic_viscosity")})};
}

}  // namespace

Section<Material> material_section() {
  Section<Material> section{
      "material",
      Shape::named,
      true,
      {key<Material>("density", &Material::density,
                     {.meaning = "reference density", .unit = "kg/m3", .required = true, .range = positive}),
       key<Material>("equation_of_state", &Material::equation_of_state,
                     {.meaning = "pressure from density and energy, docs/sph.md"}),
       key<Material>("sound_speed", &Material::sound_speed,
                     {.meaning = "at the reference density; by default chosen for tait and linear, docs/sph.md",
                      .unit = "m/s",
                      .has_no_default = true,
                      .range = positive,
                      .only_with = equation_with("sound_speed")}),
       key<Material>("exponent", &Material::exponent,
                     {.meaning = "gamma", .range = positive, .only_with = equation_with("exponent")}),
       key<Material>("compression", &Material::compression,
                     {.meaning = "a1, a2, a3 of polynomial",
                      .unit = "Pa",
                      .required = true,
                      .only_with = equation_with("compression"),
                      .three_numbers = true}),
       key<Material>(
           "tension", &Material::tension,
           {.meaning = "t1, t2 of polynomial", .unit = "Pa", .required = true, .only_with = equation_with("tension")}),
       key<Material>("energy", &Material::energy,
                     {.meaning = "b0, b1 of polynomial", .unit = "", .only_with = equation_with("energy")}),
       key<Material>("grueneisen", &Material::grueneisen,
                     {.meaning = "Grueneisen number", .range = not_negative, .only_with = equation_with("grueneisen")}),
       key<Material>("hugoniot_slope", &Material::hugoniot_slope,
                     {.meaning = "s of shock speed = sound_speed + s particle speed",
                      .required = true,
                      .range = {1},
                      .only_with = equation_with("hugoniot_slope")}),
       key<Material>("least_pressure", &Material::least_pressure,
                     {.meaning = "lower limit of the pressure (tension cut-off); by default none", .unit = "Pa"})}};
  std::vector<Key<Material>> more = rheology_keys();
  std::move(more.begin(), more.end(), std::back_inserter(section.keys));
  return section;
}

Section<SurfaceTension> surface_tension_section() {
  return {"surface_tension",
          Shape::list,
          false,
          {key<SurfaceTension>("between", &SurfaceTension::between,
                               {.meaning = "the two materials that meet", .required = true}),
           key<SurfaceTension>(
               "coefficient", &SurfaceTension::coefficient,
               {.meaning = "force along their interface", .unit = "N/m", .required = true, .range = positive}),
           key<SurfaceTension>("repulsion", &SurfaceTension::repulsion,
                               {.meaning = "share of their pressures with which particles of the two push each other "
                                           "apart, 0.01 to 0.1 for a liquid and a gas",
                                .range = {0, 1}})}};
}

}  // namespace shoal::io
