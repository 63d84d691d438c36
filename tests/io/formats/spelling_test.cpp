// SPDX-License-Identifier: Apache-2.0
#include "io/formats/text/spelling.hpp"

#include <gtest/gtest.h>

namespace shoal::io {
namespace {

TEST(Nearest, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("shceme", "scheme"), 1u);
  EXPECT_EQ(nearest("densty", {"pressure", "density"}), "density");
  EXPECT_EQ(nearest("wend", {"cubic_spline", "wendland_c2"}), "wendland_c2");
  EXPECT_EQ(nearest("color", {"pressure", "density"}), std::nullopt);
  EXPECT_EQ(nearest("", {"dt"}), std::nullopt);
  EXPECT_EQ(nearest("dt", {}), std::nullopt);
}

TEST(Nearest, ComparesNoWordsOfVeryDifferentLength) {
  EXPECT_EQ(nearest(std::string(300'000'000, 'v'), {"v", "vn", "face"}), std::nullopt);
  EXPECT_EQ(nearest("pressure_on_wall", {"pressure", "wall"}), std::nullopt);
}

}  // namespace
}  // namespace shoal::io
