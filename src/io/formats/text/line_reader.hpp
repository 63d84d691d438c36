// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace shoal::io {

/// The lines of a text file, one after the other, at the speed of reading blocks.
class LineReader {
 public:
  /// @throws Error  cannot be read
  explicit LineReader(const std::filesystem::path& file);

  /// The next line without its end (LF or CR LF); valid until the next call. Nothing at the end of the file.
  std::optional<std::string_view> next();

  /// Of the line that `next` gave last, from 1.
  std::int64_t number() const { return number_; }

 private:
  bool read_more();

  std::string name_;
  std::ifstream in_;
  std::string buffer_;
  std::size_t start_ = 0;  ///< of the next line in the buffer
  std::int64_t number_ = 0;
};

}  // namespace shoal::io
