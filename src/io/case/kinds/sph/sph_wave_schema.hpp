// SPDX-License-Identifier: Apache-2.0
// Sections of a case file that move walls, and make and damp waves.
#pragma once
#include "io/case/keys/case_schema.hpp"

namespace shoal::io {

Section<sph::WallMotion> motion_section();
Section<sph::Wavemaker> wavemaker_section();
Section<sph::DampingZone> damping_section();

}  // namespace shoal::io
