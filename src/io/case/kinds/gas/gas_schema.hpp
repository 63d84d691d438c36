// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/gas.hpp>

#include <optional>

#include "io/case/keys/case_schema.hpp"

namespace shoal::io {

/// Sections of a case file of kind = "gas", in the order in which they are written. Velocity grid, molecules and collision
/// integral have the keys of kind = "relaxation".
struct GasSchema {
  using Case = gas::Case;
  static constexpr const char* kind = "gas";

  Section<gas::Case> top, run;
  Section<gas::Cells> cells, cells_y;
  Section<VelocityGrid> grid;
  Section<Molecules> molecules;
  Section<SecondGas> second_gas;
  Section<gas::Knudsen> knudsen;
  Section<gas::Region> start;
  Section<GasBoundary> left, right, bottom_side, top_side;
  Section<CollisionOptions> collision;
  Section<GasOptions> scheme;
  Section<GasGradients> gradients;
  Section<SteadyOptions> steady;
  Section<gas::Probe> probe;

  /// Calls `visit` with each section and the member of a case that it describes.
  template <class CaseOrConst, class Visit>
  void for_each(CaseOrConst& simulation, Visit visit) const {
    visit(top, simulation), visit(run, simulation), visit(cells, simulation.cells);
    visit(cells_y, simulation.cells_y), visit(grid, simulation.grid);
    visit(molecules, simulation.molecules), visit(second_gas, simulation.second_gas);
    visit(knudsen, simulation.knudsen), visit(start, simulation.start);
    visit(left, simulation.boundaries[0]), visit(right, simulation.boundaries[1]);
    visit(bottom_side, simulation.bottom), visit(top_side, simulation.top);
    visit(collision, simulation.scheme.collision), visit(scheme, simulation.scheme);
    visit(gradients, simulation.scheme.gradients), visit(steady, simulation.steady);
    visit(probe, simulation.probes);
  }
};

const GasSchema& gas_schema();

}  // namespace shoal::io
