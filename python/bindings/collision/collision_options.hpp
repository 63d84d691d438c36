// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/collision.hpp>

#include "support/options.hpp"

namespace shoal::python {

const Options<CollisionOptions>& collision_options();

/// Documentation of the options for docstrings.
extern const char* const collision_parameters;

}  // namespace shoal::python
