// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

namespace shoal {

/// Bytes a second that a queue's device reads plus writes when it copies from memory to memory, measured once a device:
/// the ceiling of whatever is bound by memory.
double copy_bandwidth(const Queue& queue);

}  // namespace shoal
