// SPDX-License-Identifier: Apache-2.0
// A wait watch is called while this process waits for a CUDA queue, whose work may wait for other processes.
#pragma once
#include <memory>

namespace shoal {

/// Is called again and again while the host waits.
class WaitWatch {
 public:
  virtual ~WaitWatch() = default;
  /// May throw, or end the process. @param seconds  duration of the wait up to now
  virtual void look(double seconds) = 0;
};

/// Adds a watch of all waits of this process. Without watches the host waits in the driver.
void add_wait_watch(const std::weak_ptr<WaitWatch>& watch);

/// Returns true if there is a watch.
bool has_wait_watch();

/// Calls all watches.
void look_while_waiting(double seconds);

}  // namespace shoal
