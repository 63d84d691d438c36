// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>

namespace shoal::sph {

/// Requires a queue of the CPU, and complete fields of a valid case: arrays of equal length, with numbers that the case has.
/// @param use  use of the fields for the message: "fields are measured"
void require_fields_of(const Queue& queue, const Case& simulation, const Fields& fields, const char* use);

}  // namespace shoal::sph
