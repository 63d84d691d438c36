// SPDX-License-Identifier: Apache-2.0
// Rows of particles as methods of CUDA have them: ids and tags in one label.
#include <gtest/gtest.h>

#include <vector>

#include "sph/control/particle_rows_item.hpp"

namespace shoal::sph {
namespace {

TEST(ParticleRows, IdsOfLabels) {
  const std::int64_t large = (std::int64_t{1} << label_tag_shift) - 2;
  const std::vector<std::int64_t> label = {make_label(7, 3), make_label(24, Tag::wall_bit), make_label(large, 0),
                                           gone_label, make_label(5, 0)};
  const std::vector<std::uint32_t> cell = {0, 1, 2, 3, 9};
  const ParticleRows<float, 2> rows{.state = {}, .label = label.data(), .cell = cell.data(), .count = 5, .outside = 9};
  EXPECT_EQ(rows.id_of(0), 7);
  EXPECT_EQ(rows.tag_of(0), 3);
  EXPECT_EQ(rows.id_of(1), 24) << "of a wall, whose label is negative";
  EXPECT_EQ(rows.tag_of(1), Tag::wall_bit);
  EXPECT_EQ(rows.id_of(2), large);
  EXPECT_EQ(rows.id_of(3), -1) << "a free place";
  EXPECT_EQ(rows.id_of(4), -1) << "outside the domain";
}

}  // namespace
}  // namespace shoal::sph
