// SPDX-License-Identifier: Apache-2.0
// Sections of a case file that describe materials and the tension between them.
#pragma once
#include "io/case/keys/case_schema.hpp"

namespace shoal::io {

Section<sph::Material> material_section();
Section<sph::SurfaceTension> surface_tension_section();

}  // namespace shoal::io
