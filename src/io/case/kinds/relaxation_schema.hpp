// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/relaxation.hpp>

#include "io/case/case_schema.hpp"

namespace shoal::io {

/// What a case of kind = "relaxation" may say, in the order in which it is written.
struct RelaxationSchema {
  Section<relaxation::Case> top, run;
  Section<VelocityGrid> grid;
  Section<Molecules> gas;
  Section<relaxation::Initial> initial;
  Section<CollisionOptions> collision;
  Section<RelaxationOptions> scheme;

  /// Calls `visit` with each section.
  template <class Visit>
  void for_each(Visit visit) const {
    visit(top), visit(run), visit(grid), visit(gas), visit(initial), visit(collision), visit(scheme);
  }
};

const RelaxationSchema& relaxation_schema();

}  // namespace shoal::io
