// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/wall_motion.hpp>

#include "io/case/keys/case_schema.hpp"

namespace shoal::io {

/// Sections of a case file of kind = "wall_distance", in the order in which they are written.
struct WallMotionSchema {
  using Case = wall_motion::Case;
  static constexpr const char* kind = "wall_distance";

  Section<wall_motion::Case> top, run;
  Section<wall_motion::Mesh> mesh;
  Section<wall_motion::Body> body;

  /// Calls `visit` with each section and the member of a case that it describes.
  template <class CaseOrConst, class Visit>
  void for_each(CaseOrConst& simulation, Visit visit) const {
    visit(top, simulation), visit(run, simulation), visit(mesh, simulation.mesh), visit(body, simulation.bodies);
  }
};

const WallMotionSchema& wall_motion_schema();

}  // namespace shoal::io
