// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gas/physics/limiters.hpp"
#include "gas/physics/moments_item.hpp"
#include "gas/stepping/stepper.hpp"

namespace shoal::gas {

namespace {

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
  /// Velocity component of node i relative to the center of the grid.
  double offset(int i) const { return setup_.nodes.velocity(0, i) - setup_.nodes.center[0]; }
  Part backward() const { return {0, setup_.first_forward}; }
  Part forward() const { return {setup_.first_forward, n_}; }
  Real* end_values(std::size_t end) { return ends_.data() + static_cast<std::int64_t>(end) * nodes_; }
  const Real* end_values(std::size_t end) const { return ends_.data() + static_cast<std::int64_t>(end) * nodes_; }

  void find_faces(const Real* f) override;
  std::vector<VelocityMoments> moments_at(const Real* f) override;
  void advance(const Real* start, const Real* stage, double share, const std::vector<double>& steps,
               Real* result) override;
  void sweep_lines() override;
  void scale_nodes(Real factor) override;
  void add_source() override;
  std::vector<double> changes() override;
  std::array<GasFlux, 2> end_fluxes() override;

  template <class Limiter>
  void find_rises(const Real* f, std::int64_t cell, std::int64_t row);
  template <class Limiter>
  void find_wall_rises(const Real* f);
  void find_leaving(const Real* f);
  void balance_wall(std::size_t end);
  void join_ends(const Real* f);
  CellSums cell_sums(const Real* f) const;
  /// Calls visit(x, node over all cells, value at its upwind face, value at its downwind face) for a row of nodes.
  template <class Visit>
  void visit_faces(const Real* f, std::int64_t cell, std::int64_t row, Visit visit) const;
  void sweep_cell(std::int64_t cell, std::int64_t row, Part part, Real* arriving);

