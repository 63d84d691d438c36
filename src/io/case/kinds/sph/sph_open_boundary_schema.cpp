// SPDX-License-Identifier: Apache-2.0
#include "io/case/kinds/sph/sph_open_boundary_schema.hpp"

namespace shoal::io {

using namespace sph;

Section<OpenBoundary> open_boundary_section() {
  const Condition<OpenBoundary> steady{"velocity", "NUMBER",
                                       [](const OpenBoundary& b) { return b.velocity.has_value(); }};
  const Condition<OpenBoundary> inlet{"velocity", "NUMBER", [](const OpenBoundary& b) { return b.is_inlet(); }};
  return {
      "open_boundary",
      Shape::list,
      false,
      {key<OpenBoundary>("name", &OpenBoundary::name, {.meaning = "name for messages"}),
       key<OpenBoundary>(
           "box.from", [](auto& b) -> auto& { return b.box.from; },
           {.meaning = "lower corner of the box in which fluid is moved as given", .unit = "m", .required = true}),
       key<OpenBoundary>("box.to", [](auto& b) -> auto& { return b.box.to; },
                         {.meaning = "upper corner; the box is as deep as the support of the kernel or more",
                          .unit = "m",
                          .required = true}),
       key<OpenBoundary>(
           "fluid", &OpenBoundary::fluid,
           {.meaning = "side of the box at which the fluid begins; at the opposite one it enters or leaves"}),
       key<OpenBoundary>("material", &OpenBoundary::material,
                         {.meaning = "of entering fluid, name of a [material.NAME]; by default the first"}),
       key<OpenBoundary>(
           "velocity", &OpenBoundary::velocity,
           {.meaning = "of an inlet: the largest over its section, toward the fluid; without it and `speeds` "
                       "the box is an outlet",
            .unit = "m/s",
            .range = not_negative}),
       key<OpenBoundary>("ramp", &OpenBoundary::ramp,
                         {.meaning = "time in which the velocity grows from 0",
                          .unit = "s",
                          .range = not_negative,
                          .only_with = steady}),
       key<OpenBoundary>("times", &OpenBoundary::times,
                         {.meaning = "in place of `velocity`: times of `speeds`, ascending", .unit = "s"}),
       key<OpenBoundary>("speeds", &OpenBoundary::speeds,
                         {.meaning = "the velocity at these times; linear between them, constant before and after",
                          .unit = "m/s",
                          .range = not_negative}),
       key<OpenBoundary>("profile", &OpenBoundary::profile,
                         {.meaning = "of the velocity over the section", .only_with = inlet}),
       key<OpenBoundary>("pressure", &OpenBoundary::pressure,
                         {.meaning = "in the box; by default that of the fluid beside it", .unit = "Pa"}),
       key<OpenBoundary>("water_level", &OpenBoundary::water_level,
                         {.meaning = "height up to which fluid enters, and below which a given pressure is hydrostatic",
                          .unit = "m"}),
       key<OpenBoundary>("extrapolation", &OpenBoundary::extrapolation,
                         {.meaning = "of what is not given: with the gradient of the fluid, or the mean of its mirror "
                                     "image"}),
       key<OpenBoundary>("returns", &OpenBoundary::returns,
                         {.meaning = "of an outlet: fluid enters through it when its flow turns back"})}};
}

}  // namespace shoal::io
