// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

namespace shoal {

/// Makes work enqueued on `later` from now on wait for the present work of `earlier`. The host does not wait.
void enqueue_wait(const Queue& later, const Queue& earlier);

/// Blocks until the present work of a queue is done. Errors that kernels recorded stay there for Queue::wait().
void wait_for_work(const Queue& queue);

}  // namespace shoal
