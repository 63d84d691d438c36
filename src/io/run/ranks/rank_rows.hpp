// SPDX-License-Identifier: Apache-2.0
// Arrays of a state whose rows lie on several ranks, for rank 0, which writes files.
#pragma once
#include <shoal/ranks/communicator.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace shoal::io {

/// Rows of an array that lie on this rank, one for each particle.
struct RowArray {
  std::string name;
  const void* values = nullptr;
  std::size_t row_bytes = 0;
  std::int64_t row_count = 0;  ///< 0 for an array that the state does not have
};

/// Arrays whose rows follow one another in the order of ranks.
///
/// Rank 0 takes the rows in pieces, so that no process holds a whole array of a large state, and so that a file which is
/// written from them has the same bytes for any number of ranks. On one rank nothing is copied.
class RankRows {
 public:
  using Visit = std::function<void(const void* values, std::int64_t rows)>;

  /// Most rows of a piece: a multiple of the rows of a chunk in a file.
  static constexpr std::int64_t most_rows = 1 << 20;

  /// All ranks call it. The arrays must outlive this object.
  /// @throws Error  an array has neither no row nor as many rows as the others
  RankRows(const Communicator& ranks, std::vector<RowArray> arrays);

  /// Number of rows on all ranks together.
  std::int64_t count() const { return first_.back(); }
  /// Number of rows of one array: count(), or 0 for an array that the state does not have.
  std::int64_t count(const std::string& name) const;

  /// Runs `reader` on rank 0 while the other ranks send the rows that it requests. All ranks call it.
  /// @throws Error  on all ranks, what `reader` throws
  void read(const std::function<void()>& reader);

  /// Calls `visit` for the rows of an array in their order. For the reader.
  void for_each_piece(const std::string& name, const Visit& visit);

 private:
  /// Rows [first, first + rows) of an array.
  struct Request {
    std::int64_t array = -1;  ///< -1: the reader has ended
    std::int64_t first = 0, rows = 0;
  };
  /// Rows of a request that lie on one rank.
  struct Share {
    std::int64_t first = 0, rows = 0;
    std::size_t bytes(std::size_t row_bytes) const { return static_cast<std::size_t>(rows) * row_bytes; }
  };

  std::size_t index_of(const std::string& name) const;
  Share share_of(const Request& request, int rank) const;
  const char* values_here(const Request& request) const;
  const void* rows_of(const Request& request);
  void serve();
  void end_reading();

  Communicator ranks_;
  std::vector<RowArray> arrays_;
  std::vector<std::int64_t> first_;   ///< [ranks + 1] first row of each rank
  std::vector<std::int64_t> counts_;  ///< rows of each array on all ranks together
  std::vector<char> buffer_;
};

}  // namespace shoal::io
