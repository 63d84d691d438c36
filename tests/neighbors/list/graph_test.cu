// SPDX-License-Identifier: Apache-2.0
// A CUDA graph captures update(), prepare() and sum(), and replays them on points that moved.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "neighbors/brute_force.hpp"
#include "support/cuda_graph.cuh"
#include "support/messages.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

class NeighborsGraph : public NeighborsUpdateTest {
 protected:
  void SetUp() override {
    NeighborsUpdateTest::SetUp();
    if (!IsSkipped() && GetParam().device != DeviceKind::cuda) GTEST_SKIP() << "graphs need CUDA";
  }
};
SHOAL_FOR_EVERY_NEIGHBORS_METHOD(NeighborsGraph);

/// Clouds of n points, each with fewer neighbors than the one before.
template <class Real>
std::vector<Distribution<Real>> thinning_clouds(std::int64_t n) {
  std::vector<Distribution<Real>> clouds;
  for (const double width : {0.7, 0.8, 0.9, 1.0}) {
    Distribution<Real> cloud = uniform<Real>(n, static_cast<unsigned>(10 * width));
    for (auto* axis : {&cloud.x, &cloud.y, &cloud.z})
      for (Real& coordinate : *axis) coordinate *= static_cast<Real>(width);
    clouds.push_back(cloud);
  }
  return clouds;
}

template <class Real>
void expect_replays(const Queue& queue, const Search& search) {
  std::vector<Distribution<Real>> clouds = thinning_clouds<Real>(2'000);
  for (Distribution<Real>& cloud : clouds)
    if (search.options.radius != Radius::fixed) cloud.radius.assign(2'000, Real(0.09));
  DevicePoints<Real> points(queue, clouds[0]);
  Neighbors<Real> neighbors = plan<Real>(queue, search);
  neighbors.find(points.points());
  neighbors.update(points.points());
  queue.wait();
  const CudaGraph graph(queue, [&] { neighbors.update(points.points()); });
  for (const Distribution<Real>& cloud : clouds) {
    points.copy_from(queue, cloud);
    graph.launch();
    const List list = list_of(queue, neighbors);
    EXPECT_THAT(list, SameList(brute_force(search, cloud))) << "radius " << search.radius;
    Neighbors<Real> new_plan = plan<Real>(queue, search);
    new_plan.find(points.points());
    EXPECT_EQ(entries(queue, neighbors.wide_indices(), list), to_host(queue, new_plan.wide_indices()));
    EXPECT_EQ(entries(queue, neighbors.distances(), list), to_host(queue, new_plan.distances()));
    EXPECT_EQ(entries(queue, neighbors.displacements()[2], list), to_host(queue, new_plan.displacements()[2]));
  }
}

const NeighborsOptions all_outputs{.wide_indices = true, .distances = true, .displacements = true};
const NeighborsOptions symmetric_outputs{
    .radius = Radius::symmetric, .wide_indices = true, .distances = true, .displacements = true};

TEST_P(NeighborsGraph, ReplaysUpdateOnMovedPoints) {
  expect_replays<float>(queue(), with_this_method({0.09, {}, all_outputs}));
  expect_replays<double>(queue(), with_this_method({0.09, unit_periodic, all_outputs}));
  expect_replays<float>(queue(), with_this_method({1, unit_periodic, symmetric_outputs}));
}

TEST_P(NeighborsGraph, ReportsAListThatDoesNotFit) {
  const Queue on = queue();
  const Search search = with_this_method({.radius = 0.1});
  const auto sparse = uniform<float>(1'009);
  const auto dense = clustered<float>(1'009);
  const std::size_t room = brute_force(search, sparse).indices.size();
  const std::size_t total = brute_force(search, dense).indices.size();
  DevicePoints<float> points(on, sparse);
  Neighbors<float> neighbors = plan<float>(on, search);
  neighbors.find(points.points());
  neighbors.update(points.points());
  on.wait();
  const CudaGraph graph(on, [&] { neighbors.update(points.points()); });
  points.copy_from(on, dense);
  graph.launch();
  EXPECT_EQ(message_of([&] { on.wait(); }), "neighbors: the list has " + std::to_string(total) +
                                                " entries, but the plan has room for " + std::to_string(room) +
                                                ". Call find(), which makes room.");
  points.copy_from(on, sparse);
  graph.launch();
  EXPECT_THAT(list_of(on, neighbors), SameList(brute_force(search, sparse))) << "the graph stays usable";
}

TEST_P(NeighborsGraph, ReplaysSumsWithoutAList) {
  const Queue on = queue();
  const Search search = with_this_method({.radius = 0.15});
  const auto clouds = thinning_clouds<double>(1'009);
  DevicePoints<double> points(on, clouds[0]);
  const Array<double> ones = to_device(on, std::vector<double>(1'009, 1));
  Array<double> sums(on, 1'009);
  Neighbors<double> neighbors = plan<double>(on, search);
  const auto work = [&] {
    neighbors.prepare(points.points());
    neighbors.sum(ones, sums);
  };
  work();
  on.wait();
  const CudaGraph graph(on, work);
  for (const Distribution<double>& cloud : clouds) {
    points.copy_from(on, cloud);
    graph.launch();
    const std::vector<double> lengths = to_host(on, sums);
    const List list = brute_force(search, cloud);
    for (std::size_t i = 0; i < list.row_count(); ++i)
      EXPECT_EQ(lengths[i], static_cast<double>(list.row(i).size())) << i;
  }
}

}  // namespace
}  // namespace shoal::neighbors
