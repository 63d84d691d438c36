// SPDX-License-Identifier: Apache-2.0
#include <shoal/deposit/current.hpp>

#include <cmath>

#include "core/backends.hpp"
#include "core/text.hpp"
#include "deposit/current/current_backend.hpp"
#include "deposit/deposit_checks.hpp"

namespace shoal::deposit {

namespace {

MovingParticles moving_particles(const Queue& queue, const Grid& grid, std::span<const View<const double>> before,
                                 std::span<const View<const double>> after, View<const double> charge) {
  MovingParticles particles;
  particles.dimensions = grid.dimensions;
  particles.count = charge.count;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    particles.origin[axis] = grid.origin[axis];
    particles.spacing[axis] = grid.spacing[axis];
    particles.cells[axis] = grid.cells[axis];
  }
  particles.before = checked_fields(queue, "position before the step, axis", before, charge.count);
  particles.after = checked_fields(queue, "position after the step, axis", after, charge.count);
  particles.charges = checked_fields(queue, "charges", std::span<const View<const double>>(&charge, 1), charge.count);
  return particles;
}

void require_grid(const Grid& grid, double time_step) {
  require_valid(grid);
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(grid.dimensions); ++axis)
    require(grid.periodic[axis], "deposit: axis ", axis, " of the grid is open, but the current needs periodic axes.");
  require(std::isfinite(time_step) && time_step > 0, "deposit: the time step is ", time_step,
          " s, expected a positive number.");
}

/// An element of an array on the queue's device; waits for the queue.
double element(const Queue& queue, const Fields<const double>& fields, int k, std::int64_t i) {
  return to_host(queue, View<const double>(&fields.at(k, i), 1, queue.device())).front();
}

/// Throws an Error that names the first particle with a fault.
void require_small_steps(const Queue& queue, const MovingParticles& particles) {
  const std::int64_t first = backend<CurrentBackend>(queue).first_fault(queue, particles);
  if (first >= particles.count) return;
  MovingParticles one = particles;  // the particle on the host
  std::vector<double> values;
  for (const Fields<const double>* fields : {&particles.before, &particles.after, &particles.charges})
    for (int k = 0; k < fields->count; ++k) values.push_back(element(queue, *fields, k, first));
  for (int axis = 0; axis < particles.dimensions; ++axis) {
    one.before.data[axis] = &values[static_cast<std::size_t>(axis)];
    one.after.data[axis] = &values[static_cast<std::size_t>(particles.dimensions + axis)];
  }
  one.charges.data[0] = &values.back();
  const int axis = one.fault(0);
  require(axis != one.dimensions, "deposit: the charge of particle ", first, " is ", one.charge(0),
          ", expected a finite number.");
  throw Error(text("deposit: particle ", first, " moves from ", one.before.at(axis, 0), " to ", one.after.at(axis, 0),
                   " m along axis ", axis, ", expected at most a cell, ", one.spacing[axis],
                   " m. Take a smaller time step, and do not wrap positions after the step."));
}

}  // namespace

void deposit_current(const Queue& queue, const Grid& grid, double time_step, std::span<const View<const double>> before,
                     std::span<const View<const double>> after, View<const double> charge,
                     std::span<const View<double>> current, DepositShape shape) {
  require_grid(grid, time_step);
  const auto axes = static_cast<std::size_t>(grid.dimensions);
  require(before.size() == axes && after.size() == axes && current.size() == axes, "deposit: ", before.size(),
          " coordinates before the step, ", after.size(), " after it and ", current.size(),
          " currents, expected one of each for the ", axes, " axes of the grid.");
  const MovingParticles particles = moving_particles(queue, grid, before, after, charge);
  const Fields<double> currents = checked_fields(queue, "currents", current, grid.node_count());
  require_small_steps(queue, particles);
  backend<CurrentBackend>(queue).add(queue, particles, time_step, shape, currents);
}

}  // namespace shoal::deposit
