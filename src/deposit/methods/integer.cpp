// SPDX-License-Identifier: Apache-2.0
// integer: fixed point, whose sums do not depend on any order.
//
// idea           each weight · value becomes an integer multiple of a power of two chosen from the sum of all sizes; the
//                corner with the largest weight takes the rest, so a particle's shares add up to its integer
// source         shoal; one bin of Ahrens, Demmel and Nguyen (2020), "Algorithms for efficient reproducible floating
//                point summation"
// memory         64 bytes per cell and value
// atomics        none
// deterministic  yes: the same bits for any order of the particles and any partition of them
// wins when      the order of the particles changes, or the total must be exact to the last unit
// loses when     the smallest values are below the unit, 2^-61 of the sum of sizes
// deviations     without ranges, values are read twice more: for the largest size and for the sum of sizes
// shapes         tsc and pcs in src/deposit/shapes/integer_shape.cpp
#include "core/cpu_variants.hpp"
#include "deposit/methods/methods.hpp"
#include "deposit/ranks/integer_ranks.hpp"
#include "deposit/shapes/shape_methods.hpp"
#include "deposit/sums/cell_parts.hpp"
#include "deposit/sums/cpu_units.hpp"
#include "deposit/sums/fixed_point_item.hpp"

namespace shoal::deposit {

namespace {

/// Adds a cell's particles to the sums of its corners and to the sums of sizes.
template <class Real>
SHOAL_HD void sum_cell(const DepositCall<Real>& call, const Units& units, std::int64_t cell, std::uint64_t* part,
                       std::uint64_t* sizes) {
  const DepositSpace<Real>& space = call.space;
  const unsigned is_open = space.open(cell);
  for (std::int64_t p = call.particles.cell_start[cell]; p < call.particles.cell_start[cell + 1]; ++p) {
    const CornerWeights<Real> weights = splitting_weights(space, cell, call.particles.open_weights(p));
    const std::int64_t number = call.particles.number(p);
    for (int k = 0; k < call.value_count(); ++k) {
      std::int64_t share[8];
      const auto value = static_cast<double>(call.values.at(k, number));
      if (!std::isfinite(value)) record(call.status, number, DepositFault::not_finite + k);
      const FixedPoint& unit = units[static_cast<std::size_t>(k)];
      sizes[k] = add_sizes(sizes[k], split_if_held(unit, weights, space.corners(), value, share));
      for (int c = 0; c < space.corners(); ++c)
        if ((is_open >> c & 1) != 0) part[k * part_corners + c] += static_cast<std::uint64_t>(share[c]);
    }
  }
}

template <class Real>
SHOAL_CPU_VARIANTS void sum_cells(const DepositCall<Real>& call, const Units& units, Range cells, std::uint64_t* parts,
                                  std::uint64_t* sizes) {
  const std::int64_t width = static_cast<std::int64_t>(call.value_count()) * part_corners;
  std::fill_n(parts + cells.begin * width, cells.count() * width, 0);
  for (std::int64_t cell = cells.begin; cell < cells.end; ++cell)
    sum_cell(call, units, cell, parts + cell * width, sizes);
}

template <class Real>
SHOAL_CPU_VARIANTS void add_row(const DepositCall<Real>& call, const Units& units, const std::uint64_t* parts,
                                std::int32_t y, std::int32_t z) {
  add_parts_of_row(call, call.nodes, parts, y, z, [&](int k, std::uint64_t sum) {
    return units[static_cast<std::size_t>(k)].template value<Real>(static_cast<std::int64_t>(sum));
  });
}

/// Sums of a row of nodes before those of other ranks are added.
template <class Real>
SHOAL_CPU_VARIANTS void add_row_of_rank(const DepositCall<Real>& call, const Fields<std::uint64_t>& sums,
                                        const std::uint64_t* parts, std::int32_t y, std::int32_t z) {
  add_parts_of_row(call, sums, parts, y, z, [](int, std::uint64_t sum) { return sum; });
}

/// Calls add(y, z) for all rows of nodes along x.
template <class Real, class Add>
void for_each_row(const DepositCall<Real>& call, Add&& add) {
  const std::int32_t rows_y = call.space.axes[1].node_count();
  const std::int64_t rows = static_cast<std::int64_t>(rows_y) * call.space.z_nodes();
#pragma omp parallel for num_threads(call.queue().threads())
  for (std::int64_t row = 0; row < rows; ++row)
    add(static_cast<std::int32_t>(row % rows_y), static_cast<std::int32_t>(row / rows_y));
}

/// Adds the sums of all ranks before they are rounded.
template <class Real>
void add_rows_of_ranks(const DepositCall<Real>& call, const Units& units, const std::uint64_t* parts) {
  ScratchFrame frame(call.scratch);
  const std::int64_t count = call.space.node_count();
  const Fields<std::uint64_t> sums = make_fields<std::uint64_t>(frame, call.value_count(), count);
  for_each_row(call, [&](std::int32_t y, std::int32_t z) { add_row_of_rank(call, sums, parts, y, z); });
  call.shared->add(call.scratch, sums, count);
  for (int k = 0; k < call.value_count(); ++k)
#pragma omp parallel for num_threads(call.queue().threads())
    for (std::int64_t node = 0; node < count; ++node)
      call.nodes.at(k, node) =
          units[static_cast<std::size_t>(k)].template value<Real>(static_cast<std::int64_t>(sums.at(k, node)));
}

template <class Real>
void run(const DepositCall<Real>& call) {
  const DepositSpace<Real>& space = call.space;
  const std::int64_t particles = integer_ranks::particles_of_all(call.shared, call.measured.count());
  const Units units = find_units(call);
  const std::int64_t cells = space.cell_count();
  const std::int64_t runs = run_count(call.queue(), cells);
  ScratchFrame frame(call.scratch);
  // Unsigned: sums beyond a range, which are faults, wrap instead of being undefined.
  std::uint64_t* parts = frame.array<std::uint64_t>(cells * call.value_count() * part_corners).data;
  std::uint64_t* sizes = frame.array<std::uint64_t>(runs * Fields<Real>::max_count).data;
  std::fill_n(sizes, runs * Fields<Real>::max_count, 0);
#pragma omp parallel for num_threads(call.queue().threads()) schedule(dynamic)
  for (std::int64_t i = 0; i < runs; ++i)
    sum_cells(call, units, cells_of_run(call.particles.cell_start, cells, i, runs), parts,
              sizes + i * Fields<Real>::max_count);
  check_ranges(call, units, particles, sizes, runs);
  if (call.shared != nullptr) return add_rows_of_ranks(call, units, parts);
  for_each_row(call, [&](std::int32_t y, std::int32_t z) { add_row(call, units, parts, y, z); });
}

}  // namespace

const DepositMethod integer_cpu{{"integer", DeviceKind::cpu, true, "shoal"},
                                false,
                                run<float>,
                                run<double>,
                                true,
                                run_integer_shape<float>,
                                run_integer_shape<double>};

}  // namespace shoal::deposit
