// SPDX-License-Identifier: Apache-2.0
#include "io/case/kinds/sph/sph_body_schema.hpp"

namespace shoal::io {

using namespace sph;

Section<RigidBody> rigid_body_section() {
  return {
      "rigid_body",
      Shape::list,
      false,
      {key<RigidBody>("wall", &RigidBody::wall,
                      {.meaning = "name of the wall that gravity and the fluid move", .required = true}),
       key<RigidBody>("mass", &RigidBody::mass,
                      {.meaning = "mass, evenly spread over the particles of the wall; in 2-D of a meter of depth",
                       .unit = "kg",
                       .required = true,
                       .range = positive}),
       key<RigidBody>("velocity", &RigidBody::velocity, {.meaning = "of the center of mass at t = 0", .unit = "m/s"}),
       key<RigidBody>("angular_velocity", &RigidBody::angular_velocity,
                      {.meaning = "at t = 0, about the three axes; in 2-D about z only",
                       .unit = "degrees/s",
                       .three_numbers = true}),
       key<RigidBody>("locked_shifts", &RigidBody::locked_shifts,
                      {.meaning = "axes along which the center of mass keeps its place"}),
       key<RigidBody>("locked_turns", &RigidBody::locked_turns,
                      {.meaning = "axes about which the body does not turn"})}};
}

Section<Spring> spring_section() {
  return {"spring",
          Shape::list,
          false,
          {key<Spring>("name", &Spring::name, {.meaning = "by which a probe of kind spring_force names it"}),
           key<Spring>("body", &Spring::body, {.meaning = "wall of the rigid body at its first end", .required = true}),
           key<Spring>("at", &Spring::at,
                       {.meaning = "the first end, where it is at t = 0", .unit = "m", .required = true}),
           key<Spring>("second_body", &Spring::second_body,
                       {.meaning = "wall of the rigid body at the other end; without it that end is fixed"}),
           key<Spring>("anchor", &Spring::anchor,
                       {.meaning = "the other end, where it is at t = 0", .unit = "m", .required = true}),
           key<Spring>("length", &Spring::length,
                       {.meaning = "distance of the ends without a force; by default that at t = 0",
                        .unit = "m",
                        .range = not_negative}),
           key<Spring>("stiffness", &Spring::stiffness,
                       {.meaning = "force for each meter of stretch; in 2-D of a meter of depth",
                        .unit = "N/m",
                        .range = not_negative}),
           key<Spring>("damping", &Spring::damping,
                       {.meaning = "force for each m/s by which the distance grows; in 2-D of a meter of depth",
                        .unit = "N s/m",
                        .range = not_negative}),
           key<Spring>("slack", &Spring::slack,
                       {.meaning = "true: a mooring line, without force where its ends are nearer than its length"})}};
}

Section<Contact> contact_section() {
  return {"contact",
          Shape::table,
          false,
          {key<Contact>("stiffness", &Contact::stiffness,
                        {.meaning = "force for each meter of overlap; in 2-D of a meter of depth",
                         .unit = "N/m",
                         .required = true,
                         .range = positive}),
           key<Contact>("restitution", &Contact::restitution,
                        {.meaning = "speed after a central collision over that before", .range = {0.05, 1}}),
           key<Contact>("friction", &Contact::friction, {.meaning = "Coulomb's coefficient", .range = not_negative})}};
}

}  // namespace shoal::io
