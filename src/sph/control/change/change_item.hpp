// SPDX-License-Identifier: Apache-2.0
// Particles that a program removes, and distances of those that it adds.
#pragma once
#include <cstddef>

#include "sph/control/particle_rows_item.hpp"
#include "sph/physics/cells/cell_item.hpp"
#include "sph/physics/pairs/separation_item.hpp"

namespace shoal::sph {

/// Particles that a program removes: those of some rows, of flagged rows, or of a box.
struct RemoveRequest {
  const std::int64_t* row = nullptr;   ///< [count] rows; −1: a particle of another rank
  std::int64_t count = 0;              ///< number of rows in the list
  const std::uint8_t* flag = nullptr;  ///< [rows] other than 0: removed
  double from[3] = {}, to[3] = {};     ///< m, corners of the box, where neither list nor flags are given
};

/// Number of values that a request has to visit.
SHOAL_HD std::int64_t visits_of(const RemoveRequest& request, std::int64_t rows) {
  return request.row ? request.count : rows;
}

template <class Real, int dimensions>
SHOAL_HD bool is_in_box(const Lattice& lattice, const RemoveRequest& request,
                        const PositionDensity<Real, dimensions>& position) {
  for (int axis = 0; axis < dimensions; ++axis) {
    const double x = lattice.origin[axis] + rounded_product(lattice.unit, static_cast<double>(position.x[axis]));
    if (!(x >= request.from[axis] && x <= request.to[axis])) return false;
  }
  return true;
}

/// Marks the row of visit k of a request, if it is of fluid.
/// @param mark  [rows] 1: the row is removed
/// @return      refusal::none, or why it cannot be removed
template <class Real, int dimensions>
SHOAL_HD std::uint64_t mark_row(const Lattice& lattice, const ParticleRows<Real, dimensions>& rows,
                                const RemoveRequest& request, std::int64_t k, std::uint8_t* mark) {
  const std::int64_t i = request.row ? request.row[k] : k;
  if (i < 0 || rows.id_of(i) < 0) return refusal::none;
  if (is_wall(rows.state.position[i])) return request.row ? refusal::word(k, refusal::wall) : refusal::none;
  if (request.row || (request.flag ? request.flag[i] != 0 : is_in_box(lattice, request, rows.state.position[i])))
    mark[i] = 1;
  return refusal::none;
}

/// Positions of new particles in the order of their cells in the domain.
template <class Real, int dimensions>
struct NewPositions {
  const PositionDensity<Real, dimensions>* position = nullptr;  ///< [count]
  const std::uint32_t* cell = nullptr;                          ///< [count]
  const std::int32_t* number = nullptr;                         ///< [count] numbers in the order of the program
  std::int32_t count = 0;
  Real least_squared = 0;  ///< square of the least distance of particles, in units of the lattice

  /// Index of the first position in a cell that is not below another one.
  SHOAL_HD std::int32_t first_from(std::uint32_t lowest) const {
    std::int32_t begin = 0, end = count;
    while (begin < end) {
      const std::int32_t middle = begin + (end - begin) / 2;
      if (cell[middle] < lowest)
        begin = middle + 1;
      else
        end = middle;
    }
    return begin;
  }
};

/// Number of no new particle.
constexpr std::int32_t no_number = 0x7fffffff;

/// Smallest number of a new particle that is too near to a position, or no_number.
/// @param parameters  those of the whole domain
/// @param skipped     number of a new particle at the position, which is not compared
template <class Real, int dimensions>
SHOAL_HD std::int32_t first_too_near(const Parameters<Real, dimensions>& parameters,
                                     const NewPositions<Real, dimensions>& added,
                                     const PositionDensity<Real, dimensions>& position,
                                     std::int32_t skipped = no_number) {
  const std::uint32_t cell = cell_of(parameters, position);
  std::int32_t first = no_number;
  if (cell == parameters.cell_count) return first;
  for (int run = 0; run < run_count<GeneralPhysics>(parameters); ++run) {
    const CellRun cells = run_of<GeneralPhysics>(parameters, cell, run);
    for (std::int32_t j = added.first_from(cells.first); j < added.count && added.cell[j] < cells.end; ++j)
      if (added.number[j] != skipped && added.number[j] < first &&
          squared_units_apart<GeneralPhysics>(parameters, position, added.position[j]) < added.least_squared)
        first = added.number[j];
  }
  return first;
}

}  // namespace shoal::sph
