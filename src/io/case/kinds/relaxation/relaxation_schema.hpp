// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/relaxation.hpp>

#include "io/case/keys/case_schema.hpp"

namespace shoal::io {

/// Sections of a case file of kind = "relaxation", in the order in which they are written.
struct RelaxationSchema {
  using Case = relaxation::Case;
  static constexpr const char* kind = "relaxation";

  Section<relaxation::Case> top, run;
  Section<VelocityGrid> grid;
  Section<Molecules> gas;
  Section<SecondGas> second_gas;
  Section<relaxation::Initial> initial, second_initial;
  Section<CollisionOptions> collision;
  Section<RelaxationOptions> scheme;

  /// Calls `visit` with each section and the member of a case that it describes.
  template <class CaseOrConst, class Visit>
  void for_each(CaseOrConst& simulation, Visit visit) const {
    visit(top, simulation), visit(run, simulation), visit(grid, simulation.grid), visit(gas, simulation.gas);
    visit(second_gas, simulation.second_gas), visit(initial, simulation.initial);
    visit(second_initial, simulation.second_initial), visit(collision, simulation.collision),
        visit(scheme, simulation.scheme);
  }
};

const RelaxationSchema& relaxation_schema();

}  // namespace shoal::io
