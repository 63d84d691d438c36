// SPDX-License-Identifier: Apache-2.0
// Section of a case file for boxes through which fluid enters and leaves.
#pragma once
#include "io/case/keys/case_schema.hpp"

namespace shoal::io {

Section<sph::OpenBoundary> open_boundary_section();

}  // namespace shoal::io
