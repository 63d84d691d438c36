// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/json.hpp>

namespace shoal::io {

/// What a run ran on and with: processor and its hardware threads, version and commit of shoal, compiler, CUDA.
/// Nothing that names the machine or its user.
JsonObject machine_json();

}  // namespace shoal::io
