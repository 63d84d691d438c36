// SPDX-License-Identifier: Apache-2.0
#include "io/formats/binary/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "core/text.hpp"

namespace shoal::io {

namespace {

constexpr int gzip_window = 15 + 16;  // largest window; 16: header and trailer of gzip
constexpr std::size_t block_size = 1 << 18;

/// Offers the next part of the input; zlib counts bytes in 32 bits.
void offer(z_stream& stream, std::string_view& rest) {
  const std::size_t count = std::min<std::size_t>(rest.size(), std::numeric_limits<uInt>::max());
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));
  stream.avail_in = static_cast<uInt>(count);
  rest.remove_prefix(count);
}

/// Offers a block for the output.
void offer_block(z_stream& stream, std::string& block) {
  stream.next_out = reinterpret_cast<Bytef*>(block.data());
  stream.avail_out = static_cast<uInt>(block.size());
}

/// Appends what zlib wrote into the block, and offers the block again.
void take(z_stream& stream, std::string& block, std::string& bytes) {
  bytes.append(block, 0, block.size() - stream.avail_out);
  offer_block(stream, block);
}

/// Stream that zlib frees at the end.
struct Inflating : z_stream {
  Inflating() : z_stream{} { require(::inflateInit2(this, gzip_window) == Z_OK, "zlib: no memory to decompress."); }
  ~Inflating() { ::inflateEnd(this); }
  Inflating(const Inflating&) = delete;
  Inflating& operator=(const Inflating&) = delete;
};

struct Deflating : z_stream {
  Deflating() : z_stream{} {
    constexpr int memory_level = 8;
    require(
        ::deflateInit2(this, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, memory_level, Z_DEFAULT_STRATEGY) == Z_OK,
        "zlib: no memory to compress.");
  }
  ~Deflating() { ::deflateEnd(this); }
  Deflating(const Deflating&) = delete;
  Deflating& operator=(const Deflating&) = delete;
};

}  // namespace

std::string unpack_gzip(std::string_view packed, const std::filesystem::path& file) {
  Inflating stream;
  std::string bytes, block(block_size, '\0');
  std::string_view rest = packed;
  offer_block(stream, block);
  bool at_part_end = false;
  while (stream.avail_in > 0 || !rest.empty() || !at_part_end) {
    if (stream.avail_in == 0) offer(stream, rest);
    if (at_part_end) require(::inflateReset(&stream) == Z_OK, file.string(), ": zlib could not begin another part.");
    const int status = ::inflate(&stream, Z_NO_FLUSH);
    take(stream, block, bytes);
    at_part_end = status == Z_STREAM_END;
    const std::size_t position = packed.size() - rest.size() - stream.avail_in;
    require(status != Z_BUF_ERROR, file.string(), ": byte ", position, ": cut short: the compressed data go on.");
    require(status == Z_OK || at_part_end, file.string(), ": byte ", position,
            ": this is no gzip, or it is damaged: ", stream.msg ? stream.msg : "zlib cannot decompress it", ".");
  }
  return bytes;
}

std::string pack_gzip(std::string_view bytes) {
  Deflating stream;
  std::string packed, block(block_size, '\0');
  offer_block(stream, block);
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0) offer(stream, bytes);
    status = ::deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    require(status == Z_OK || status == Z_STREAM_END, "zlib: compressing failed.");
    take(stream, block, packed);
  }
  return packed;
}

}  // namespace shoal::io
