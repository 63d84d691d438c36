// SPDX-License-Identifier: Apache-2.0
#include "gas/stepping/stepper.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace shoal::gas {

namespace {

/// sum += factor × flux
void add_flux(GasFlux& sum, const GasFlux& flux, double factor) {
  sum.mass += factor * flux.mass;
  for (std::size_t axis = 0; axis < 3; ++axis) sum.momentum[axis] += factor * flux.momentum[axis];
  sum.energy += factor * flux.energy;
}

}  // namespace

GasFlux flux_from_sums(const NodeVelocities& nodes, const double* sums) {
  const double volume = nodes.volume();
  return {sums[0] * volume, {sums[1] * volume, sums[2] * volume, sums[3] * volume}, sums[4] * volume};
}

template <class Real>
Stepper<Real>::Stepper(const Queue& queue, const GasSetup& setup)
    : queue_(queue),
      setup_(setup),
      laws_(setup.laws),
      n_(setup.nodes.n),
      nodes_(setup.node_count()),
      cells_(setup.cells()),
      f_(queue, cells_ * nodes_),
      stage_(queue, cells_ * nodes_),
      next_(queue, cells_ * nodes_),
      q_(queue, cells_ * nodes_),
      ends_(queue, static_cast<std::int64_t>(setup.boundary_faces.size()) * nodes_),
      term_(make_collision_term<Real>(queue, setup)),
      frequency_(static_cast<std::size_t>(cells_)) {
  for (Array<Real>* array : {&q_, &ends_})
    fill_bytes(queue, array->data(), 0, static_cast<std::size_t>(array->count()) * sizeof(Real));
  if (setup.source.empty()) return;
  source_ = to_device(queue, std::vector<Real>(setup.source.begin(), setup.source.end()));
  queue.wait();
}

template <class Real>
void Stepper<Real>::refresh() {
  if (fresh_) return;
  evaluate(f_.data());
  fresh_ = true;
}

/// Computes the faces and the collision term of a state.
template <class Real>
void Stepper<Real>::evaluate(const Real* f) {
  if (term_ || holds_shock()) moments_ = moments_at(f);
  if (holds_shock())
    std::get<BehindShock>(laws_[1]).hold(setup_.excess_mass(mass_of(moments_)) / setup_.excess_mass(held_mass_));
  find_faces(f);
  if (term_) {
    require_valid(moments_);
    term_->evaluate(f, moments_, q_.data(), frequency_);
  } else if (source_.count() > 0) {
    fill_bytes(queue_, q_.data(), 0, static_cast<std::size_t>(q_.count()) * sizeof(Real));
  }
  if (source_.count() > 0) add_source();
}

