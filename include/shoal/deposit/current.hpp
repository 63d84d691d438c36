// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>
#include <shoal/deposit/shape.hpp>
#include <shoal/grid.hpp>

#include <span>

namespace shoal::deposit {

/// Electric current of particles that move during a time step, such that charge is conserved on every node.
///
/// Currents flow along the edges of the grid: element n of axis a is the current from node n to the next node along a.
/// With the charges of nodes from Deposit::to_nodes() of the same shape before and after the step, the equation of
/// continuity holds to rounding:
///
///     (charge_after(n) − charge_before(n)) / time_step + Σ_axes (current_a(n) − current_a(n − 1 along a)) = 0
///
/// For the current density, divide by the area that belongs to an edge, in 3-D the product of the other two spacings.
///
/// @param queue      on any device; all arrays are on this device
/// @param grid       2-D or 3-D, periodic along all of its axes
/// @param time_step  s, positive
/// @param before     as many views of [n] as the grid has dimensions, m, any stride: positions before the step
/// @param after      the same after the step, at most one cell away along each axis; not wrapped into the period
/// @param charge     [n] C, any stride
/// @param current    as many views of [grid.node_count()] as the grid has dimensions, A, overwritten
/// @param shape      shape of the particles, that of Deposit
/// @throws Error  at once, so it waits for the queue: an open axis, a wrong number or count of views, a time step not
///                positive and finite, a particle that moved farther than a cell, a value that is not finite. Currents
///                are then as they were
///
/// Cost: a particle adds to 54 edges in 3-D (`tsc` 144, `pcs` 300), to 12 in 2-D (24, 40). On the CPU threads share the
/// layers of nodes along the longest axis, with 4 bytes per particle; the bits do not depend on their number. On CUDA
/// sums are integers, 8 bytes per edge, at most 2^31 particles; the bits do not depend on the order of the particles.
///
/// Source: Esirkepov (2001), "Exact charge conservation scheme for particle-in-cell simulation with an arbitrary
/// form-factor", with the shape of the particles as form factor.
void deposit_current(const Queue& queue, const Grid& grid, double time_step, std::span<const View<const double>> before,
                     std::span<const View<const double>> after, View<const double> charge,
                     std::span<const View<double>> current, DepositShape shape = DepositShape::cic);

}  // namespace shoal::deposit

namespace shoal {
using deposit::deposit_current;
}  // namespace shoal
