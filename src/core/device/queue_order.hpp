// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

namespace shoal {

/// Makes work enqueued on `later` from now on wait for the present work of `earlier`. The host does not wait.
void enqueue_wait(const Queue& later, const Queue& earlier);

}  // namespace shoal
