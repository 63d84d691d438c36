// SPDX-License-Identifier: Apache-2.0
// Properties of the methods of Godbole (2014) only. neighbors_test.cpp tests every method.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <shoal/neighbors.hpp>

#include <cmath>
#include <set>

#include "neighbors/neighbor_lists.hpp"
#include "neighbors/paper/cell_dictionary.hpp"
#include "neighbors/paper/paper_neighbors.hpp"
#include "support/messages.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

template <class Real>
Distribution<Real> coincident_points(std::int64_t n) {
  Distribution<Real> points{"one position", {}, {}, {}};
  for (std::int64_t i = 0; i < n; ++i) points.add(0.25, 0.5, 0.75);
  return points;
}

// Cells with the edge of the radius

/// Grid of a search in the box [0, length] with radius 1.
SearchGrid<double> grid_of(int dimensions, double length, bool periodic) {
  SearchSpace<double> space;
  space.dimensions = dimensions;
  Extent<double> extent;
  for (int axis = 0; axis < dimensions; ++axis) {
    space.periodic[axis] = periodic;
    space.upper[axis] = length;
    extent.lower[axis] = 0;
    extent.upper[axis] = length;
  }
  return make_search_grid(space, 1.0, extent);
}

TEST(CubicCells, AreAsLongAsTheRadiusOnEveryAxis) {
  for (const double length : {0.5, 2.0, 2.7, 9.99})
    for (const bool periodic : {false, true}) {
      const SearchGrid<double> fine = grid_of(3, length, periodic);
      const SearchGrid<double> cubes = with_cubic_cells(fine, length);
      EXPECT_LE(cubes.cells.axes[0].cells, cubes.cells.axes[1].cells + (periodic ? 0 : 1)) << length;
      if (periodic && length < 1) continue;  // one cell, whatever its edge
      EXPECT_GE(cubes.edge[0], 1.0) << length;
      EXPECT_LE(cubes.edge[0], 2.0) << length;
      EXPECT_GE(cubes.edge[0] * cubes.cells.axes[0].cells, length * (1 - 1e-12)) << "the cells cover the whole length";
    }
}

TEST(CubicCells, AroundAPointOccurOnce) {
  for (const int dimensions : {1, 2, 3})
    for (const double length : {1.5, 2.5, 3.5, 9.5})
      for (const bool periodic : {false, true}) {
        const SearchGrid<double> cubes = with_cubic_cells(grid_of(dimensions, length, periodic), length);
        const Position<double> middle{length / 2, length / 2, length / 2};
        const AdjacentCells<double> adjacent(cubes, middle);
        std::set<std::int64_t> cells;
        for (int slot = 0; slot < adjacent.slots(dimensions); ++slot)
          EXPECT_TRUE(adjacent.cell(slot) < 0 || cells.insert(adjacent.cell(slot)).second) << slot;
        const double each = std::min(3, cubes.cells.axes[0].cells);
        EXPECT_EQ(static_cast<double>(cells.size()), std::pow(each, dimensions)) << length << periodic;
      }
}

TEST(CubicCells, AreFewerAtTheEdgeOfAnOpenGrid) {
  const SearchGrid<double> cubes = with_cubic_cells(grid_of(2, 9.5, false), 0);
  const auto count = [&](double x, double y) {
    const AdjacentCells<double> adjacent(cubes, {x, y, 0});
    int cells = 0;
    for (int slot = 0; slot < 9; ++slot) cells += adjacent.cell(slot) >= 0 ? 1 : 0;
    return cells;
  };
  EXPECT_EQ(count(5, 5), 9);
  EXPECT_EQ(count(0.5, 5), 6);
  EXPECT_EQ(count(0.5, 9.4), 4);
  EXPECT_EQ(count(-7, 99), 4) << "points outside are moved to the nearest cell";
}

// The dictionary

