// SPDX-License-Identifier: Apache-2.0
#include "gas/stepping/host_stepper.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/text.hpp"
#include "gas/physics/limiters.hpp"

namespace shoal::gas {

namespace {

/// sum += time × flux
void add_flux(GasFlux& sum, const GasFlux& flux, double time) {
  sum.mass += time * flux.mass;
  for (std::size_t axis = 0; axis < 3; ++axis) sum.momentum[axis] += time * flux.momentum[axis];
  sum.energy += time * flux.energy;
}

}  // namespace

template <class Real>
HostStepper<Real>::HostStepper(const Queue& queue, const GasSetup& setup)
    : queue_(queue),
      setup_(setup),
      n_(setup.nodes.n),
      nodes_(setup.node_count()),
      cells_(setup.cells()),
      rows_(static_cast<std::int64_t>(n_) * n_),
      f_(queue, cells_ * nodes_),
      stage_(queue, cells_ * nodes_),
      next_(queue, cells_ * nodes_),
      rise_(queue, cells_ * nodes_),
      q_(queue, cells_ * nodes_),
      ends_{Array<Real>(queue, nodes_), Array<Real>(queue, nodes_)},
      zeros_(queue, nodes_),
      boundaries_(setup.boundary_states),
      term_(make_collision_term<Real>(queue, setup)),
      frequency_(static_cast<std::size_t>(cells_), 0.0) {
  std::fill_n(zeros_.data(), nodes_, Real(0));
  std::fill_n(q_.data(), cells_ * nodes_, Real(0));
  for (int x = 0; x < n_; ++x) speeds_.push_back(std::abs(setup.nodes.velocity(0, x)));
}

template <class Real>
void HostStepper<Real>::refresh() {
  if (fresh_) return;
  evaluate(f_.data());
  fresh_ = true;
}

/// Computes rises, boundary values and the collision term of a state.
template <class Real>
void HostStepper<Real>::evaluate(const Real* f) {
  find_rises(f);
  if (!term_) return;
  moments_ = moments_at(f);
  require_valid(moments_);
  term_->evaluate(f, moments_, q_.data(), frequency_);
}

template <class Real>
void HostStepper<Real>::find_rises(const Real* f) {
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
      ends_[0].data()[k] = f[k] - rise_.data()[k];
    else
      ends_[1].data()[k] = f[last + k] + rise_.data()[last + k];
  }
}

/// Values at one end of molecules that enter the gas.
template <class Real>
void HostStepper<Real>::balance_wall(std::size_t end) {
  const Part leaving = end == 0 ? backward() : forward(), entering = end == 0 ? forward() : backward();
  const DiscreteMaxwellian& maxwellian = boundaries_[end].maxwellian;
  Real* values = ends_[end].data();
  const auto visit = [&](auto& law) {
    double arriving = 0, unit = 0;
    for (std::int64_t row = 0; row < rows_; ++row) {
      const int y = static_cast<int>(row % n_), z = static_cast<int>(row / n_);
      for (int x = leaving.begin; x < leaving.end; ++x)
        arriving += speeds_[static_cast<std::size_t>(x)] * static_cast<double>(values[row * n_ + x]);
      for (int x = entering.begin; x < entering.end; ++x)
        unit += speeds_[static_cast<std::size_t>(x)] * maxwellian.value(x, y, z);
    }
    law.balance(arriving, unit);
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
      rise_.data()[k] = limited_rise<Limiter>(ends_[0].data()[k], f[k], f[k + nodes_], Real(1), right_factor);
    for (std::int64_t k = row * n_; k < row * n_ + setup_.first_forward; ++k)
      rise_.data()[last + k] =
          limited_rise<Limiter>(f[last + k - nodes_], f[last + k], ends_[1].data()[k], left_factor, Real(1));
  }
}

