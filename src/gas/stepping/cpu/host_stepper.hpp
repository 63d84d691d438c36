// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "gas/physics/moments_item.hpp"
#include "gas/stepping/stepper.hpp"

namespace shoal::gas {

/// Threads share cells and rows of nodes; each sum is that of one thread in a fixed order, so that the bits do not depend
/// on their number.
template <class Real>
class HostStepper : public Stepper<Real> {
 public:
  HostStepper(const Queue& queue, const GasSetup& setup);

 private:
  /// Nodes of a row that move in one direction.
  struct Part {
    int begin, end;
  };
  /// Velocity component of node i of any axis relative to the center of the grid.
  double offset(int i) const { return setup_.nodes.velocity(0, i) - setup_.nodes.center[0]; }
  int row_y(std::int64_t row) const { return static_cast<int>(row % n_); }
  int row_z(std::int64_t row) const { return static_cast<int>(row / n_); }
  /// Nodes of a row that move toward the last or the first cell of lines.
  Part part(const CellLines& along, std::int64_t row, bool forward) const {
    if (along.axis == 0) return forward ? Part{along.first_forward, n_} : Part{0, along.first_forward};
    return (row_y(row) >= along.first_forward) == forward ? Part{0, n_} : Part{0, 0};
  }
  /// Speeds along the axis of lines of the nodes of a row, m/s.
  const double* speeds(const CellLines& along, std::int64_t row) const {
    return speeds_[static_cast<std::size_t>(along.axis)].data() + row_y(row) * n_;
  }
  /// Node of a row whose velocity along the axis of lines is the opposite.
  std::int64_t opposite(const CellLines& along, std::int64_t row, int x) const {
    if (along.axis == 0) return row * n_ + n_ - 1 - x;
    return (row - row_y(row) + n_ - 1 - row_y(row)) * n_ + x;
  }
  Real* rises(const CellLines& along) { return rises_[static_cast<std::size_t>(along.axis)].data(); }
  const Real* rises(const CellLines& along) const { return rises_[static_cast<std::size_t>(along.axis)].data(); }
  Real* end_values(const CellLines& along, std::size_t end, std::int64_t line) {
    return ends_.data() + along.boundary_face(end, line) * nodes_;
  }
  const Real* end_values(const CellLines& along, std::size_t end, std::int64_t line) const {
    return ends_.data() + along.boundary_face(end, line) * nodes_;
  }
  /// Index of the first node of the own cell at an end of a line.
  std::int64_t end_cell(const CellLines& along, std::size_t end, std::int64_t line) const {
    return (along.first(line) + (end == 0 ? along.own_begin() : along.own_last()) * along.step) * nodes_;
  }

  void find_faces(const Real* f) override;
  std::vector<VelocityMoments> moments_at(const Real* f, const std::function<void()>& beside) override;
  void advance(const Real* start, const Real* stage, double share, const StepLengths& steps, Real* result) override;
  void sweep_lines(const std::array<bool, 2>& directions) override;
  void scale_nodes(const std::array<Real, 2>& factors) override;
  void raise_nodes(Real share, const Array<Real>& values) override;
  void clear_q_outside_ball(const NodeFrequency& frequency) override;
  std::vector<double> cell_products(const Real* weights, const Real* x, const std::vector<const Real*>& ys) override;
  void add_nodes(Real factor, const Array<Real>& values, Array<Real>& sum) override;
  std::vector<double> changes() override;
  void record_fluxes() override;
  std::vector<GasFlux> recorded_fluxes() override { return std::exchange(recorded_, {}); }
  void forget_recorded() override { recorded_.clear(); }

  template <class Limiter>
  void find_rises(const CellLines& along, const Real* f, std::int64_t cell, std::int64_t row);
  template <class Limiter>
  void find_wall_rises(const CellLines& along, std::size_t end, const Real* f);
  void find_leaving(const CellLines& along, const Real* f);
  void balance_wall(const CellLines& along, std::size_t end, std::int64_t line);
  void join_ends(const CellLines& along);
  void find_arriving(const CellLines& along, std::size_t end, const Real* f);
  CellSums cell_sums(const Real* f) const;
  /// Calls visit(x, node over all cells, value at its upwind face, value at its downwind face) for a row of nodes.
  template <class Visit>
  void visit_faces(const CellLines& along, const Real* f, std::int64_t cell, std::int64_t row, Visit visit) const;
  void sweep_part(std::int64_t species, std::int64_t row, Part part, bool forward,
                  const std::array<bool, 2>& directions);
  void sweep_cell(std::int64_t cell, std::int64_t row, Part part, const std::array<Real*, 2>& arriving,
                  const std::array<Real, 2>& signs);

  using Stepper<Real>::queue_, Stepper<Real>::setup_, Stepper<Real>::n_, Stepper<Real>::nodes_, Stepper<Real>::cells_;
  using Stepper<Real>::f_, Stepper<Real>::next_, Stepper<Real>::q_, Stepper<Real>::ends_, Stepper<Real>::frequency_;
  using Stepper<Real>::source_, Stepper<Real>::laws_, Stepper<Real>::own_cells_, Stepper<Real>::leaving_;
  std::int64_t rows_;                          ///< rows of nodes of a cell
  std::vector<Array<Real>> rises_;             ///< [axes][cells × nodes] of the state of the last find_faces()
  Array<Real> zeros_;                          ///< [nodes]
  std::vector<GasFlux> recorded_;              ///< [records × boundary faces]
  std::array<std::vector<double>, 2> speeds_;  ///< [axes][n × n] of the rows with each v_y
};

template <class Real>
template <class Visit>
void HostStepper<Real>::visit_faces(const CellLines& along, const Real* f, std::int64_t cell, std::int64_t row,
                                    Visit visit) const {
  const std::int64_t first = cell * nodes_ + row * n_, line = along.line(cell), place = along.place(cell);
  const std::int64_t beside = along.step * nodes_;
  const Real *rise = rises(along), *zeros = zeros_.data();
  const bool at_left = place == 0, at_right = place + 1 == along.length;
  const Real* left = at_left ? end_values(along, 0, line) + row * n_ : f + first - beside;
  const Real* left_rise = at_left ? zeros : rise + first - beside;
  const Real* right = at_right ? end_values(along, 1, line) + row * n_ : f + first + beside;
  const Real* right_rise = at_right ? zeros : rise + first + beside;
  const Part backward = part(along, row, false), forward = part(along, row, true);
#pragma omp simd
  for (int x = backward.begin; x < backward.end; ++x)
    visit(x, first + x, right[x] - right_rise[x], f[first + x] - rise[first + x]);
#pragma omp simd
  for (int x = forward.begin; x < forward.end; ++x)
    visit(x, first + x, left[x] + left_rise[x], f[first + x] + rise[first + x]);
}

}  // namespace shoal::gas
