// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>
#include <shoal/deposit.hpp>

#include <cmath>
#include <limits>

#include "deposit/deposit_method.hpp"
#include "support/distributions.hpp"
#include "support/messages.hpp"
#include "support/method_suite.hpp"

namespace shoal::testing_support {

/// Values of both signs that add up without cancelling everything.
template <class Real>
std::vector<Real> values_of(std::int64_t n, unsigned seed = 11) {
  std::vector<Real> values = uniform<Real>(n, seed).x;
  for (Real& value : values) value = value * 3 - 1;
  return values;
}

template <class Real>
void bin(Deposit<Real>& deposit, const DevicePoints<Real>& points) {
  if (deposit.grid().grid.dimensions == 2)
    deposit.bin(points.x, points.y);
  else
    deposit.bin(points.x, points.y, points.z);
}

/// One value to the nodes, on the host; throws what wait() throws.
template <class Real>
std::vector<Real> to_nodes(const Queue& queue, Deposit<Real>& deposit, const std::vector<Real>& values) {
  const Array<Real> device_values = to_device(queue, values);
  Array<Real> nodes(queue, deposit.grid().node_count());
  deposit.to_nodes(device_values, nodes);
  return to_host(queue, nodes);
}

template <class Real>
std::vector<Real> deposited(const Queue& queue, const DepositGrid& grid, const DepositOptions& options,
                            const Distribution<Real>& points, const std::vector<Real>& values) {
  Deposit<Real> deposit(queue, grid, options);
  const DevicePoints<Real> device(queue, points);
  bin(deposit, device);
  return to_nodes(queue, deposit, values);
}

template <class Real>
std::vector<Real> serial(const DepositGrid& grid, DepositOptions options, const Distribution<Real>& points,
                         const std::vector<Real>& values) {
  options.method = "serial";
  return deposited(Queue::cpu(1), grid, options, points, values);
}

template <class Real>
std::vector<Real> sizes_of(std::vector<Real> values) {
  for (Real& value : values) value = std::abs(value);
  return values;
}

template <class Real>
long double total_of(const std::vector<Real>& values) {
  long double total = 0;
  for (const Real value : values) total += value;
  return total;
}

/// Unit roundoff.
template <class Real>
inline constexpr double roundoff = std::numeric_limits<Real>::epsilon() / 2;

/// Returns true if a method gives the bits of the canonical sum.
inline bool is_canonical(const MethodInfo& method) {
  return find_method("deposit", deposit::deposit_method_table(), method.name, method.device).canonical;
}

/// The most that sums of n terms may be wrong for Σ |w v| = 1 when they pass one after the other through `additions`
/// (Higham 1993, "The accuracy of floating point summation").
template <class Real>
double error_of_additions(double additions) {
  return additions * roundoff<Real> / (1 - additions * roundoff<Real>);
}

/// Expects the same bits of a deterministic method, else the difference that two orders of n terms may have.
/// @param sizes  what |values| give to the nodes
template <class Real>
void expect_the_same(const MethodInfo& method, std::int64_t n, const std::vector<Real>& result,
                     const std::vector<Real>& expected, const std::vector<Real>& sizes) {
  ASSERT_EQ(result.size(), expected.size());
  const double apart = method.deterministic ? 0 : 2 * error_of_additions<Real>(static_cast<double>(n));
  for (std::size_t i = 0; i < result.size(); ++i) {
    ASSERT_LE(std::abs(static_cast<double>(result[i]) - static_cast<double>(expected[i])), apart * sizes[i]) << i;
  }
}

/// Uniform grids over the unit box: open and periodic axes.
inline std::vector<DepositGrid> uniform_unit_box_grids() {
  return {
      Grid::fill(3, {0, 0, 0}, {1, 1, 1}, 0.1),
      Grid::fill(3, {0, 0, 0}, {1, 1, 1}, 0.037, {true, false, true}),
      Grid::fill(3, {0, 0, 0}, {1, 1, 1}, 0.26, {true, true, true}),
      Grid::fill(2, {0, 0, 0}, {1, 1, 0}, 0.01),
      Grid::fill(2, {-1, 0, 0}, {2, 1, 0}, 0.3, {false, true}),
      Grid{3, {0, 0, 0}, {1, 0.5, 0.25}, {1, 2, 4}, {true, false, false}},
  };
}

/// All sorts of grids over the unit box.
inline std::vector<DepositGrid> unit_box_grids() {
  std::vector<DepositGrid> grids = uniform_unit_box_grids();
  DepositGrid stretched = grids[0];
  stretched.stretch(0, {0, 0.01, 0.04, 0.1, 0.3, 0.9, 1}).stretch(2, {-0.5, 0.25, 1.5});
  grids.push_back(stretched);
  DepositGrid turning = grids[1];
  turning.stretch(0, {0.25, 0.5, 0.6, 1.25});  // periodic: a coordinate of 0.1 is one of 1.1
  grids.push_back(turning);
  return grids;
}

/// Tests that run once for each method.
class EveryDepositMethod : public MethodTest {
 protected:
  DepositOptions options() const { return {.method = GetParam().name}; }
};

}  // namespace shoal::testing_support
