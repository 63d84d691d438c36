// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/json.hpp>

namespace shoal::io {

/// Returns hardware and software of a run: processor and its hardware threads, version and commit of shoal, compiler,
/// CUDA. The object identifies neither the machine nor its user.
JsonObject machine_json();

}  // namespace shoal::io
