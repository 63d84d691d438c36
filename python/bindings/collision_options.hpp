// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/collision.hpp>

#include "options.hpp"

namespace shoal::python {

const Options<CollisionOptions>& collision_options();

/// They as docstrings say them.
extern const char* const collision_parameters;

}  // namespace shoal::python
