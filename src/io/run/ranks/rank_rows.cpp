// SPDX-License-Identifier: Apache-2.0
#include "io/run/ranks/rank_rows.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/communication/rank_group.hpp"
#include "core/text.hpp"

namespace shoal::io {

RankRows::RankRows(const Communicator& ranks, std::vector<RowArray> arrays)
    : ranks_(ranks), arrays_(std::move(arrays)), first_(static_cast<std::size_t>(ranks.size()) + 1) {
  std::int64_t rows_here = 0;
  for (const RowArray& array : arrays_) {
    rows_here = std::max(rows_here, array.row_count);
    counts_.push_back(array.row_count);
  }
  ranks_.group().all_gather(&rows_here, sizeof rows_here, first_.data() + 1);
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  ranks_.group().all_sum(counts_);
  ranks_.agree([&] {
    for (std::size_t array = 0; array < arrays_.size(); ++array) {
      const bool is_whole = counts_[array] == count() && arrays_[array].row_count == rows_here;
      require(is_whole || counts_[array] == 0, "the state to write has ", counts_[array], " values of `",
              arrays_[array].name, "` for ", count(), " particles.");
    }
  });
}

std::size_t RankRows::index_of(const std::string& name) const {
  const auto found_array = std::find_if(arrays_.begin(), arrays_.end(), [&](const auto& a) { return a.name == name; });
  require(found_array != arrays_.end(), "the state to write has no array `", name, "`.");
  return static_cast<std::size_t>(found_array - arrays_.begin());
}

std::int64_t RankRows::count(const std::string& name) const { return counts_[index_of(name)]; }

void RankRows::for_each_piece(const std::string& name, const Visit& visit) {
  const std::size_t array = index_of(name);
  for (std::int64_t first = 0; first < counts_[array]; first += most_rows) {
    const std::int64_t rows = std::min(most_rows, counts_[array] - first);
    visit(rows_of({static_cast<std::int64_t>(array), first, rows}), rows);
  }
}

RankRows::Share RankRows::share_of(const Request& request, int rank) const {
  const auto number = static_cast<std::size_t>(rank);
  const std::int64_t begin = std::max(request.first, first_[number]);
  const std::int64_t end = std::min(request.first + request.rows, first_[number + 1]);
  return {begin, std::max<std::int64_t>(0, end - begin)};
}

/// Returns the first row of a request that lies on this rank.
const char* RankRows::values_here(const Request& request) const {
  const RowArray& array = arrays_[static_cast<std::size_t>(request.array)];
  const std::int64_t row = share_of(request, ranks_.rank()).first - first_[static_cast<std::size_t>(ranks_.rank())];
  return static_cast<const char*>(array.values) + static_cast<std::size_t>(row) * array.row_bytes;
}

const void* RankRows::rows_of(const Request& request) {
  const Share share = share_of(request, 0);
  if (share.rows == request.rows) return values_here(request);
  const std::size_t row_bytes = arrays_[static_cast<std::size_t>(request.array)].row_bytes;
  buffer_.resize(static_cast<std::size_t>(request.rows) * row_bytes);
  Request copy = request;
  ranks_.group().broadcast(&copy, sizeof copy, 0);
  std::vector<ReceivedPiece> pieces;
  std::size_t received = share.bytes(row_bytes);
  if (received > 0) std::memcpy(buffer_.data(), values_here(request), received);
  for (int rank = 1; rank < ranks_.size(); ++rank) {
    const std::size_t bytes = share_of(request, rank).bytes(row_bytes);
    if (bytes > 0) pieces.push_back({buffer_.data() + received, bytes, rank});
    received += bytes;
  }
  ranks_.group().exchange({}, pieces);
  return buffer_.data();
}

/// Sends rows to rank 0 until the reader has ended.
void RankRows::serve() {
  while (true) {
    Request request;
    ranks_.group().broadcast(&request, sizeof request, 0);
    if (request.array < 0) return;
    const Share share = share_of(request, ranks_.rank());
    const std::size_t bytes = share.bytes(arrays_[static_cast<std::size_t>(request.array)].row_bytes);
    std::vector<SentPiece> pieces;
    if (bytes > 0) pieces.push_back({values_here(request), bytes, 0});
    ranks_.group().exchange(pieces, {});
  }
}

void RankRows::end_reading() {
  Request end;
  ranks_.group().broadcast(&end, sizeof end, 0);
}

void RankRows::read(const std::function<void()>& reader) {
  ranks_.agree([&] {
    if (ranks_.rank() != 0) return serve();
    try {
      reader();
    } catch (...) {
      end_reading();
      throw;
    }
    end_reading();
  });
}

}  // namespace shoal::io
