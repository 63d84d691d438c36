// SPDX-License-Identifier: Apache-2.0
#include "io/run/ranks/rank_rows.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <sstream>

#include "core/communication/rank_group.hpp"
#include "core/text.hpp"
#include "io/run/ranks/first_rank.hpp"

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

/// Sends a request of rank 0 to all. Returns it on all.
RankRows::Request RankRows::exchange_request(Request request) {
  ranks_.group().broadcast(&request, sizeof request, 0);
  return request;
}

const void* RankRows::rows_of(const Request& request) {
  const Share share = share_of(request, 0);
  if (share.rows == request.rows) return values_here(request);
  const std::size_t row_bytes = arrays_[static_cast<std::size_t>(request.array)].row_bytes;
  buffer_.resize(static_cast<std::size_t>(request.rows) * row_bytes);
  exchange_request(request);
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

bool RankRows::can_share(const std::filesystem::path& file) {
  if (!hdf5::is_parallel || ranks_.size() == 1) return false;
  exchange_request({.array = request_can_share});
  return can_share_as_sent(file.string());
}

void RankRows::write_shared(const std::filesystem::path& file, const std::vector<SharedTarget>& targets) {
  std::string lines = file.string() + '\n';
  for (const SharedTarget& target : targets) {
    const std::int64_t array = target.array.empty() ? -1 : static_cast<std::int64_t>(index_of(target.array));
    lines += text(array, ' ', target.first, ' ', target.extra, ' ', target.dataset, '\n');
  }
  exchange_request({.array = request_write});
  write_as_sent(std::move(lines));
}

std::uint64_t RankRows::crc_of_shared(const std::filesystem::path& file) {
  exchange_request({.array = request_crc});
  return crc_as_sent(file.string());
}

/// @param file  on rank 0
bool RankRows::can_share_as_sent(std::string file) {
  broadcast_text(ranks_, file);
  return hdf5::can_share(ranks_, file);
}

/// @param lines  on rank 0: name of the file, and a line for each target
void RankRows::write_as_sent(std::string lines) {
  broadcast_text(ranks_, lines);
  std::string file;
  std::vector<hdf5::SharedRows> targets;
  ranks_.agree([&] {
    std::istringstream in(lines);
    std::getline(in, file);
    std::int64_t array = 0, first = 0, extra = 0;
    for (std::string dataset; in >> array >> first >> extra && std::getline(in >> std::ws, dataset);)
      targets.push_back(shared_rows(array, first, extra, dataset));
  });
  hdf5::write_shared(ranks_, file, targets);
}

/// Returns the rows of this rank.
hdf5::SharedRows RankRows::shared_rows(std::int64_t array, std::int64_t first, std::int64_t extra,
                                       const std::string& dataset) const {
  const auto rank = static_cast<std::size_t>(ranks_.rank());
  const std::int64_t begin = first_[rank], count = first_[rank + 1] - begin;
  hdf5::SharedRows rows{.dataset = dataset, .first = first + begin, .count = count};
  if (array >= 0) {
    rows.values = arrays_[static_cast<std::size_t>(array)].values;
    rows.type = arrays_[static_cast<std::size_t>(array)].type();
  } else {
    rows.first_number = begin;
    if (ranks_.rank() + 1 == ranks_.size()) rows.count += extra;
  }
  return rows;
}

/// @param file  on rank 0
std::uint64_t RankRows::crc_as_sent(std::string file) {
  broadcast_text(ranks_, file);
  return hdf5::crc_of_shared(ranks_, file);
}

/// Does what the reader requests until it has ended.
void RankRows::serve() {
  while (true) {
    const Request request = exchange_request({});
    if (request.array == request_end) return;
    if (request.array < 0)
      serve_file(request.array);
    else
      send_rows(request);
  }
}

/// Takes part in work on a file. All ranks have an error of it, and the reader decides what becomes of it.
void RankRows::serve_file(std::int64_t request) {
  try {
    if (request == request_can_share) can_share_as_sent({});
    if (request == request_write) write_as_sent({});
    if (request == request_crc) crc_as_sent({});
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
  }
}

/// Sends the rows of a request that lie on this rank to rank 0.
void RankRows::send_rows(const Request& request) {
  const Share share = share_of(request, ranks_.rank());
  const std::size_t bytes = share.bytes(arrays_[static_cast<std::size_t>(request.array)].row_bytes);
  std::vector<SentPiece> pieces;
  if (bytes > 0) pieces.push_back({values_here(request), bytes, 0});
  ranks_.group().exchange(pieces, {});
}

void RankRows::read(const std::function<void()>& reader) {
  ranks_.agree([&] {
    if (ranks_.rank() != 0) return serve();
    try {
      reader();
    } catch (...) {
      exchange_request({});
      throw;
    }
    exchange_request({});
  });
}

}  // namespace shoal::io
