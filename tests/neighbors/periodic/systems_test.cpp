// SPDX-License-Identifier: Apache-2.0
// Many systems in one call, and what PeriodicNeighbors refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "neighbors/periodic/image_list.hpp"
#include "neighbors/periodic/systems.hpp"
#include "support/messages.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

/// Returns the lists of one call for each system, put together.
template <class Real>
ImageList<Real> separate_lists(PeriodicNeighbors<Real>& neighbors, const Systems<Real>& systems) {
  ImageList<Real> joined{{0}, {}, {}, {}, {}, {}};
  const auto append = [](auto& target, const auto& from) { target.insert(target.end(), from.begin(), from.end()); };
  for (std::size_t s = 0; s < systems.cells.size(); ++s) {
    neighbors.find(systems.part(s), systems.cells[s]);
    const ImageList<Real> list = image_list(neighbors);
    const std::int64_t before = joined.offsets.back();
    for (std::size_t i = 1; i < list.offsets.size(); ++i) joined.offsets.push_back(before + list.offsets[i]);
    for (std::size_t p = 0; p < list.i.size(); ++p) {
      joined.i.push_back(systems.starts[s] + list.i[p]);
      joined.j.push_back(systems.starts[s] + list.j[p]);
    }
    append(joined.shifts, list.shifts);
    append(joined.distances, list.distances);
    append(joined.displacements, list.displacements);
  }
  return joined;
}

