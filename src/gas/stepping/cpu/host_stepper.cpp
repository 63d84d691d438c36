// SPDX-License-Identifier: Apache-2.0
#include "gas/stepping/cpu/host_stepper.hpp"

#include <algorithm>
#include <cmath>

#include "gas/physics/limiters.hpp"

namespace shoal::gas {

template <class Real>
HostStepper<Real>::HostStepper(const Queue& queue, const GasSetup& setup)
    : Stepper<Real>(queue, setup), rows_(static_cast<std::int64_t>(n_) * n_), zeros_(queue, nodes_) {
  std::fill_n(zeros_.data(), nodes_, Real(0));
  for (const CellLines& along : setup.lines) {
    rises_.emplace_back(queue, cells_ * nodes_);
    for (int y = 0; y < n_; ++y)
      for (int x = 0; x < n_; ++x)
        speeds_[static_cast<std::size_t>(along.axis)].push_back(
            std::abs(setup.nodes.velocity(along.axis, along.axis == 0 ? x : y)));
  }
}

template <class Real>
void HostStepper<Real>::find_faces(const Real* f) {
  for (const CellLines& along : setup_.lines)
    with_limiter(setup_.options.limiter, [&]<class Limiter>(Limiter) {
#pragma omp parallel for num_threads(queue_.threads())
      for (std::int64_t row = 0; row < cells_ * rows_; ++row) find_rises<Limiter>(along, f, row / rows_, row % rows_);
      find_leaving(along, f);
      if (along.periodic) return join_ends(along);
      for (const std::size_t end : {0, 1}) {
        if (along.ghosts[end] > 0) {
          find_arriving(along, end, f);
          continue;
        }
#pragma omp parallel for num_threads(queue_.threads())
        for (std::int64_t line = 0; line < along.count; ++line) balance_wall(along, end, line);
        find_wall_rises<Limiter>(along, end, f);
      }
    });
}

/// Rises of a row of nodes. In a cell at a boundary those of molecules that enter the gas are left to find_wall_rises(). In
/// the outer one of two ghosts they are not needed.
template <class Real>
template <class Limiter>
void HostStepper<Real>::find_rises(const CellLines& along, const Real* f, std::int64_t cell, std::int64_t row) {
  const std::int64_t place = along.place(cell), beside = along.step * nodes_, around = (along.length - 1) * beside;
  const bool first = place == 0, last = place + 1 == along.length;
  const auto left_factor = static_cast<Real>(along.shape(cell).left_factor),
             right_factor = static_cast<Real>(along.shape(cell).right_factor);
  const Real* center = f + cell * nodes_ + row * n_;
  const Real* left = first ? center + around : center - beside;
  const Real* right = last ? center - around : center + beside;
  Real* rise = rises(along) + cell * nodes_ + row * n_;
  if (along.periodic || (!first && !last)) {
    for (int x = 0; x < n_; ++x)
      rise[x] = limited_rise<Limiter>(left[x], center[x], right[x], left_factor, right_factor);
    return;
  }
  const Part leaving = part(along, row, last);
  for (int x = leaving.begin; x < leaving.end; ++x)
    rise[x] = boundary_rise<Limiter>(
        center[x], first ? right_factor * (right[x] - center[x]) : left_factor * (center[x] - left[x]));
}

/// Values at both ends of the own cells of each line of molecules that leave them.
template <class Real>
void HostStepper<Real>::find_leaving(const CellLines& along, const Real* f) {
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t item = 0; item < along.count * rows_; ++item) {
    const std::int64_t line = item / rows_, row = item % rows_;
    for (const std::size_t end : {0, 1}) {
      const Part leaving = part(along, row, end == 1);
      const Real *center = f + end_cell(along, end, line) + row * n_,
                 *rise = rises(along) + end_cell(along, end, line) + row * n_;
      Real* values = end_values(along, end, line) + row * n_;
      for (int x = leaving.begin; x < leaving.end; ++x)
        values[x] = end == 0 ? center[x] - rise[x] : center[x] + rise[x];
    }
  }
}

/// Values at a face of a boundary of molecules that enter the gas.
template <class Real>
void HostStepper<Real>::balance_wall(const CellLines& along, std::size_t end, std::int64_t line) {
  const BoundaryFace& face = setup_.boundary_faces[static_cast<std::size_t>(along.boundary_face(end, line))];
  Real* values = end_values(along, end, line);
  const auto visit = [&](auto law) {
    double arriving = 0;
    for (std::int64_t row = 0; row < rows_; ++row) {
      const Part leaving = part(along, row, end == 1);
      for (int x = leaving.begin; x < leaving.end; ++x)
        arriving += speeds(along, row)[x] * static_cast<double>(values[row * n_ + x]);
    }
    law.balance(arriving, face.unit_flux);
    for (std::int64_t row = 0; row < rows_; ++row) {
      const Part entering = part(along, row, end == 0);
      for (int x = entering.begin; x < entering.end; ++x)
        values[row * n_ + x] = static_cast<Real>(law.entering(face.maxwellian.value(x, row_y(row), row_z(row)),
                                                              static_cast<double>(values[opposite(along, row, x)])));
    }
  };
  std::visit(visit, laws_[2 * static_cast<std::size_t>(along.axis) + end]);
}

