// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/points.hpp>

#include "cells/assign_cells.hpp"
#include "deposit/deposit_call.hpp"

namespace shoal {

/// What binning needs to know of a particle.
template <class Real>
struct DepositPlacing {
  DepositSpace<Real> space;
  cells::PointReader<Real> points;
  std::int64_t count = 0;
  bool skip = false;            ///< particles outside get the cell after the last one, else a fault and the same
  bool report_blocked = false;  ///< particles in blocked cells are a fault
  Status* status = nullptr;

  /// The place of particle i; cell_count() and no offset if it has none.
  SHOAL_HD ParticlePlace<Real> place(std::int64_t i) const {
    const Real x = points.at_x(i);
    const Real y = points.at_y(i, space.dimensions);
    const Real z = points.at_z(i, space.dimensions);
    if (space.fault(x, y, z) == space.dimensions) return space.place(x, y, z);
    return {static_cast<std::uint32_t>(space.cell_count()), {}};
  }

  /// The fault of particle i at its place; negative if it has none.
  SHOAL_HD int fault(std::int64_t i, const ParticlePlace<Real>& at) const {
    if (at.cell == space.cell_count()) return skip ? -1 : axis_outside(i);
    if (!space.is_blocked(at.cell)) return -1;
    if (report_blocked) return DepositFault::blocked_cell;
    return space.redistribute && space.open(at.cell) == closed() ? DepositFault::no_open_node : -1;
  }

  /// The place of particle i, with its fault recorded.
  SHOAL_HD ParticlePlace<Real> place_or_fault(std::int64_t i) const {
    const ParticlePlace<Real> at = place(i);
    const int kind = fault(i, at);
    if (kind >= 0) record(status, i, kind);
    return at;
  }

  /// Adds to a status where its offender is, for one thread to run after all particles were seen. An offender of an
  /// earlier call, whose particles may be gone, is left as it is.
  SHOAL_HD void describe_offender() const {
    const auto i = static_cast<std::int64_t>(status->first >> 8);
    const auto kind = static_cast<int>(status->first & 0xff);
    if (status->first == Status::none || kind >= DepositFault::not_finite || i >= count) return;
    const ParticlePlace<Real> at = place(i);
    if (kind == DepositFault::out_of_order) {
      const auto before = i > 0 ? place(i - 1).cell : 0;
      if (at.cell >= before) return;
      status->value[0] = static_cast<double>(at.cell);
      status->value[1] = static_cast<double>(before);
      return;
    }
    if (fault(i, at) != kind) return;
    status->value[0] = kind < 3 ? static_cast<double>(points.at_x(i)) : static_cast<double>(at.cell);
    status->value[1] = static_cast<double>(points.at_y(i, space.dimensions));
    status->value[2] = static_cast<double>(points.at_z(i, space.dimensions));
  }

 private:
  SHOAL_HD int axis_outside(std::int64_t i) const {
    return space.fault(points.at_x(i), points.at_y(i, space.dimensions), points.at_z(i, space.dimensions));
  }

  /// The corners of a cell none of whose nodes is open.
  SHOAL_HD unsigned closed() const { return space.dimensions > 2 ? 0u : 0xf0u; }
};

/// Where binning writes places in the order of cells.
template <class Real>
struct ParticlePlaces {
  std::uint32_t* cell = nullptr;
  Real* offset[3] = {};  ///< null along z in 2-D

  SHOAL_HD void write(std::int64_t k, const ParticlePlace<Real>& at) const {
    cell[k] = static_cast<std::uint32_t>(at.cell);
    for (int axis = 0; axis < 3; ++axis)
      if (offset[axis] != nullptr) offset[axis][k] = at.offset[axis];
  }
};

/// Where it writes them before a sort: the keys, and all of a place together, so that bringing places into order costs
/// one random read a particle.
template <class Real>
struct PackedPlaces {
  std::uint32_t* cell = nullptr;
  ParticlePlace<Real>* place = nullptr;

  SHOAL_HD void write(std::int64_t i, const ParticlePlace<Real>& at) const {
    cell[i] = static_cast<std::uint32_t>(at.cell);
    place[i] = at;
  }
};

/// The place of every particle, by number; faults are recorded.
/// @tparam Places  ParticlePlaces<Real>, PackedPlaces<Real>
template <class Real, class Places>
void find_places(const Queue& queue, const DepositPlacing<Real>& placing, const Places& places);

/// After the sort: the places in the order of cells.
template <class Real>
void order_places(const Queue& queue, View<const ParticlePlace<Real>> by_number, View<const std::int32_t> order,
                  const ParticlePlaces<Real>& places);

/// Instead of a sort, for particles that come in the order of cells: where each cell starts. A particle that does not
/// come so is a fault.
/// @param cell_start  [cells + 2]
template <class Real>
void find_cell_starts(const Queue& queue, const DepositPlacing<Real>& placing,
                      View<const std::uint32_t> cell_of_particle, View<std::int64_t> cell_start);

}  // namespace shoal