TEST(CellDictionary, FivePointsByHand) {
  SearchGrid<float> cubes;
  cubes.cells.dimensions = 1;
  cubes.cells.axes[0] = {.cells = 4, .allowed_lower = -10, .allowed_upper = 10};
  const std::vector<float> x = {0.5f, 2.5f, 0.25f, std::nanf(""), 0.75f};
  CellDictionary dictionary;
  dictionary.fill(cubes, Points<float>{x});
  ASSERT_NE(dictionary.points_of(0), nullptr);
  EXPECT_EQ(*dictionary.points_of(0), (std::vector<std::int32_t>{0, 2, 4}));
  EXPECT_EQ(dictionary.points_of(1), nullptr);
  EXPECT_EQ(dictionary.max_population(), 3);

  const DenseCells dense = dictionary.dense(4);
  EXPECT_EQ(dense.width, 3);
  EXPECT_EQ(dense.points.size(), 6u);
  EXPECT_EQ(dense.row_of_cell[1], -1);
  EXPECT_EQ(dense.row_of_cell[3], -1);
  const auto row = [&](std::size_t cell) {
    const auto* begin = dense.points.data() + 3 * dense.row_of_cell[cell];
    return std::vector<std::int32_t>(begin, begin + 3);
  };
  EXPECT_EQ(row(0), (std::vector<std::int32_t>{0, 2, 4}));
  EXPECT_EQ(row(2), (std::vector<std::int32_t>{1, -1, -1}));

  dictionary.fill(cubes, Points<float>{});
  EXPECT_EQ(dictionary.max_population(), 0);
  EXPECT_EQ(dictionary.dense(4).points.size(), 0u);
}

// The configurations of section 6

class EveryPaperConfiguration : public testing::TestWithParam<std::size_t> {
 protected:
  PaperConfiguration configuration_ = paper_configurations()[GetParam()];
  void SetUp() override { SHOAL_SKIP_WITHOUT(configuration_.device()); }
  Queue queue() const { return queue_on(configuration_.device()); }
};

INSTANTIATE_TEST_SUITE_P(Paper, EveryPaperConfiguration, testing::Range<std::size_t>(0, paper_configurations().size()),
                         [](const auto& test) {
                           const PaperConfiguration configuration = paper_configurations()[test.param];
                           return device_word(configuration.device()) + "_" + std::to_string(test.param);
                         });

template <class Real>
List expected_list(double radius, const Distribution<Real>& points) {
  return serial_list(Search{radius, {}, {.predicate = Predicate::inclusive, .include_self = true}}, points);
}

