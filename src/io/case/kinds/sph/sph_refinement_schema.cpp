// SPDX-License-Identifier: Apache-2.0
#include "io/case/kinds/sph/sph_refinement_schema.hpp"

namespace shoal::io {

using namespace sph;

Section<Refinement> refinement_section() {
  return {"refinement",
          Shape::list,
          false,
          {key<Refinement>(
               "box.from", [](auto& r) -> auto& { return r.box.from; },
               {.meaning = "lower corner of a box with finer particles, on the lattice of the spacing around it; boxes "
                           "are nested, the widest first",
                .unit = "m",
                .required = true}),
           key<Refinement>("box.to", [](auto& r) -> auto& { return r.box.to; },
                           {.meaning = "upper corner", .unit = "m", .required = true}),
           key<Refinement>("ratio", &Refinement::ratio,
                           {.meaning = "spacing around the box over that in it; 2 only, more by several boxes"})}};
}

}  // namespace shoal::io