/// Rises in the cells at an end of each line of molecules that enter the gas, between the boundary and the neighbor.
template <class Real>
template <class Limiter>
void HostStepper<Real>::find_wall_rises(const CellLines& along, std::size_t end, const Real* f) {
  const auto right_factor = static_cast<Real>(along.shapes.front().right_factor),
             left_factor = static_cast<Real>(along.shapes.back().left_factor);
  const std::int64_t beside = along.step * nodes_;
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t item = 0; item < along.count * rows_; ++item) {
    const std::int64_t line = item / rows_, row = item % rows_;
    const Part entering = part(along, row, end == 0);
    const std::int64_t first = end_cell(along, end, line);
    const Real* values = end_values(along, end, line);
    for (std::int64_t k = row * n_ + entering.begin; k < row * n_ + entering.end; ++k)
      rises(along)[first + k] =
          end == 0 ? limited_rise<Limiter>(values[k], f[first + k], f[first + k + beside], Real(1), right_factor)
                   : limited_rise<Limiter>(f[first + k - beside], f[first + k], values[k], left_factor, Real(1));
  }
}

/// Values at a cut of molecules that come from the ghosts.
template <class Real>
void HostStepper<Real>::find_arriving(const CellLines& along, std::size_t end, const Real* f) {
  const std::int64_t beside = along.step * nodes_;
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t item = 0; item < along.count * rows_; ++item) {
    const std::int64_t line = item / rows_, row = item % rows_;
    const Part entering = part(along, row, end == 0);
    const std::int64_t ghost = end_cell(along, end, line) + (end == 0 ? -beside : beside);
    Real* values = end_values(along, end, line);
    for (std::int64_t k = row * n_ + entering.begin; k < row * n_ + entering.end; ++k)
      values[k] = end == 0 ? f[ghost + k] + rises(along)[ghost + k] : f[ghost + k] - rises(along)[ghost + k];
  }
}

/// Values at the face that joins the ends of a periodic line: what leaves at one end enters at the other.
template <class Real>
void HostStepper<Real>::join_ends(const CellLines& along) {
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t item = 0; item < along.count * rows_; ++item) {
    const std::int64_t line = item / rows_, row = item % rows_;
    for (const std::size_t end : {0, 1}) {
      const Part leaving = part(along, row, end == 1);
      const Real* from = end_values(along, end, line) + row * n_;
      std::copy(from + leaving.begin, from + leaving.end, end_values(along, 1 - end, line) + row * n_ + leaving.begin);
    }
  }
}

template <class Real>
void HostStepper<Real>::advance(const Real* start, const Real* stage, double share, const StepLengths& steps,
                                Real* result) {
  const auto weight = static_cast<Real>(share);
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t item = 0; item < cells_ * rows_; ++item) {
    const std::int64_t cell = item / rows_, row = item % rows_, first = item * n_;
    const double step = steps.at(cell);
    Real moved[most_nodes];
    std::copy_n(stage + first, n_, moved);
    for (const CellLines& along : setup_.lines) {
      const double factor = step / along.shape(cell).width;
      const double* speed = speeds(along, row);
      visit_faces(along, stage, cell, row, [&](int x, std::int64_t, Real arriving, Real leaving) {
        moved[x] += static_cast<Real>(factor * speed[x]) * (arriving - leaving);
      });
    }
#pragma omp simd
    for (int x = 0; x < n_; ++x)
      result[first + x] =
          stage_value(start[first + x], moved[x], q_.data()[first + x], weight, static_cast<Real>(step));
  }
}

template <class Real>
void HostStepper<Real>::scale_nodes(const std::array<Real, 2>& factors) {
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t cell = 0; cell < cells_; ++cell) {
    const Real factor = factors[setup_.cell_of(cell).species];
    for (std::int64_t i = cell * nodes_; i < (cell + 1) * nodes_; ++i) f_.data()[i] *= factor;
  }
}

template <class Real>
void HostStepper<Real>::raise_nodes(Real share, const Array<Real>& values) {
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t i = 0; i < f_.count(); ++i) f_.data()[i] = std::max(f_.data()[i], share * values.data()[i]);
}

template <class Real>
void HostStepper<Real>::clear_q_outside_ball(const NodeFrequency& frequency) {
  const NodeVelocities& nodes = setup_.nodes;
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t item = 0; item < cells_ * rows_; ++item) {
    const double y = nodes.velocity(1, row_y(item % rows_)), z = nodes.velocity(2, row_z(item % rows_));
    for (int x = 0; x < n_; ++x)
      if (frequency.at(nodes.velocity(0, x), y, z) == 0) q_.data()[item * n_ + x] = 0;
  }
}

template <class Real>
void HostStepper<Real>::add_nodes(Real factor, const Array<Real>& values, Array<Real>& sum) {
  const std::int64_t period = values.count();
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t first = 0; first < sum.count(); first += nodes_)
    for (std::int64_t i = first; i < first + nodes_; ++i) sum.data()[i] += factor * values.data()[i % period];
}

template <class Real>
const StepperBackend<Real> StepperBackend<Real>::cpu = {
    .make = [](const Queue& queue, const GasSetup& setup) -> std::unique_ptr<Stepper<Real>> {
      return std::make_unique<HostStepper<Real>>(queue, setup);
    }};
template const StepperBackend<float> StepperBackend<float>::cpu;
template const StepperBackend<double> StepperBackend<double>::cpu;

}  // namespace shoal::gas
