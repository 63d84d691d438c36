// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace shoal::io {

/// Sequential reader of the lines of a text file. It reads the file in large blocks.
class LineReader {
 public:
  /// @throws Error  if the file cannot be read
  explicit LineReader(const std::filesystem::path& file);

  /// Next line without its end (LF or CR LF), valid until the next call; nothing at the end of the file.
  std::optional<std::string_view> next();

  /// Number of the line that `next` returned last, from 1.
  std::int64_t number() const { return number_; }

 private:
  bool read_more();

  std::string name_;
  std::ifstream in_;
  std::string buffer_;
  std::size_t block_ = 1 << 20;  ///< bytes of a read; fewer for a small file
  std::size_t start_ = 0;        ///< position of the next line in the buffer
  std::int64_t number_ = 0;
};

}  // namespace shoal::io
