// SPDX-License-Identifier: Apache-2.0
#include "io/formats/binary/gzip.hpp"

#include <gmock/gmock.h>

#include "support/messages.hpp"

namespace shoal::io {
namespace {

using testing_support::message_of;

std::string numbers(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += std::to_string(i * i % 977) + ' ';
  return text;
}

TEST(Gzip, ReturnsWhatWasPacked) {
  for (const std::size_t count : {0, 1, 100, 300'000}) {
    const std::string text = numbers(count), packed = pack_gzip(text);
    EXPECT_EQ(unpack_gzip(packed, "f.gz"), text) << count;
    EXPECT_EQ(packed, pack_gzip(text)) << "equal bytes on every call";
  }
  EXPECT_LT(pack_gzip(numbers(300'000)).size(), numbers(300'000).size());
}

/// The file that `printf abc | gzip -n` writes.
TEST(Gzip, ReadsFilesOfOtherPrograms) {
  const std::string packed("\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b\x4c\x4a\x06\0\xc2\x41\x24\x35\x03\0\0\0", 23);
  EXPECT_EQ(unpack_gzip(packed, "f.gz"), "abc");
  EXPECT_EQ(unpack_gzip(packed + packed, "f.gz"), "abcabc") << "parts follow each other";
}

TEST(Gzip, RefusesDamagedAndShortFiles) {
  const std::string packed = pack_gzip(numbers(100));
  for (std::size_t size = 0; size < packed.size(); ++size)
    EXPECT_THAT(message_of([&] { unpack_gzip(std::string_view(packed).substr(0, size), "f.gz"); }),
                testing::MatchesRegex("f.gz: byte [0-9]+: cut short: the compressed data go on."))
        << size;
  std::string damaged = packed;
  damaged[packed.size() - 5] ^= 1;  // the checksum
  EXPECT_THAT(message_of([&] { unpack_gzip(damaged, "f.gz"); }), testing::HasSubstr("incorrect"));
  EXPECT_EQ(message_of([&] { unpack_gzip("text", "f.gz"); }),
            "f.gz: byte 2: this is no gzip, or it is damaged: incorrect header check.");
}

}  // namespace
}  // namespace shoal::io
