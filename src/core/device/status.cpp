// SPDX-License-Identifier: Apache-2.0
#include "core/device/status.hpp"

#include <bit>
#include <tuple>
#include <utility>

#include "core/device/queue_state.hpp"
#include "core/text.hpp"

namespace shoal {

namespace {

/// Takes a status of a page of the queue, which gets a further page if there is no room.
std::pair<std::shared_ptr<StatusPage>, int> take_status(const Queue& queue) {
  auto& pages = queue.state().status_pages;
  std::erase_if(pages, [](const std::weak_ptr<StatusPage>& page) { return page.expired(); });
  for (const std::weak_ptr<StatusPage>& present : pages)
    if (const auto page = present.lock())
      if (const int number = page->take_status(); number >= 0) return {page, number};
  auto page = std::make_shared<StatusPage>(queue);
  pages.push_back(page);
  const int number = page->take_status();
  return {std::move(page), number};
}

}  // namespace

StatusPage::StatusPage(const Queue& queue) : queue_(queue), memory_(queue, statuses) {
  fill_bytes(queue, memory_.data(), 0, sizeof fetched_);
}

int StatusPage::take_status() {
  const int number = std::countr_one(in_use_);
  if (number == statuses) return -1;
  in_use_ |= bit(number);
  clear(number);
  return number;
}

void StatusPage::fetch() {
  const auto count = static_cast<std::size_t>(std::bit_width(in_use_));
  copy_bytes(queue_, fetched_, {}, memory_.data(), queue_.device(), count * sizeof(Status));
}

void StatusPage::clear(int number) {
  static_assert(Status::none == ~0ull, "all bits are set");
  fill_bytes(queue_, &device_pointer(number)->first, 0xff, sizeof(Status::first));
}

StatusBlock::StatusBlock(const Queue& queue, Explain explain) : explain_(std::move(explain)) {
  std::tie(page_, number_) = take_status(queue);
}

std::optional<std::string> StatusBlock::take() {
  page_->fetch();
  return take_fetched();
}

std::optional<std::string> StatusBlock::take_fetched() {
  const Status& recorded = page_->fetched(number_);
  if (recorded.first == Status::none) return std::nullopt;
  page_->clear(number_);
  return explain_(static_cast<int>(recorded.first & 0xff), static_cast<std::int64_t>(recorded.first >> 8),
                  recorded.value);
}

std::shared_ptr<StatusBlock> watch_status(const Queue& queue, StatusBlock::Explain explain) {
  auto block = std::make_shared<StatusBlock>(queue, std::move(explain));
  queue.state().watched.push_back(block);
  return block;
}

}  // namespace shoal
