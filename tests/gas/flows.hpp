// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <shoal/gas.hpp>

#include <cmath>
#include <vector>

#include "collision/relaxation/exact_solutions.hpp"

namespace shoal::testing_support {

/// A velocity grid on which Maxwellians of temperatures around 1 exist, as small as possible.
inline constexpr VelocityGrid small_grid{.nodes = 8, .half_width = 4};

inline const std::vector<GasModel>& every_model() {
  static const std::vector<GasModel> models{GasModel::none, GasModel::bgk, GasModel::es_bgk, GasModel::shakhov,
                                            GasModel::boltzmann};
  return models;
}

inline VelocityMoments state(double density, std::array<double, 3> velocity, double temperature) {
  VelocityMoments moments;
  moments.density = density;
  moments.velocity = velocity;
  moments.temperature = temperature;
  return moments;
}

/// Walls of different temperatures that move, and reflect a part of the molecules.
inline constexpr std::array<GasBoundary, 2> different_walls{
    GasBoundary{.temperature = 0.9, .velocity = {0, 0.3, 0}, .accommodation = 0.7},
    GasBoundary{.temperature = 1.2, .velocity = {0, -0.1, 0.2}}};

inline constexpr std::array<GasBoundary, 2> periodic_ends{GasBoundary{.kind = GasBoundaryKind::periodic},
                                                          GasBoundary{.kind = GasBoundaryKind::periodic}};

/// Uneven states of some cells.
inline std::vector<VelocityMoments> waves(int cells) {
  std::vector<VelocityMoments> states;
  for (int i = 0; i < cells; ++i) {
    const double phase = 6.283185307179586 * (i + 0.5) / cells;
    states.push_back(
        state(1 + 0.3 * std::sin(phase), {0.2 * std::cos(phase), 0.1, -0.1}, 1 + 0.1 * std::cos(2 * phase)));
  }
  return states;
}

/// Mass, momentum and energy of a flow for each unit of area; of a plane for each unit of length along z.
template <class Real>
std::array<double, 5> totals(Gas<Real>& flow) {
  std::array<double, 5> sum{};
  const std::vector<VelocityMoments> moments = flow.moments();
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const std::size_t columns = flow.faces().size() - 1;
    double mass = moments[i].density;
    for (int axis = 0; axis < flow.dimensions(); ++axis) {
      const std::size_t place = axis == 0 ? i % columns : i / columns;
      mass *= flow.faces(axis)[place + 1] - flow.faces(axis)[place];
    }
    double u2 = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double u = moments[i].velocity[axis];
      sum[axis + 1] += mass * u;
      u2 += u * u;
    }
    sum[0] += mass;
    sum[4] += mass * (3 * moments[i].temperature + u2) / 2;
  }
  return sum;
}

template <class Real>
std::vector<Real> distribution(const Gas<Real>& flow) {
  return to_host(Queue::cpu(1), flow.f());
}

/// Largest difference of two distributions.
template <class Real>
double largest_difference(const std::vector<Real>& a, const std::vector<Real>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return largest;
}

}  // namespace shoal::testing_support
