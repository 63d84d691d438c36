// SPDX-License-Identifier: Apache-2.0
// Pairs in periodic cells on every device: the bits of `serial`, many systems, and errors that the device finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "neighbors/periodic/image_list.hpp"
#include "neighbors/periodic/periodic_cells.hpp"
#include "neighbors/periodic/systems.hpp"
#include "support/messages.hpp"
#include "support/method_suite.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

class PeriodicOnDevice : public DeviceTest {
 protected:
  template <class Real>
  ImageList<Real> find(double radius, const Distribution<Real>& points, const PeriodicCell& cell,
                       const PeriodicNeighborsOptions& options = with_all_outputs) const {
    const Queue on = queue();
    const DevicePoints<Real> set(on, points);
    PeriodicNeighbors<Real> neighbors(on, radius, options);
    neighbors.find(set.points(), cell);
    return image_list(neighbors, on);
  }

  template <class Real>
  void expect_serial(double radius, const Distribution<Real>& points, const PeriodicCell& cell,
                     PeriodicNeighborsOptions options = with_all_outputs) const {
    const ImageList<Real> list = find(radius, points, cell, options);
    options.method = "serial";
    EXPECT_TRUE(list == find_images(radius, points, cell, options, 1))
        << points.name << ", " << points.count() << " points, radius " << radius << ": "
        << testing::PrintToString(list);
  }

  template <class Real>
  void expect_serial_everywhere() const {
    for (const PeriodicCell& cell : {skewed_cell, left_handed_cell, slab_cell, wire_cell, open_cell})
      for (const Distribution<Real>& points : every_distribution<Real>(90)) expect_serial(0.4, points, cell);
    for (const std::int64_t n : {0, 1, 2, 127, 128, 129, 300}) expect_serial(0.2, uniform<Real>(n), skewed_cell);
  }
};

TEST_P(PeriodicOnDevice, HasTheBitsOfSerialInFloat) { expect_serial_everywhere<float>(); }
TEST_P(PeriodicOnDevice, HasTheBitsOfSerialInDouble) { expect_serial_everywhere<double>(); }

TEST_P(PeriodicOnDevice, FindsAllImagesInCellsSmallerThanTheRadius) {
  for (const PeriodicCell& cell : {skewed_cell, left_handed_cell, slab_cell, wire_cell})
    expect_serial(1.9, uniform<double>(3), cell);
  const PeriodicCell small{{{{0.125, 0, 0}, {0, 0.125, 0}, {0, 0, 0.125}}}, everywhere};
  const Distribution<float> point{"one", {7}, {-3}, {0.1F}};
  EXPECT_EQ(find(1, point, small, {.predicate = Predicate::inclusive}).i.size(), 2'108u)
      << "vectors of whole numbers of length 8 or less, but for 0";
  expect_serial(1, point, small);
}

TEST_P(PeriodicOnDevice, FindsPairsOfPointsOutsideTheCell) {
  auto points = uniform<float>(200);
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    points.x[i] += static_cast<float>(i % 5) - 2;
    points.y[i] -= static_cast<float>(i % 300) * 7;
  }
  for (const PeriodicCell& cell : {left_handed_cell, slab_cell, wire_cell}) expect_serial(0.4, points, cell);
}

TEST_P(PeriodicOnDevice, SelectsPairsByOptions) {
  for (const auto predicate : {Predicate::strict, Predicate::inclusive})
    for (const bool include_self : {false, true})
      for (const bool half : {false, true})
        expect_serial(0.7, packed<double>(27), skewed_cell,
                      {.predicate = predicate, .include_self = include_self, .half = half, .distances = half});
}

