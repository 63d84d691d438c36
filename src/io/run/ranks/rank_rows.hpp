// SPDX-License-Identifier: Apache-2.0
// Arrays of a state whose rows lie on several ranks, for rank 0, which writes files.
#pragma once
#include <shoal/ranks/communicator.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "io/formats/binary/shared_file.hpp"

namespace shoal::io {

/// Rows of an array that lie on this rank, one for each particle.
struct RowArray {
  std::string name;
  const void* values = nullptr;
  std::size_t row_bytes = 0;
  std::int64_t row_count = 0;  ///< 0 for an array that the state does not have
  hid_t (*type)() = nullptr;   ///< HDF5's type of the values
};

/// Rows of a dataset that all ranks write.
struct SharedTarget {
  /// Name of an array, or none: the numbers of the rows.
  std::string array;
  std::string dataset;
  std::int64_t first = 0;  ///< row of the dataset in which the first row goes
  std::int64_t extra = 0;  ///< count of numbers behind those of the rows
};

/// Arrays whose rows follow one another in the order of ranks.
///
/// Rank 0 takes the rows in pieces, so that no process holds a whole array of a large state, and so that a file which is
/// written from them has the same bytes for any number of ranks. On one rank nothing is copied. With a parallel HDF5 all
/// ranks write their rows themselves, into a file of the same bytes.
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

  /// Returns true if all ranks can write their rows into `file`. For the reader.
  bool can_share(const std::filesystem::path& file);

  /// Writes the rows of all ranks into a file that can_share(). For the reader.
  /// @throws Error  a rank cannot write
  void write_shared(const std::filesystem::path& file, const std::vector<SharedTarget>& targets);

  /// CRC-32 of a file that can_share(), of which every rank reads a part. For the reader.
  /// @throws Error  a rank cannot read
  std::uint64_t crc_of_shared(const std::filesystem::path& file);

 private:
  /// Requests of the reader that are no array.
  enum : std::int64_t { request_end = -1, request_can_share = -2, request_write = -3, request_crc = -4 };
  /// Rows [first, first + rows) of an array.
  struct Request {
    std::int64_t array = request_end;
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
  Request exchange_request(Request request);
  void serve();
  void serve_file(std::int64_t request);
  void send_rows(const Request& request);
  bool can_share_as_sent(std::string file);
  void write_as_sent(std::string lines);
  std::uint64_t crc_as_sent(std::string file);
  hdf5::SharedRows shared_rows(std::int64_t array, std::int64_t first, std::int64_t extra,
                               const std::string& dataset) const;

  Communicator ranks_;
  std::vector<RowArray> arrays_;
  std::vector<std::int64_t> first_;   ///< [ranks + 1] first row of each rank
  std::vector<std::int64_t> counts_;  ///< rows of each array on all ranks together
  std::vector<char> buffer_;
};

}  // namespace shoal::io
