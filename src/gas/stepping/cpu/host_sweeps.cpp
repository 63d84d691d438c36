// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "gas/stepping/cpu/host_stepper.hpp"

namespace shoal::gas {

template <class Real>
void HostStepper<Real>::sweep_lines() {
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t row = 0; row < rows_; ++row)
    for (const bool forward : {true, false}) sweep_part(row, part(setup_.lines[0], row, forward), forward);
}

/// Solves for the nodes of a part of a row in all cells, from the upwind corner of a plane.
/// @param forward  the nodes move toward the last x
template <class Real>
void HostStepper<Real>::sweep_part(std::int64_t row, Part part, bool forward) {
  const CellLines& along_x = setup_.lines[0];
  const std::int64_t columns = along_x.length, rows = along_x.count;
  const bool plane = setup_.dimensions() == 2;
  const bool upward = !plane || row_y(row) >= setup_.lines[1].first_forward;
  const std::array<Real, 2> signs = {Real(forward ? 1 : -1), Real(upward ? 1 : -1)};
  std::vector<Real> across(plane ? static_cast<std::size_t>(columns * n_) : 0);  // values at the faces between rows
  for (std::int64_t i = 0; plane && i < columns; ++i)
    std::copy_n(end_values(setup_.lines[1], upward ? 0 : 1, i) + row * n_, n_, across.data() + i * n_);
  Real arriving[most_nodes];
  for (std::int64_t b = 0; b < rows; ++b) {
    const std::int64_t j = upward ? b : rows - 1 - b;
    std::copy_n(end_values(along_x, forward ? 0 : 1, j) + row * n_, n_, arriving);
    for (std::int64_t a = 0; a < columns; ++a) {
      const std::int64_t i = forward ? a : columns - 1 - a;
      sweep_cell(j * columns + i, row, part, {arriving, plane ? across.data() + i * n_ : nullptr}, signs);
    }
  }
}

/// Solves for the nodes of a part of a row in a cell.
/// @param arriving  for each axis the values at the upwind face; overwritten with those at the downwind face
/// @param signs     for each axis that of the velocity
template <class Real>
void HostStepper<Real>::sweep_cell(std::int64_t cell, std::int64_t row, Part part, const std::array<Real*, 2>& arriving,
                                   const std::array<Real, 2>& signs) {
  const std::int64_t first = cell * nodes_ + row * n_;
  const NodeFrequency& nu = frequency_[static_cast<std::size_t>(cell)];
  const double y = setup_.nodes.velocity(1, row_y(row)), z = setup_.nodes.velocity(2, row_z(row));
  const Real least = setup_.accepts_negative() ? std::numeric_limits<Real>::lowest() : Real(0);
  Real inflow[most_nodes] = {}, rates[most_nodes] = {};
  for (std::size_t axis = 0; axis < setup_.lines.size(); ++axis) {
    const CellLines& along = setup_.lines[axis];
    const double width = along.shape(cell).width, *speed = speeds(along, row);
    const Real *rise = rises(along) + first, *upwind = arriving[axis], sign = signs[axis];
#pragma omp simd
    for (int x = part.begin; x < part.end; ++x) {
      const auto rate = static_cast<Real>(speed[x] / width);
      inflow[x] += rate * (upwind[x] - sign * rise[x]);
      rates[x] += rate;
    }
  }
#pragma omp simd
  for (int x = part.begin; x < part.end; ++x) {
    const std::int64_t i = first + x;
    const auto frequency = static_cast<Real>(nu.at(setup_.nodes.velocity(0, x), y, z));
    const Real gain = q_.data()[i] + frequency * f_.data()[i];
    next_.data()[i] = sweep_value(inflow[x], gain, rates[x], frequency, least);
  }
  for (std::size_t axis = 0; axis < setup_.lines.size(); ++axis) {
    const Real *rise = rises(setup_.lines[axis]) + first, sign = signs[axis];
    for (int x = part.begin; x < part.end; ++x) arriving[axis][x] = next_.data()[first + x] + sign * rise[x];
  }
}

template void HostStepper<float>::sweep_lines();
template void HostStepper<double>::sweep_lines();

}  // namespace shoal::gas