TEST_P(EveryPaperConfiguration, FindsTheListOfSerialRepeatedly) {
  PaperNeighbors<float> search(queue(), configuration_, 0.2);
  for (const auto& points : {uniform<float>(131), uniform<float>(1'009), clustered<float>(1'009), packed<float>(1'000),
                             uniform<float>(1), uniform<float>(0), coincident_points<float>(200)}) {
    search.find(points.points());
    EXPECT_THAT(search.list(), SameList(expected_list(0.2, points))) << points.name << " " << points.count();
  }
}

TEST_P(EveryPaperConfiguration, WorksInDouble) {
  PaperNeighbors<double> search(queue(), configuration_, 0.1);
  const auto points = uniform<double>(1'009);
  search.bin(points.points());
  search.find(points.points());
  EXPECT_THAT(search.list(), SameList(expected_list(0.1, points)));
}

TEST_P(EveryPaperConfiguration, NamesAnInvalidPointAndStaysUsable) {
  PaperNeighbors<float> search(queue(), configuration_, 0.2);
  const Distribution<float> good = uniform<float>(100);
  Distribution<float> bad = good;
  bad.y[17] = std::nanf("");
  constexpr const char* message = "neighbors: point 17: y is not a number. Repair or remove it.";
  EXPECT_EQ(message_of([&] { search.find(bad.points()); }), message);
  EXPECT_EQ(message_of([&] { search.bin(bad.points()); }), message);
  EXPECT_EQ(search.list().indices.size(), 0u) << "a failed search leaves no list";
  search.find(good.points());
  EXPECT_EQ(search.list().indices, expected_list(0.2, good).indices);
}

TEST_P(EveryPaperConfiguration, ReportsInvalidViews) {
  PaperNeighbors<float> search(queue(), configuration_, 0.2);
  const std::vector<float> three(3);
  const std::vector<float> six(6);
  const View<const float> strided(six.data(), 3, {}, 2);
  const View<const float> elsewhere(three.data(), 3, {DeviceKind::cuda, 0});
  EXPECT_EQ(message_of([&] { search.find({three, three}); }), "neighbors: z has 0 elements, expected 3.");
  EXPECT_EQ(message_of([&] {
              search.find({three, strided, three});
            }),
            "neighbors: a view is strided, expected contiguous ones.");
  EXPECT_EQ(message_of([&] {
              search.find({three, elsewhere, three});
            }),
            "neighbors: y is on cuda:0, the queue works on cpu. Copy it there first.");
}

TEST(PaperConfigurations, AreTheFiveOfFigure3AndThreeMore) {
  const std::vector<PaperConfiguration> configurations = paper_configurations();
  ASSERT_EQ(configurations.size(), 8u);
  for (std::size_t k = 0; k < configurations.size(); ++k)
    EXPECT_EQ(configurations[k].in_figure, k < 5) << configurations[k].name;
  EXPECT_EQ(configurations[0].device(), DeviceKind::cpu);
  EXPECT_EQ(configurations[4].binning, DeviceKind::cuda);
  EXPECT_EQ(message_of([&] { PaperNeighbors<float>(Queue::cpu(1), configurations[1], 0.1); }),
            "neighbors: the configuration \"CPU binning + GPU search\" searches on cuda, the queue works on cpu.");
  EXPECT_EQ(message_of([&] { PaperNeighbors<float>(Queue::cpu(1), configurations[0], -1); }),
            "neighbors: radius = -1 m, expected a positive length.");
}

// Memory that grows with the fullest cell

std::string message_of_search(Neighbors<float>& neighbors, const Queue& queue, std::int64_t points) {
  const DevicePoints<float> device(queue, coincident_points<float>(points));
  return message_of([&] { neighbors.find(device.points()); });
}

TEST(PaperMemory, IsRefusedWithNeedAndFreeMemory_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  const Queue queue = Queue::cuda(0);
  Neighbors<float> simple(queue, 0.1, {}, {.method = "simple"});
  EXPECT_THAT(
      message_of_search(simple, queue, 1'000'000),
      AllOf(StartsWith("neighbors: no room for the list of 1000000 destinations: "),
            HasSubstr("neighbors: the table of destinations x neighbors needs 1000000 x 1000001 x 4 bytes = "
                      "3.6 TiB (4000004000000 bytes), and cuda:0 "),
            HasSubstr(" bytes). Use the method `rows`, whose memory grows with the points and the list only.")));
  Neighbors<float> linked(queue, 0.1, {}, {.method = "linked_list"});
  EXPECT_THAT(message_of_search(linked, queue, 50'000),
              HasSubstr("neighbors: linked_list: two lists of destinations x candidates needs 2 x 50000 x 1350000 x 4 "
                        "bytes = 502.9 GiB (540000000000 bytes), and cuda:0 "));
  EXPECT_EQ(message_of_search(linked, queue, 100), "no error") << "the plan can be used again";
  EXPECT_EQ(to_host(queue, linked.offsets()).back(), 9'900);
}

TEST(PaperMemory, IsCountedIn64Bits_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  const Queue queue = Queue::cuda(0);
  // 20,000 destinations x 27 cells x 10,000 points are more than 2^32 candidates, of 9 bytes each.
  const DevicePoints<float> destinations(queue, uniform<float>(20'000));
  const DevicePoints<float> sources(queue, coincident_points<float>(10'000));
  Neighbors<float> linked(queue, 0.1, {}, {.method = "linked_list"});
  Neighbors<float> rows(queue, 0.1, {}, {.method = "rows"});
  try {
    linked.find(destinations.points(), sources.points());
  } catch (const OutOfMemory& error) {
    GTEST_SKIP() << error.what();
  }
  rows.find(destinations.points(), sources.points());
  EXPECT_EQ(to_host(queue, linked.offsets()), to_host(queue, rows.offsets()));
  EXPECT_EQ(to_host(queue, linked.indices()), to_host(queue, rows.indices()));
}

}  // namespace
}  // namespace shoal::neighbors
