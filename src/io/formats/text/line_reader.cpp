// SPDX-License-Identifier: Apache-2.0
#include "io/formats/text/line_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/text.hpp"

namespace shoal::io {

namespace {

constexpr std::size_t smallest_block = 1 << 12;

}  // namespace

LineReader::LineReader(const std::filesystem::path& file) : name_(file.string()), in_(file, std::ios::binary) {
  require(in_.good(), name_, ": cannot be read: ", std::strerror(errno), ".");
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(file, unknown);
  if (!unknown) block_ = static_cast<std::size_t>(std::clamp<std::uintmax_t>(size + 1, smallest_block, block_));
}

std::optional<std::string_view> LineReader::next() {
  std::size_t searched = start_;
  std::size_t end = buffer_.find('\n', searched);
  while (end == std::string::npos) {
    searched = buffer_.size() - start_;  // position of the new bytes
    if (!read_more()) break;
    end = buffer_.find('\n', searched);
  }
  const bool at_end = end == std::string::npos;
  if (at_end && start_ == buffer_.size()) return {};
  std::string_view line = std::string_view(buffer_).substr(start_, (at_end ? buffer_.size() : end) - start_);
  start_ = at_end ? buffer_.size() : end + 1;
  if (line.ends_with('\r')) line.remove_suffix(1);
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (++number_ == 1 && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  return line;
}

/// Removes the lines that were returned and appends a block. Returns false at the end of the file.
bool LineReader::read_more() {
  buffer_.erase(0, start_);
  start_ = 0;
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + std::max(block_, kept));  // doubles for a line longer than a block, for fewer reads
  in_.read(buffer_.data() + kept, static_cast<std::streamsize>(buffer_.size() - kept));
  require(!in_.bad(), name_, ": reading failed: ", std::strerror(errno), ".");
  buffer_.resize(kept + static_cast<std::size_t>(in_.gcount()));
  return in_.gcount() > 0;
}

}  // namespace shoal::io