  using Stepper<Real>::queue_, Stepper<Real>::setup_, Stepper<Real>::n_, Stepper<Real>::nodes_, Stepper<Real>::cells_;
  using Stepper<Real>::f_, Stepper<Real>::next_, Stepper<Real>::q_, Stepper<Real>::ends_, Stepper<Real>::frequency_;
  using Stepper<Real>::source_, Stepper<Real>::boundaries_;
  std::int64_t rows_;           ///< rows of nodes of a cell
  Array<Real> rise_;            ///< [cells × nodes] of the state of the last find_faces()
  Array<Real> zeros_;           ///< [nodes]
  std::vector<double> speeds_;  ///< Speed |v_x| of the nodes along x, m/s.
};

template <class Real>
HostStepper<Real>::HostStepper(const Queue& queue, const GasSetup& setup)
    : Stepper<Real>(queue, setup),
      rows_(static_cast<std::int64_t>(n_) * n_),
      rise_(queue, cells_ * nodes_),
      zeros_(queue, nodes_) {
  std::fill_n(zeros_.data(), nodes_, Real(0));
  for (int x = 0; x < n_; ++x) speeds_.push_back(std::abs(setup.nodes.velocity(0, x)));
}

template <class Real>
void HostStepper<Real>::find_faces(const Real* f) {
  with_limiter(setup_.options.limiter, [&]<class Limiter>(Limiter) {
#pragma omp parallel for num_threads(queue_.threads())
    for (std::int64_t row = 0; row < cells_ * rows_; ++row) find_rises<Limiter>(f, row / rows_, row % rows_);
    if (setup_.periodic()) return join_ends(f);
    find_leaving(f);
    for (std::size_t end = 0; end < 2; ++end) balance_wall(end);
    find_wall_rises<Limiter>(f);
  });
}

/// Rises of a row of nodes. In a cell at a boundary those of molecules that enter the gas are left to find_wall_rises().
template <class Real>
template <class Limiter>
void HostStepper<Real>::find_rises(const Real* f, std::int64_t cell, std::int64_t row) {
  const bool first = cell == 0, last = cell + 1 == cells_, periodic = setup_.periodic();
  const CellShape& shape = setup_.shapes[static_cast<std::size_t>(cell)];
  const auto left_factor = static_cast<Real>(shape.left_factor), right_factor = static_cast<Real>(shape.right_factor);
  const Real* center = f + cell * nodes_ + row * n_;
  const Real* left = first ? center + (cells_ - 1) * nodes_ : center - nodes_;
  const Real* right = last ? center - (cells_ - 1) * nodes_ : center + nodes_;
  Real* rise = rise_.data() + cell * nodes_ + row * n_;
  if (periodic || (!first && !last)) {
    for (int x = 0; x < n_; ++x)
      rise[x] = limited_rise<Limiter>(left[x], center[x], right[x], left_factor, right_factor);
  } else if (first) {
    for (int x = 0; x < setup_.first_forward; ++x)
      rise[x] = boundary_rise<Limiter>(center[x], right_factor * (right[x] - center[x]));
  } else {
    for (int x = setup_.first_forward; x < n_; ++x)
      rise[x] = boundary_rise<Limiter>(center[x], left_factor * (center[x] - left[x]));
  }
}

/// Values at both ends of molecules that leave the gas.
template <class Real>
void HostStepper<Real>::find_leaving(const Real* f) {
  const std::int64_t last = (cells_ - 1) * nodes_;
  for (std::int64_t k = 0; k < nodes_; ++k) {
    if (k % n_ < setup_.first_forward)
      end_values(0)[k] = f[k] - rise_.data()[k];
    else
      end_values(1)[k] = f[last + k] + rise_.data()[last + k];
  }
}

/// Values at one end of molecules that enter the gas.
template <class Real>
void HostStepper<Real>::balance_wall(std::size_t end) {
  const Part leaving = end == 0 ? backward() : forward(), entering = end == 0 ? forward() : backward();
  const DiscreteMaxwellian& maxwellian = boundaries_[end].maxwellian;
  Real* values = end_values(end);
  const auto visit = [&](auto& law) {
    double arriving = 0;
    for (std::int64_t row = 0; row < rows_; ++row)
      for (int x = leaving.begin; x < leaving.end; ++x)
        arriving += speeds_[static_cast<std::size_t>(x)] * static_cast<double>(values[row * n_ + x]);
    law.balance(arriving, boundaries_[end].unit_flux);
#pragma omp parallel for num_threads(queue_.threads())
    for (std::int64_t row = 0; row < rows_; ++row)
      for (int x = entering.begin; x < entering.end; ++x)
        values[row * n_ + x] =
            static_cast<Real>(law.entering(maxwellian.value(x, static_cast<int>(row % n_), static_cast<int>(row / n_)),
                                           static_cast<double>(values[row * n_ + n_ - 1 - x])));
  };
  std::visit(visit, boundaries_[end].law);
}

/// Rises in the cells at both ends of molecules that enter the gas, between the boundary and the neighbor.
template <class Real>
template <class Limiter>
void HostStepper<Real>::find_wall_rises(const Real* f) {
  const auto right_factor = static_cast<Real>(setup_.shapes.front().right_factor),
             left_factor = static_cast<Real>(setup_.shapes.back().left_factor);
  const std::int64_t last = (cells_ - 1) * nodes_;
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t row = 0; row < rows_; ++row) {
    for (std::int64_t k = row * n_ + setup_.first_forward; k < (row + 1) * n_; ++k)
      rise_.data()[k] = limited_rise<Limiter>(end_values(0)[k], f[k], f[k + nodes_], Real(1), right_factor);
    for (std::int64_t k = row * n_; k < row * n_ + setup_.first_forward; ++k)
      rise_.data()[last + k] =
          limited_rise<Limiter>(f[last + k - nodes_], f[last + k], end_values(1)[k], left_factor, Real(1));
  }
}

/// Values at the face that joins the ends of a periodic line.
template <class Real>
void HostStepper<Real>::join_ends(const Real* f) {
  const std::int64_t last = (cells_ - 1) * nodes_;
  for (std::int64_t k = 0; k < nodes_; ++k)
    end_values(0)[k] = end_values(1)[k] =
        k % n_ < setup_.first_forward ? f[k] - rise_.data()[k] : f[last + k] + rise_.data()[last + k];
}

