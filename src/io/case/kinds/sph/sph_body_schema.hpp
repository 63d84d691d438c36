// SPDX-License-Identifier: Apache-2.0
// Sections of rigid bodies, their springs and their contact in a case file of kind = "sph".
#pragma once
#include "io/case/keys/case_schema.hpp"

namespace shoal::io {

Section<sph::RigidBody> rigid_body_section();
Section<sph::Spring> spring_section();
Section<sph::Contact> contact_section();

}  // namespace shoal::io
