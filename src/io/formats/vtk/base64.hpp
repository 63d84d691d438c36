// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace shoal::io {

/// Decoder of base64 text (RFC 4648). It skips blanks and continues after padding, since VTK writes several padded
/// texts one after the other.
class Base64Reader {
 public:
  explicit Base64Reader(std::string_view text) : text_(text) {}

  /// Decodes up to `count` more bytes; fewer at the end of the text, or at a character that is not base64.
  std::string read(std::size_t count);

 private:
  bool decode_group();

  std::string_view text_;
  std::string ready_;      ///< decoded bytes, some of which were returned
  std::size_t given_ = 0;  ///< number of bytes of `ready_` that were returned
};

}  // namespace shoal::io
