// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

namespace shoal {

/// What is enqueued on `later` from now on starts when what is on `earlier` now has ended. The host does not wait.
void enqueue_wait(const Queue& later, const Queue& earlier);

}  // namespace shoal
