// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace shoal::io {

/// The bytes of base64 text (RFC 4648). Blanks are passed over; what follows padding is decoded, too, since VTK puts
/// several padded texts in a row.
class Base64Reader {
 public:
  explicit Base64Reader(std::string_view text) : text_(text) {}

  /// Up to `count` more bytes: fewer at the end of the text, or at a character that is not base64.
  std::string read(std::size_t count);

 private:
  bool decode_group();

  std::string_view text_;
  std::string ready_;      ///< decoded, not given out yet
  std::size_t given_ = 0;  ///< of those, how many were
};

}  // namespace shoal::io