TEST_P(PeriodicOnDevice, HasTheBitsOfEveryMethodAndRun) {
  const auto points = clustered<float>(3'000);
  const ImageList<float> expected = find_images(0.1, points, skewed_cell, {.method = "serial", .distances = true}, 1);
  ASSERT_GT(expected.i.size(), 100'000u);
  for (const MethodInfo& method : methods("neighbors")) {
    if (method.device != GetParam()) continue;
    for (int run = 0; run < 2; ++run)
      EXPECT_TRUE(find(0.1, points, skewed_cell, {.method = method.name, .distances = true}) == expected)
          << method.name;
  }
}

TEST_P(PeriodicOnDevice, ReadsPointsWithAStrideInOneToThreeDimensions) {
  const Queue on = queue();
  const auto points = uniform<double>(150);
  std::vector<double> table;
  for (std::size_t i = 0; i < points.x.size(); ++i) table.insert(table.end(), {points.x[i], points.y[i], points.z[i]});
  const Array<double> device_table = to_device(on, table);
  const auto column = [&](int axis) { return View<const double>(device_table.data() + axis, 150, on.device(), 3); };
  PeriodicNeighbors<double> neighbors(on, 0.3, with_all_outputs);
  neighbors.find({column(0), column(1), column(2)}, skewed_cell);
  EXPECT_TRUE(image_list(neighbors, on) == find_images(0.3, points, skewed_cell));
  Distribution<double> flat = points;
  std::fill(flat.z.begin(), flat.z.end(), 0);
  const PeriodicCell plane{{{{1, 0, 0}, {0.5, 0.9, 0}, {}}}, {true, true, false}};
  neighbors.find({column(0), column(1)}, plane);
  EXPECT_TRUE(image_list(neighbors, on) == find_images(0.3, flat, plane));
  std::fill(flat.y.begin(), flat.y.end(), 0);
  const PeriodicCell line{{{{1, 0, 0}, {}, {}}}, {true, false, false}};
  neighbors.find({column(0)}, line);
  EXPECT_TRUE(image_list(neighbors, on) == find_images(0.3, flat, line));
}

TEST_P(PeriodicOnDevice, FindsManySystemsInOneCall) {
  const Queue on = queue();
  const Systems<float> systems;
  const DevicePoints<float> set(on, systems.points);
  for (const bool half : {false, true})
    for (const char* method : {"auto", "rows"}) {
      PeriodicNeighborsOptions options{.include_self = half, .half = half, .distances = true};
      options.method = method;
      PeriodicNeighbors<float> neighbors(on, 0.45, options);
      options.method = "serial";
      PeriodicNeighbors<float> serial(Queue::cpu(1), 0.45, options);
      for (const std::size_t cells : {systems.cells.size(), std::size_t{1}}) {
        serial.find(systems.points.points(), systems.starts, {systems.cells.data(), cells});
        neighbors.find(set.points(), systems.starts, {systems.cells.data(), cells});
        EXPECT_TRUE(image_list(neighbors, on) == image_list(serial)) << cells << " cells, " << method;
        EXPECT_EQ(neighbors.image_count(), method == std::string("auto") ? 0 : serial.image_count());
      }
    }
}

TEST_P(PeriodicOnDevice, ASecondSearchOfEqualSizeNeedsNoMemory) {
  const Queue on = queue();
  const DevicePoints<double> set(on, uniform<double>(300));
  PeriodicNeighbors<double> neighbors(on, 0.4, with_all_outputs);
  neighbors.find(set.points(), skewed_cell);
  const std::int64_t bytes = neighbors.scratch_bytes();
  const void* const pairs = neighbors.edge_index().data;
  const ImageList<double> list = image_list(neighbors, on);
  neighbors.find(set.points(), skewed_cell);
  EXPECT_EQ(neighbors.scratch_bytes(), bytes);
  EXPECT_EQ(neighbors.edge_index().data, pairs);
  EXPECT_EQ(neighbors.edge_index().device, on.device());
  EXPECT_TRUE(image_list(neighbors, on) == list);
}

TEST_P(PeriodicOnDevice, NamesWhatIsWrong) {
  const Queue on = queue();
  PeriodicNeighbors<float> neighbors(on, 0.5);
  Distribution<float> points{"three", {0, 0.25F, 5}, {0, 0, 0}, {0, 0, 0}};
  const auto message = [&](const PeriodicCell& cell) {
    const DevicePoints<float> set(on, points);
    return message_of([&] { neighbors.find(set.points(), cell); });
  };
  points.y[1] = std::nanf("");
  points.z[2] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(message({}), "neighbors: point 1: y is not a number. Repair or remove it.");
  EXPECT_EQ(neighbors.pair_count(), 0);
  points.y[1] = 0;
  EXPECT_EQ(message({}), "neighbors: point 2: z = inf m, expected a finite position. Repair or remove it.");
  points.z[2] = 0;
  EXPECT_THAT(message({{{{1, 0, 0}, {2, 0, 0}, {}}}, {true, true, false}}),
              testing::StartsWith("neighbors: the cell vectors (1, 0, 0), (2, 0, 0) m are linearly dependent"));
  EXPECT_THAT(message({{{{1e-6, 0, 0}, {0, 1e-6, 0}, {0, 0, 1e-6}}}, everywhere}),
              testing::StartsWith("neighbors: the radius of 0.5 m reaches about 3.0000090227318615e+18 images"));
  EXPECT_EQ(message({}), "no error");
  EXPECT_EQ(image_list(neighbors, on).j, (std::vector<std::int64_t>{1, 0}));
  points.x[2] = 4e7F;
  EXPECT_EQ(message({{{{1, 0, 0}, {}, {}}}, {true, false, false}}),
            "neighbors: coordinates are up to 40000000 m, so large against the radius of 0.5 m that distances are lost "
            "in rounding. Move the points near the origin, or use double.");
}

INSTANTIATE_TEST_SUITE_P(AllDevices, PeriodicOnDevice, every_device, device_test_name);

TEST(PeriodicNeighborsOnCuda, PointsOfTheHostAreRefused_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  PeriodicNeighbors<float> neighbors(Queue::cuda(0), 0.1);
  const auto points = uniform<float>(5);
  EXPECT_EQ(message_of([&] { neighbors.find(points.points()); }),
            "neighbors: x is on cpu, the queue works on cuda:0. Copy it there first.");
}

}  // namespace
}  // namespace shoal::neighbors
