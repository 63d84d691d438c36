// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "gas/stepping/cpu/host_stepper.hpp"

namespace shoal::gas {

template <class Real>
void HostStepper<Real>::sweep_lines(const std::array<bool, 2>& directions) {
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t row = 0; row < rows_; ++row)
    for (const bool forward : {true, false})
      for (std::int64_t species = 0; species < setup_.lines[0].species; ++species)
        sweep_part(species, row, part(setup_.lines[0], row, forward), forward, directions);
}

/// Solves for the nodes of a part of a row in all own cells of a species, from the upwind corner of a plane.
/// @param forward  the nodes move toward the last x
template <class Real>
void HostStepper<Real>::sweep_part(std::int64_t species, std::int64_t row, Part part, bool forward,
                                   const std::array<bool, 2>& directions) {
  const CellLines &along_x = setup_.lines[0], &cut = setup_.lines.back();
  const bool plane = setup_.dimensions() == 2;
  const bool upward = !plane || row_y(row) >= cut.first_forward;
  if (!directions[(plane ? upward : forward) ? 1 : 0]) return;
  const std::int64_t columns = along_x.length;
  const std::int64_t first_row = plane ? cut.own_begin() : 0, last_row = plane ? cut.own_last() : 0;
  const std::array<Real, 2> signs = {Real(forward ? 1 : -1), Real(upward ? 1 : -1)};
  std::vector<Real> across(plane ? static_cast<std::size_t>(columns * n_) : 0);  // values at the faces between rows
  for (std::int64_t i = 0; plane && i < columns; ++i)
    std::copy_n(end_values(cut, upward ? 0 : 1, cut.number(species, i)) + row * n_, n_, across.data() + i * n_);
  Real arriving[most_nodes];
  for (std::int64_t j = upward ? first_row : last_row; j >= first_row && j <= last_row; j += upward ? 1 : -1) {
    const std::int64_t line = along_x.number(species, j);
    std::copy_n(end_values(along_x, forward ? 0 : 1, line) + row * n_, n_, arriving);
    const std::int64_t first = along_x.own_begin(), last = along_x.own_last();
    for (std::int64_t i = forward ? first : last; i >= first && i <= last; i += forward ? 1 : -1)
      sweep_cell(along_x.first(line) + i * along_x.step, row, part,
                 {arriving, plane ? across.data() + i * n_ : nullptr}, signs);
  }
  if (setup_.ranks.size() == 1) return;
  for (std::int64_t i = 0; i < cut.count_of_species(); ++i) {
    const Real* values = plane ? across.data() + i * n_ : arriving;
    std::copy(values + part.begin, values + part.end,
              leaving_.data() + cut.number(species, i) * nodes_ + row * n_ + part.begin);
  }
}

/// Solves for the nodes of a part of a row in a cell.
/// @param arriving  for each axis the values at the upwind face; overwritten with those at the downwind face
/// @param signs     for each axis that of the velocity
template <class Real>
void HostStepper<Real>::sweep_cell(std::int64_t cell, std::int64_t row, Part part, const std::array<Real*, 2>& arriving,
                                   const std::array<Real, 2>& signs) {
  const std::int64_t first = cell * nodes_ + row * n_;
  const NodeFrequency& nu = frequency_[static_cast<std::size_t>(cell - setup_.own_begin())];
  const double y = setup_.nodes.velocity(1, row_y(row)), z = setup_.nodes.velocity(2, row_z(row));
  const Real least = this->accepts_negative() ? std::numeric_limits<Real>::lowest() : Real(0);
  const auto inverse_share = static_cast<Real>(nu.inverse_share),
             least_share = static_cast<Real>(least_share_with_inverse_collisions);
  Real inflow[most_nodes] = {}, rates[most_nodes] = {}, factors[most_nodes];
  std::fill(factors, factors + n_, Real(1));
  const auto most = static_cast<Real>(nu.inverse_most);
  for (int x = part.begin; inverse_share > 0 && x < part.end; ++x)
    factors[x] = inverse_collision_factor(inverse_share, most, f_.data() + first + x, x, row_y(row), row_z(row), n_);
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
    const Real frequency = factors[x] * static_cast<Real>(nu.at(setup_.nodes.velocity(0, x), y, z));
    const Real gain = q_.data()[i] + frequency * f_.data()[i];
    const Real bound = inverse_share > 0 ? max(least, least_share * f_.data()[i]) : least;
    next_.data()[i] = sweep_value(inflow[x], gain, rates[x], frequency, bound);
  }
  for (std::size_t axis = 0; axis < setup_.lines.size(); ++axis) {
    const Real *rise = rises(setup_.lines[axis]) + first, sign = signs[axis];
    for (int x = part.begin; x < part.end; ++x) arriving[axis][x] = next_.data()[first + x] + sign * rise[x];
  }
}

template void HostStepper<float>::sweep_lines(const std::array<bool, 2>&);
template void HostStepper<double>::sweep_lines(const std::array<bool, 2>&);

}  // namespace shoal::gas