template <class Real>
template <class Visit>
void HostStepper<Real>::visit_faces(const Real* f, std::int64_t cell, std::int64_t row, Visit visit) const {
  const std::int64_t first = cell * nodes_ + row * n_;
  const Real *rise = rise_.data(), *zeros = zeros_.data();
  const bool at_left = cell == 0, at_right = cell + 1 == cells_;
  const Real* left = at_left ? end_values(0) + row * n_ : f + first - nodes_;
  const Real* left_rise = at_left ? zeros : rise + first - nodes_;
  const Real* right = at_right ? end_values(1) + row * n_ : f + first + nodes_;
  const Real* right_rise = at_right ? zeros : rise + first + nodes_;
#pragma omp simd
  for (int x = 0; x < setup_.first_forward; ++x)
    visit(x, first + x, right[x] - right_rise[x], f[first + x] - rise[first + x]);
#pragma omp simd
  for (int x = setup_.first_forward; x < n_; ++x)
    visit(x, first + x, left[x] + left_rise[x], f[first + x] + rise[first + x]);
}

/// Runge-Kutta stage of all nodes.
/// @param steps  [cells] s
template <class Real>
void HostStepper<Real>::advance(const Real* start, const Real* stage, double share, const std::vector<double>& steps,
                                Real* result) {
  const auto weight = static_cast<Real>(share);
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t row = 0; row < cells_ * rows_; ++row) {
    const std::int64_t cell = row / rows_;
    const double step = steps[static_cast<std::size_t>(cell)];
    const double factor = step / setup_.shapes[static_cast<std::size_t>(cell)].width;
    visit_faces(stage, cell, row % rows_, [&](int x, std::int64_t i, Real arriving, Real leaving) {
      const auto courant = static_cast<Real>(factor * speeds_[static_cast<std::size_t>(x)]);
      result[i] =
          stage_value(start[i], stage[i], arriving, leaving, q_.data()[i], weight, courant, static_cast<Real>(step));
    });
  }
}

template <class Real>
void HostStepper<Real>::sweep_lines() {
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t row = 0; row < rows_; ++row) {
    Real arriving[most_nodes];
    for (const Part part : {forward(), backward()}) {
      const bool ascends = part.begin != 0;
      const Real* end = end_values(ascends ? 0 : 1) + row * n_;
      std::copy(end + part.begin, end + part.end, arriving + part.begin);
      for (std::int64_t k = 0; k < cells_; ++k) sweep_cell(ascends ? k : cells_ - 1 - k, row, part, arriving);
    }
  }
}

/// Solves for the nodes of a part of a row in a cell.
/// @param arriving  values at the upwind face; overwritten with those at the downwind face
template <class Real>
void HostStepper<Real>::sweep_cell(std::int64_t cell, std::int64_t row, Part part, Real* arriving) {
  const std::int64_t first = cell * nodes_ + row * n_;
  const NodeFrequency& nu = frequency_[static_cast<std::size_t>(cell)];
  const double y = setup_.nodes.velocity(1, static_cast<int>(row % n_)),
               z = setup_.nodes.velocity(2, static_cast<int>(row / n_));
  const double width = setup_.shapes[static_cast<std::size_t>(cell)].width;
  const Real least = setup_.accepts_negative() ? std::numeric_limits<Real>::lowest() : Real(0);
  const auto sign = static_cast<Real>(part.begin == 0 ? -1 : 1);
#pragma omp simd
  for (int x = part.begin; x < part.end; ++x) {
    const std::int64_t i = first + x;
    const auto frequency = static_cast<Real>(nu.at(setup_.nodes.velocity(0, x), y, z));
    const Real rise = sign * rise_.data()[i], gain = q_.data()[i] + frequency * f_.data()[i];
    const auto rate = static_cast<Real>(speeds_[static_cast<std::size_t>(x)] / width);
    const Real value = sweep_value(arriving[x], rise, gain, rate, frequency, least);
    next_.data()[i] = value;
    arriving[x] = value + rise;
  }
}

