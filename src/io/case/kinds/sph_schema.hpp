// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/case/case_schema.hpp"

namespace shoal::io {

/// What a case of kind = "sph" may say, in the order in which it is written.
struct SphSchema {
  Section<sph::Case> top, run, particles;
  Section<sph::Box> domain;
  Section<sph::Body> body;
  Section<sph::Wall> wall;
  Section<sph::Material> material;
  Section<sph::Scheme> scheme;
  Section<sph::HeatPulse> heat;
  Section<sph::Probe> probe;

  /// Calls `visit` with each section.
  template <class Visit>
  void for_each(Visit visit) const {
    visit(top), visit(run), visit(particles), visit(domain), visit(body), visit(wall), visit(material), visit(scheme),
        visit(heat), visit(probe);
  }
};

const SphSchema& sph_schema();

}  // namespace shoal::io
