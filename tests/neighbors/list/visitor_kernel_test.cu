// SPDX-License-Identifier: Apache-2.0
// A user-written kernel that loops over neighbors gives the bits of the same loop on the host.
#include <gtest/gtest.h>

#include "core/cuda/launch.cuh"
#include "neighbors/list/visits.hpp"
#include "neighbors/neighbor_lists.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

/// Sums over the neighbors of one destination. Their last bits depend on the order of visits.
template <class Real>
struct Moments {
  Real mass, squares, along_x, along_z;
  std::uint64_t numbers;

  SHOAL_HD void add(std::int32_t source, Real weight, const Position<Real>& d, Real squared) {
    mass += weight;
    squares = std::fma(weight, squared, squares);
    along_x = std::fma(weight, d.x, along_x);
    along_z = std::fma(weight, d.z, along_z);
    numbers = 31 * numbers + static_cast<std::uint64_t>(source);
  }
  bool operator==(const Moments&) const = default;
};

template <class Real>
__global__ void compute_moments(NeighborVisitor<Real> visitor, const Real* weight, Moments<Real>* moments) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= visitor.count()) return;
  Moments<Real> sum{};
  visitor.visit(k, [&](std::int32_t j, const Position<Real>& d, Real squared) { sum.add(j, weight[j], d, squared); });
  moments[visitor.destination(k)] = sum;
}

template <class Real>
std::vector<Moments<Real>> moments_on_host(const Search& search, const Distribution<Real>& points,
                                           const std::vector<Real>& weight) {
  const Queue on = Queue::cpu(3);
  Neighbors<Real> neighbors = plan<Real>(on, search);
  neighbors.prepare(points.points());
  on.wait();
  std::vector<Moments<Real>> moments;
  for (const Visits<Real>& destination : visits_on_host(neighbors.visitor(), points.x.size())) {
    Moments<Real> sum{};
    for (const auto& [source, d, squared] : destination.visits)
      sum.add(source, weight[static_cast<std::size_t>(source)], {d[0], d[1], d[2]}, squared);
    moments.push_back(sum);
  }
  return moments;
}

template <class Real>
void expect_same_bits(const Search& search, Distribution<Real> points) {
  const Queue on = Queue::cuda(0);
  std::vector<Real> weight;
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    weight.push_back(Real(1) / static_cast<Real>(1 + i % 97));
    points.radius.push_back(i % 4 == 0 ? Real(0.2) : Real(0.05));
  }
  const DevicePoints<Real> device(on, points);
  const Array<Real> device_weight = to_device(on, weight);
  Array<Moments<Real>> moments(on, points.count());
  Neighbors<Real> neighbors = plan<Real>(on, search);
  neighbors.prepare(device.points());
  launch(on, points.count(), compute_moments<Real>, neighbors.visitor(), device_weight.data(), moments.data());
  EXPECT_TRUE(to_host(on, moments) == moments_on_host(search, points, weight))
      << points.name << ", n = " << points.count() << ", radius " << search.radius;
}

TEST(NeighborVisitorKernel, HasTheBitsOfAHostLoop_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  const Search searches[] = {
      {.radius = 0.1},
      {.radius = 0.2, .box = unit_periodic, .options = {.predicate = Predicate::inclusive, .include_self = true}},
      {.radius = 0.5, .box = unit_periodic},
      {.radius = 0.05, .box = {.dimensions = 2}, .options = {.half = true}},
      {.radius = 0.02, .box = {1, {true, false, false}, {0, 0, 0}, {1, 1, 1}}},
      {.radius = 1, .options = {.radius = Radius::gather}},
      {.radius = 1, .box = unit_periodic, .options = {.radius = Radius::symmetric}},
  };
  for (const std::int64_t n : {1, 131, 3'000})
    for (const Search& search : searches) {
      for (const auto& points : every_distribution<float>(n)) expect_same_bits(search, points);
      expect_same_bits(search, half_in_a_clump<double>(n));
      expect_same_bits(search, packed<double>(n));
    }
}

}  // namespace
}  // namespace shoal::neighbors
