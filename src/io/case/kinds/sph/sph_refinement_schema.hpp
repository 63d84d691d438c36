// SPDX-License-Identifier: Apache-2.0
// Section of a case file for boxes with finer particles.
#pragma once
#include "io/case/keys/case_schema.hpp"

namespace shoal::io {

Section<sph::Refinement> refinement_section();

}  // namespace shoal::io