template <class Real>
void expect_separate_lists(const PeriodicNeighborsOptions& options) {
  const Systems<Real> systems;
  for (const int threads : {1, 3}) {
    PeriodicNeighbors<Real> neighbors(Queue::cpu(threads), 0.45, options);
    neighbors.find(systems.points.points(), systems.starts, systems.cells);
    const ImageList<Real> list = image_list(neighbors);
    EXPECT_GT(list.i.size(), 10'000u);
    EXPECT_TRUE(list == separate_lists(neighbors, systems)) << threads << " threads";
  }
}

TEST(PeriodicSystems, HaveTheBitsOfSeparateCalls) {
  expect_separate_lists<float>(with_all_outputs);
  expect_separate_lists<double>(with_all_outputs);
  expect_separate_lists<double>({.predicate = Predicate::inclusive, .include_self = true, .half = true});
}

TEST(PeriodicSystems, MayShareACell) {
  const Systems<double> systems;
  PeriodicNeighbors<double> neighbors(Queue::cpu(2), 0.45, with_all_outputs);
  neighbors.find(systems.points.points(), systems.starts, {systems.cells.data(), 1});
  const ImageList<double> list = image_list(neighbors);
  const std::vector<PeriodicCell> cells(systems.cells.size(), systems.cells[0]);
  neighbors.find(systems.points.points(), systems.starts, cells);
  EXPECT_EQ(image_list(neighbors), list);
}

TEST(PeriodicSystems, AreNotNeighborsOfEachOther) {
  const std::vector<double> x{0, 0, 0, 0}, y(4), z(4);
  PeriodicNeighbors<double> neighbors(Queue::cpu(1), 1);
  const std::int64_t starts[] = {0, 1, 3, 4};
  const PeriodicCell open[1];
  neighbors.find({x, y, z}, starts, open);
  EXPECT_EQ(vector_of(neighbors.edge_index()), (std::vector<std::int64_t>{1, 2, 2, 1}));
}

class BadPeriodicNeighbors : public testing::Test {
 protected:
  std::string message(const PeriodicCell& cell) {
    return message_of([&] { neighbors_.find({x_, y_, z_}, cell); });
  }
  std::string message(std::vector<std::int64_t> starts, std::size_t cells) {
    const std::vector<PeriodicCell> open(cells);
    return message_of([&] { neighbors_.find({x_, y_, z_}, starts, open); });
  }

  PeriodicNeighbors<float> neighbors_{Queue::cpu(1), 0.5};
  std::vector<float> x_{0, 0.25F, 5}, y_{0, 0, 0}, z_{0, 0, 0};
};

TEST_F(BadPeriodicNeighbors, RadiusIsNamed) {
  const auto radius = [](double r) { return message_of([&] { PeriodicNeighbors<float>(Queue::cpu(1), r); }); };
  EXPECT_EQ(radius(-1), "neighbors: radius = -1 m, expected a positive length.");
  EXPECT_EQ(radius(std::nan("")), "neighbors: radius = nan m, expected a positive length.");
  EXPECT_EQ(radius(1e-30),
            "neighbors: radius = 1e-30 m, whose square float cannot hold. Choose other units or double.");
  EXPECT_THAT(message_of([] { PeriodicNeighbors<float>(Queue::cpu(1), 1, {.method = "grid"}); }),
              testing::StartsWith("neighbors: method `grid` is not available on cpu."));
}

TEST_F(BadPeriodicNeighbors, CellIsNamed) {
  EXPECT_EQ(
      message({{{{1, 0, 0}, {0, 1, 0}, {1, 1, 0}}}, everywhere}),
      "neighbors: the cell vectors (1, 0, 0), (0, 1, 0), (1, 1, 0) m are linearly dependent, expected vectors that "
      "span a cell. Correct them, or make a direction open.");
  EXPECT_EQ(
      message({{{{1, 0, 0}, {2, 0, 0}, {}}}, {true, true, false}}),
      "neighbors: the cell vectors (1, 0, 0), (2, 0, 0) m are linearly dependent, expected vectors that span a cell. "
      "Correct them, or make a direction open.");
  EXPECT_EQ(message({{{{1, 0, 0}, {}, {}}}, {true, true, false}}),
            "neighbors: cell vector 1 is (0, 0, 0) m, expected a finite vector that is not 0. Pass the vector, or make "
            "this direction open.");
  EXPECT_EQ(
      message({{{{std::numeric_limits<double>::infinity(), 0, 0}, {}, {}}}, {true, false, false}}),
      "neighbors: cell vector 0 is (inf, 0, 0) m, expected a finite vector that is not 0. Pass the vector, or make "
      "this direction open.");
  EXPECT_EQ(
      message({{{{1e-6, 0, 0}, {0, 1e-6, 0}, {0, 0, 1e-6}}}, everywhere}),
      "neighbors: the radius of 0.5 m reaches about 3.0000090227318615e+18 images of 3 points, expected at most 2^36. "
      "Use a smaller radius or a larger cell.");
}

TEST_F(BadPeriodicNeighbors, SystemOfTheCellIsNamed) {
  const std::int64_t starts[] = {0, 2, 3};
  const PeriodicCell cells[] = {{}, {{{{1, 0, 0}, {}, {}}}, {true, true, false}}};
  EXPECT_THAT(message_of([&] {
                neighbors_.find({x_, y_, z_}, starts, cells);
              }),
              testing::StartsWith("neighbors: system 1: cell vector 1 is (0, 0, 0) m"));
}

TEST_F(BadPeriodicNeighbors, PointIsNamed) {
  y_[1] = std::nanf("");
  EXPECT_EQ(message({}), "neighbors: point 1: y is not a number. Repair or remove it.");
  y_[1] = 0;
  z_[2] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(message({}), "neighbors: point 2: z = inf m, expected a finite position. Repair or remove it.");
}

TEST_F(BadPeriodicNeighbors, PlacesThatRoundingMakesUselessAreNamed) {
  x_[2] = 4e7F;
  EXPECT_EQ(
      message({{{{1, 0, 0}, {}, {}}}, {true, false, false}}),
      "neighbors: coordinates are up to 40000000 m, so large against the radius of 0.5 m that distances are lost in "
      "rounding. Move the points near the origin, or use double.");
  x_[2] = 1e30F;
  EXPECT_THAT(message({}), testing::StartsWith("neighbors: coordinates are up to 1.0000000150474662e+30 m, so large"));
}

TEST_F(BadPeriodicNeighbors, SystemsThatDoNotFitAreNamed) {
  EXPECT_EQ(message({3}, 1),
            "neighbors: 1 starts of systems, expected the first point of each system and the number of points.");
  EXPECT_EQ(message({0, 2}, 1), "neighbors: systems start at 0 and end at 2, expected 0 and the number of points, 3.");
  EXPECT_EQ(message({1, 3}, 1), "neighbors: systems start at 1 and end at 3, expected 0 and the number of points, 3.");
  EXPECT_EQ(message({0, 2, 1, 3}, 1),
            "neighbors: system 1 starts at point 2 and ends at point 1, expected ascending numbers.");
  EXPECT_EQ(message({0, 1, 2, 3}, 2), "neighbors: 2 cells for 3 systems, expected one cell for each, or one for all.");
}

TEST_F(BadPeriodicNeighbors, CallLeavesAPlanWithoutAList) {
  neighbors_.find({x_, y_, z_});
  EXPECT_EQ(neighbors_.pair_count(), 2);
  x_[0] = std::nanf("");
  EXPECT_THROW(neighbors_.find({x_, y_, z_}), Error);
  EXPECT_EQ(neighbors_.pair_count(), 0);
  x_[0] = 0;
  neighbors_.find({x_, y_, z_});
  EXPECT_EQ(vector_of(neighbors_.edge_index()), (std::vector<std::int64_t>{0, 1, 1, 0}));
  z_.pop_back();
  EXPECT_EQ(message_of([&] { neighbors_.find({x_, y_, z_}); }), "neighbors: z has 2 elements, expected 3.");
}

}  // namespace
}  // namespace shoal::neighbors