template <class Real>
void Stepper<Real>::take_step(const std::vector<double>& steps, std::array<GasFlux, 4>* transfers) {
  const auto record = [&] {
    if (transfers == nullptr) return;
    const std::vector<GasFlux> fluxes = sums_of_sides(face_fluxes());
    for (std::size_t side = 0; side < fluxes.size(); ++side) add_flux((*transfers)[side], fluxes[side], steps[0] / 2);
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
void Stepper<Real>::take_step(double length, std::array<GasFlux, 4>& transfers) {
  take_step(std::vector<double>(static_cast<std::size_t>(cells_), length), &transfers);
}

template <class Real>
void Stepper<Real>::take_local_step(double share) {
  std::vector<double> steps;
  for (std::int64_t cell = 0; cell < cells_; ++cell) steps.push_back(share * longest_step(cell));
  take_step(steps, nullptr);
}

/// Largest ν of all nodes: that of a corner of the grid.
template <class Real>
double Stepper<Real>::largest_frequency(const NodeFrequency& frequency) const {
  if (frequency.power == 0) return frequency.rate;
  double v[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double low = setup_.nodes.velocity(axis, 0), high = setup_.nodes.velocity(axis, n_ - 1);
    v[axis] = frequency.velocity[axis] - low > high - frequency.velocity[axis] ? low : high;
  }
  return frequency.at(v[0], v[1], v[2]);
}

template <class Real>
double Stepper<Real>::longest_step(std::int64_t cell) {
  refresh();
  double rate = 0;
  for (const CellLines& along : setup_.lines) rate += 2 * along.largest_speed / along.shape(cell).width;
  return 1 / (rate + largest_frequency(frequency_[static_cast<std::size_t>(cell)]));
}

template <class Real>
double Stepper<Real>::longest_step() {
  double longest = longest_step(0);
  for (std::int64_t cell = 1; cell < cells_; ++cell) longest = std::min(longest, longest_step(cell));
  return longest;
}

template <class Real>
void Stepper<Real>::sweep() {
  refresh();
  fresh_ = false;
  for (NodeFrequency& frequency : frequency_) frequency.rate *= setup_.sweep_share();
  sweep_lines();
  f_.swap(next_);
}

template <class Real>
void Stepper<Real>::scale(double factor) {
  scale_nodes(static_cast<Real>(factor));
  fresh_ = false;
}

template <class Real>
void Stepper<Real>::hold_mass(double mass) {
  auto* reservoir = std::get_if<BehindShock>(&laws_[1]);
  if (reservoir == nullptr || mass == held_mass_) return;
  *reservoir = {};
  held_mass_ = mass;
  fresh_ = false;
  require(!holds_shock() || setup_.excess_mass(mass) > 0, "gas: the line holds a mass of ", mass,
          " 1/m2, expected more than ", mass - setup_.excess_mass(mass),
          " 1/m2, that of the gas ahead of the shock. Start with the gas behind the shock in a part of the line.");
}

template <class Real>
double Stepper<Real>::residual() {
  refresh();
  const std::vector<VelocityMoments> state = term_ ? moments_ : moments();
  std::vector<double> share = changes();
  for (std::size_t cell = 0; cell < share.size(); ++cell)
    share[cell] = share[cell] / state[cell].density / std::sqrt(state[cell].temperature);
  return *std::max_element(share.begin(), share.end()) * setup_.length();
}

template <class Real>
double Stepper<Real>::mass_of(const std::vector<VelocityMoments>& moments) const {
  double mass = 0;
  for (std::size_t cell = 0; cell < moments.size(); ++cell)
    mass += moments[cell].density * setup_.size(static_cast<std::int64_t>(cell));
  return mass;
}

template <class Real>
std::vector<GasFlux> Stepper<Real>::sums_of_sides(const std::vector<GasFlux>& face_fluxes) const {
  std::vector<GasFlux> sums(setup_.boundaries.size());
  for (std::size_t side = 0; side < sums.size(); ++side) {
    const CellLines& along = setup_.lines[side / 2];
    for (std::int64_t line = 0; line < along.count; ++line)
      add_flux(sums[side], face_fluxes[static_cast<std::size_t>(along.boundary_face(side % 2, line))],
               setup_.face_size(side, line));
  }
  return sums;
}

template <class Real>
std::vector<GasFlux> Stepper<Real>::fluxes() {
  refresh();
  return sums_of_sides(face_fluxes());
}

template <class Real>
std::vector<GasFlux> Stepper<Real>::side_fluxes(std::size_t side) {
  refresh();
  const std::vector<GasFlux> fluxes = face_fluxes();
  const CellLines& along = setup_.lines[side / 2];
  const auto first = fluxes.begin() + along.boundary_face(side % 2, 0);
  return {first, first + along.count};
}

template <class Real>
void Stepper<Real>::require_valid(const std::vector<VelocityMoments>& moments) const {
  for (std::size_t cell = 0; cell < moments.size(); ++cell) {
    const VelocityMoments& state = moments[cell];
    require(state.density > 0 && state.temperature > 0 && std::isfinite(state.density * state.temperature),
            "gas: cell ", cell, " has a density of ", state.density, " 1/m3 and a temperature of ", state.temperature,
            " m2/s2, expected positive numbers. The collision term made f negative; reduce step_share.");
  }
}

template class Stepper<float>;
template class Stepper<double>;

}  // namespace shoal::gas
