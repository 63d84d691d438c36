// SPDX-License-Identifier: Apache-2.0
// Points shared out over ranks, which are threads here; every rank has the whole surface.
#include "support/thread_ranks.hpp"
#include "wall_distance/walls.hpp"

#include <shoal/ranks/slabs.hpp>

namespace shoal::wall_distance {
namespace {

using namespace testing_support;

/// A few faces, and points around them; one more or less than ranks can share evenly.
WallCase points_around_faces(int count) {
  WallCase about{WallMesh{}, {}, {}, {}};
  for (const auto& [x, y, z] : {std::array{0.0, 0.0, 0.0}, {1.0, 0.0, 0.25}, {1.0, 1.0, 0.0}, {0.0, 1.0, 0.5}})
    about.mesh.add_point(x, y, z);
  const auto wall = about.mesh.add_wall("floor");
  about.mesh.add_face({0, 1, 2}, wall);
  about.mesh.add_face({0, 2, 3}, wall);
  for (int i = 0; i < count; ++i) {
    about.x.push_back(0.37 * i - std::floor(0.37 * i));
    about.y.push_back(0.71 * i - std::floor(0.71 * i));
    about.z.push_back(2 * (0.13 * i - std::floor(0.13 * i)) - 1);
  }
  return about;
}

std::vector<double> cut(const std::vector<double>& array, Share share) {
  const auto first = array.begin() + share.first;
  return {first, first + share.count};
}

TEST_P(EveryWallDistanceMethod, GivesTheBitsOfOneRankToPointsOfRanks) {
  for (const int count : {101, 2}) {
    const WallCase about = points_around_faces(count);
    const WallAnswers expected = answers(queue(), about, options());
    for (const int ranks : {1, 2, 3, 4})
      run_on_ranks(ranks, [&](const Communicator& group) {
        const Share share = share_of(about.point_count(), group);
        const WallCase part{about.mesh, cut(about.x, share), cut(about.y, share), cut(about.z, share)};
        WallAnswers result;
        group.agree([&] { result = answers(queue(), part, options()); });
        for (std::size_t i = 0; i < result.distance.size(); ++i) {
          const std::size_t point = static_cast<std::size_t>(share.first) + i;
          ASSERT_EQ(result.distance[i], expected.distance[point]) << "point " << point << " of " << ranks << " ranks";
          ASSERT_EQ(result.face[i], expected.face[point]);
          ASSERT_EQ(result.x[i], expected.x[point]);
          ASSERT_EQ(result.z[i], expected.z[point]);
        }
      });
  }
}

TEST_P(EveryWallDistanceMethod, ABadPointOfOneRankIsTheSameErrorOnAllRanks) {
  std::vector<std::string> messages(3);
  run_on_ranks(3, [&](const Communicator& group) {
    WallCase about = points_around_faces(5);
    if (group.rank() == 1) about.y[3] = std::nan("");
    messages[static_cast<std::size_t>(group.rank())] =
        message_of([&] { group.agree([&] { answers(queue(), about, options()); }); });
  });
  EXPECT_NE(messages[0].find("point 3"), std::string::npos) << messages[0];
  EXPECT_EQ(messages[1], messages[0]);
  EXPECT_EQ(messages[2], messages[0]);
}

}  // namespace
}  // namespace shoal::wall_distance
