// SPDX-License-Identifier: Apache-2.0
#include "core/device/wait_watch.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

namespace shoal {
namespace {

std::mutex mutex;
std::vector<std::weak_ptr<WaitWatch>> watches;

std::vector<std::shared_ptr<WaitWatch>> present_watches() {
  const std::lock_guard lock(mutex);
  std::erase_if(watches, [](const std::weak_ptr<WaitWatch>& watch) { return watch.expired(); });
  std::vector<std::shared_ptr<WaitWatch>> present;
  for (const std::weak_ptr<WaitWatch>& watch : watches)
    if (auto alive = watch.lock()) present.push_back(std::move(alive));
  return present;
}

}  // namespace

void add_wait_watch(const std::weak_ptr<WaitWatch>& watch) {
  const std::lock_guard lock(mutex);
  watches.push_back(watch);
}

bool has_wait_watch() { return !present_watches().empty(); }

void look_while_waiting(double seconds) {
  for (const std::shared_ptr<WaitWatch>& watch : present_watches()) watch->look(seconds);
}

}  // namespace shoal