/// Values at the face that joins the ends of a periodic line.
template <class Real>
void HostStepper<Real>::join_ends(const Real* f) {
  const std::int64_t last = (cells_ - 1) * nodes_;
  for (std::int64_t k = 0; k < nodes_; ++k)
    ends_[0].data()[k] = ends_[1].data()[k] =
        k % n_ < setup_.first_forward ? f[k] - rise_.data()[k] : f[last + k] + rise_.data()[last + k];
}

template <class Real>
template <class Visit>
void HostStepper<Real>::visit_faces(const Real* f, std::int64_t cell, std::int64_t row, Visit visit) const {
  const std::int64_t first = cell * nodes_ + row * n_;
  const Real *rise = rise_.data(), *zeros = zeros_.data();
  const bool at_left = cell == 0, at_right = cell + 1 == cells_;
  const Real* left = at_left ? ends_[0].data() + row * n_ : f + first - nodes_;
  const Real* left_rise = at_left ? zeros : rise + first - nodes_;
  const Real* right = at_right ? ends_[1].data() + row * n_ : f + first + nodes_;
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
void HostStepper<Real>::take_step(const std::vector<double>& steps, std::array<GasFlux, 2>* transfers) {
  const auto record = [&] {
    if (transfers == nullptr) return;
    const std::array<GasFlux, 2> fluxes = end_fluxes();
    for (std::size_t end = 0; end < 2; ++end) add_flux((*transfers)[end], fluxes[end], steps[0] / 2);
  };
  refresh();
  record();
  fresh_ = false;
  advance(f_.data(), f_.data(), 0, steps, stage_.data());
  evaluate(stage_.data());
  record();
  advance(f_.data(), stage_.data(), 0.5, steps, next_.data());
  f_.swap(next_);
}

template <class Real>
void HostStepper<Real>::take_step(double length, std::array<GasFlux, 2>& transfers) {
  take_step(std::vector<double>(static_cast<std::size_t>(cells_), length), &transfers);
}

template <class Real>
void HostStepper<Real>::take_local_step(double share) {
  std::vector<double> steps;
  for (std::int64_t cell = 0; cell < cells_; ++cell) steps.push_back(share * longest_step(cell));
  take_step(steps, nullptr);
}

template <class Real>
double HostStepper<Real>::longest_step(std::int64_t cell) {
  refresh();
  const auto i = static_cast<std::size_t>(cell);
  return 1 / (2 * setup_.largest_speed() / setup_.shapes[i].width + frequency_[i]);
}

template <class Real>
double HostStepper<Real>::longest_step() {
  double longest = longest_step(0);
  for (std::int64_t cell = 1; cell < cells_; ++cell) longest = std::min(longest, longest_step(cell));
  return longest;
}

template <class Real>
void HostStepper<Real>::sweep() {
  refresh();
  fresh_ = false;
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t row = 0; row < rows_; ++row) {
    Real arriving[most_nodes];
    for (const Part part : {forward(), backward()}) {
      const bool ascends = part.begin != 0;
      const Real* end = ends_[ascends ? 0 : 1].data() + row * n_;
      std::copy(end + part.begin, end + part.end, arriving + part.begin);
      for (std::int64_t k = 0; k < cells_; ++k) sweep_cell(ascends ? k : cells_ - 1 - k, row, part, arriving);
    }
  }
  f_.swap(next_);
}

/// Solves for the nodes of a part of a row in a cell.
/// @param arriving  values at the upwind face; overwritten with those at the downwind face
template <class Real>
void HostStepper<Real>::sweep_cell(std::int64_t cell, std::int64_t row, Part part, Real* arriving) {
  const std::int64_t first = cell * nodes_ + row * n_;
  const double nu = frequency_[static_cast<std::size_t>(cell)];
  const double width = setup_.shapes[static_cast<std::size_t>(cell)].width;
  const Real least = setup_.accepts_negative() ? std::numeric_limits<Real>::lowest() : Real(0);
  const auto frequency = static_cast<Real>(nu), sign = static_cast<Real>(part.begin == 0 ? -1 : 1);
#pragma omp simd
  for (int x = part.begin; x < part.end; ++x) {
    const std::int64_t i = first + x;
    const Real rise = sign * rise_.data()[i], gain = q_.data()[i] + frequency * f_.data()[i];
    const auto rate = static_cast<Real>(speeds_[static_cast<std::size_t>(x)] / width);
    const Real value = sweep_value(arriving[x], rise, gain, rate, frequency, least);
    next_.data()[i] = value;
    arriving[x] = value + rise;
  }
}