template <class Real>
void HostStepper<Real>::scale_nodes(Real factor) {
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t i = 0; i < f_.count(); ++i) f_.data()[i] *= factor;
}

template <class Real>
void HostStepper<Real>::add_source() {
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t cell = 0; cell < cells_; ++cell)
    for (std::int64_t k = 0; k < nodes_; ++k) q_.data()[cell * nodes_ + k] += source_.data()[k];
}

template <class Real>
std::vector<double> HostStepper<Real>::changes() {
  std::vector<double> changes(static_cast<std::size_t>(cells_));
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t cell = 0; cell < cells_; ++cell) {
    const auto c = static_cast<std::size_t>(cell);
    const double width = setup_.shapes[c].width;
    double sums[most_nodes] = {};  // of the nodes of equal v_x
    for (std::int64_t row = 0; row < rows_; ++row)
      visit_faces(f_.data(), cell, row, [&](int x, std::int64_t i, Real arriving, Real leaving) {
        const double transport = speeds_[static_cast<std::size_t>(x)] / width * static_cast<double>(arriving - leaving);
        sums[x] += std::abs(transport + static_cast<double>(q_.data()[i]));
      });
    changes[c] = std::accumulate(sums, sums + n_, 0.0) * setup_.nodes.volume();
  }
  return changes;
}

template <class Real>
CellSums HostStepper<Real>::cell_sums(const Real* f) const {
  CellSums sums;
  for (int z = 0; z < n_; ++z)
    for (int y = 0; y < n_; ++y) {
      const Real* row = f + (static_cast<std::int64_t>(z) * n_ + y) * n_;
      double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
      for (int x = 0; x < n_; ++x) {
        const double w = offset(x), value = static_cast<double>(row[x]), first = w * value, second = w * first;
        s0 += value;
        s1 += first;
        s2 += second;
        s3 += w * second;
      }
      CellSums::add({{s0, s1, s2, s3}}, offset(y), offset(z), sums.value);
    }
  return sums;
}

template <class Real>
std::vector<VelocityMoments> HostStepper<Real>::moments_at(const Real* f) {
  std::vector<VelocityMoments> moments(static_cast<std::size_t>(cells_));
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t cell = 0; cell < cells_; ++cell)
    moments[static_cast<std::size_t>(cell)] = moments_from_sums(setup_.nodes, cell_sums(f + cell * nodes_));
  return moments;
}

template <class Real>
std::array<GasFlux, 2> HostStepper<Real>::end_fluxes() {
  std::array<GasFlux, 2> fluxes;
  for (std::size_t end = 0; end < 2; ++end) {
    FluxSums sums;
    for (std::int64_t row = 0; row < rows_; ++row) {
      double flux = 0, flux_x = 0, flux_xx = 0;
      for (int x = 0; x < n_; ++x) {
        const double v = setup_.nodes.velocity(0, x);
        const double term = v * static_cast<double>(end_values(end)[row * n_ + x]);
        flux += term, flux_x += v * term, flux_xx += v * v * term;
      }
      FluxSums::add(flux, flux_x, flux_xx, setup_.nodes.velocity(1, static_cast<int>(row % n_)),
                    setup_.nodes.velocity(2, static_cast<int>(row / n_)), sums.value);
    }
    fluxes[end] = flux_from_sums(setup_.nodes, sums.value);
  }
  return fluxes;
}

}  // namespace

template <class Real>
const StepperBackend<Real> StepperBackend<Real>::cpu = {
    .make = [](const Queue& queue, const GasSetup& setup) -> std::unique_ptr<Stepper<Real>> {
      return std::make_unique<HostStepper<Real>>(queue, setup);
    }};
template const StepperBackend<float> StepperBackend<float>::cpu;
template const StepperBackend<double> StepperBackend<double>::cpu;

}  // namespace shoal::gas
