// SPDX-License-Identifier: Apache-2.0
#include "core/device/status.hpp"

#include "core/device/queue_state.hpp"
#include "core/text.hpp"

namespace shoal {

StatusBlock::StatusBlock(const Queue& queue, Explain explain)
    : queue_(queue), memory_(queue, 1), explain_(std::move(explain)) {
  const Status clear;
  copy_bytes(queue_, memory_.data(), queue_.device(), &clear, {}, sizeof clear);
}

std::optional<std::string> StatusBlock::take() {
  Status recorded;
  copy_bytes(queue_, &recorded, {}, memory_.data(), queue_.device(), sizeof recorded);
  if (recorded.first == Status::none) return std::nullopt;
  const Status clear;
  copy_bytes(queue_, memory_.data(), queue_.device(), &clear, {}, sizeof clear);
  return explain_(static_cast<int>(recorded.first & 0xff), static_cast<std::int64_t>(recorded.first >> 8),
                  recorded.value);
}

std::shared_ptr<StatusBlock> watch_status(const Queue& queue, StatusBlock::Explain explain) {
  auto block = std::make_shared<StatusBlock>(queue, std::move(explain));
  queue.state().watched.push_back(block);
  return block;
}

}  // namespace shoal