template <class Real>
void HostStepper<Real>::scale(double factor) {
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t i = 0; i < f_.count(); ++i) f_.data()[i] *= static_cast<Real>(factor);
  fresh_ = false;
}

template <class Real>
double HostStepper<Real>::residual() {
  refresh();
  const std::vector<VelocityMoments> state = term_ ? moments_ : moments();
  std::vector<double> share(static_cast<std::size_t>(cells_));
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
    const double sum = std::accumulate(sums, sums + n_, 0.0);
    share[c] = sum * setup_.nodes.volume() / state[c].density / std::sqrt(state[c].temperature);
  }
  return *std::max_element(share.begin(), share.end()) * setup_.length();
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
      sums.add({{s0, s1, s2, s3}}, offset(y), offset(z));
    }
  return sums;
}

template <class Real>
std::vector<VelocityMoments> HostStepper<Real>::moments_at(const Real* f) const {
  std::vector<VelocityMoments> moments(static_cast<std::size_t>(cells_));
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t cell = 0; cell < cells_; ++cell)
    moments[static_cast<std::size_t>(cell)] = moments_from_sums(setup_.nodes, cell_sums(f + cell * nodes_));
  return moments;
}

template <class Real>
double HostStepper<Real>::mass() const {
  double mass = 0;
  const std::vector<VelocityMoments> state = moments();
  for (std::size_t cell = 0; cell < state.size(); ++cell) mass += state[cell].density * setup_.shapes[cell].width;
  return mass;
}

template <class Real>
std::array<GasFlux, 2> HostStepper<Real>::fluxes() {
  refresh();
  return end_fluxes();
}

template <class Real>
std::array<GasFlux, 2> HostStepper<Real>::end_fluxes() const {
  std::array<GasFlux, 2> fluxes;
  for (std::size_t end = 0; end < 2; ++end) {
    FluxSums sums;
    for (std::int64_t row = 0; row < rows_; ++row) {
      double flux = 0, flux_x = 0, flux_xx = 0;
      for (int x = 0; x < n_; ++x) {
        const double v = setup_.nodes.velocity(0, x);
        const double term = v * static_cast<double>(ends_[end].data()[row * n_ + x]);
        flux += term, flux_x += v * term, flux_xx += v * v * term;
      }
      sums.add(flux, flux_x, flux_xx, setup_.nodes.velocity(1, static_cast<int>(row % n_)),
               setup_.nodes.velocity(2, static_cast<int>(row / n_)));
    }
    const double volume = setup_.nodes.volume();
    const double* s = sums.value;
    fluxes[end] = {s[0] * volume, {s[1] * volume, s[2] * volume, s[3] * volume}, s[4] * volume};
  }
  return fluxes;
}

template <class Real>
void HostStepper<Real>::require_valid(const std::vector<VelocityMoments>& moments) const {
  for (std::size_t cell = 0; cell < moments.size(); ++cell) {
    const VelocityMoments& state = moments[cell];
    require(state.density > 0 && state.temperature > 0 && std::isfinite(state.density * state.temperature),
            "gas: cell ", cell, " has a density of ", state.density, " 1/m3 and a temperature of ", state.temperature,
            " m2/s2, expected positive numbers. The collision term made f negative; reduce step_share.");
  }
}

template class HostStepper<float>;
template class HostStepper<double>;

}  // namespace shoal::gas
