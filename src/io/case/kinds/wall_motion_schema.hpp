// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/wall_motion.hpp>

#include "io/case/case_schema.hpp"

namespace shoal::io {

/// What a case of kind = "wall_distance" may say, in the order in which it is written.
struct WallMotionSchema {
  Section<wall_motion::Case> top, run;
  Section<wall_motion::Mesh> mesh;
  Section<wall_motion::Body> body;

  /// Calls `visit` with each section.
  template <class Visit>
  void for_each(Visit visit) const {
    visit(top), visit(run), visit(mesh), visit(body);
  }
};

const WallMotionSchema& wall_motion_schema();

}  // namespace shoal::io
