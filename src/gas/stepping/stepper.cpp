// SPDX-License-Identifier: Apache-2.0
#include "gas/stepping/stepper.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/device/queue_order.hpp"
#include "core/text.hpp"
#include "ranks/agree_naming_rank.hpp"
#include "ranks/rank_values.hpp"

namespace shoal::gas {

namespace {

/// Message about a cell whose moments are not those of a gas.
std::string state_fault(const std::string& cell, const VelocityMoments& state) {
  if (state.density == 0)
    return text("gas: ", cell,
                " has a density of 0 1/m3, expected a positive number: f is 0 at all of its nodes. Start with ",
                "gas in each cell and of each species, of densities that the precision can represent.");
  const bool is_finite = std::isfinite(state.density * state.temperature);
  return text("gas: ", cell, " has a density of ", state.density, " 1/m3 and a temperature of ", state.temperature,
              " m2/s2, expected positive numbers. ",
              is_finite ? "The collision term made f negative" : "f is not finite", "; reduce step_share.");
}

}  // namespace

template <class Real>
Stepper<Real>::Stepper(const Queue& queue, const GasSetup& setup)
    : queue_(queue),
      setup_(setup),
      laws_(setup.laws),
      n_(setup.nodes.n),
      nodes_(setup.node_count()),
      cells_(setup.stored_cells()),
      own_cells_(setup.cells()),
      f_(queue, cells_ * nodes_),
      stage_(queue, cells_ * nodes_),
      next_(queue, cells_ * nodes_),
      q_(queue, cells_ * nodes_),
      ends_(queue, static_cast<std::int64_t>(setup.boundary_faces.size()) * nodes_),
      leaving_(queue, setup.dimensions() == 1 && setup.ranks.size() == 1 ? 0 : setup.lines.back().count * nodes_),
      term_(make_collision_term<Real>(queue, setup)),
      frequency_(static_cast<std::size_t>(own_cells_)),
      moments_(static_cast<std::size_t>(own_cells_)),
      halo_(queue, setup),
      order_(queue, setup) {
  if (setup.mixture) by_species_ = Array<Real>(queue, own_cells_ * nodes_);
  for (Array<Real>* array : {&q_, &ends_, &leaving_})
    fill_bytes(queue, array->data(), 0, static_cast<std::size_t>(array->count()) * sizeof(Real));
  for (std::int64_t cell = 0; cell < own_cells_; ++cell) {
    double rate = 0;
    for (const CellLines& along : setup.lines)
      rate += 2 * along.largest_speed / along.shape(setup.own_begin() + cell).width;
    transport_rates_.push_back(rate);
  }
  if (setup.source.empty()) return;
  source_ = to_device(queue, std::vector<Real>(setup.source.begin(), setup.source.end()));
  queue.wait();
}

template <class Real>
View<const Real> Stepper<Real>::f_by_species() {
  if (setup_.mixture) {
    order_.to_species(own_f(), by_species_.data());
    wait_for_work(queue_);
  }
  return {memory_to_load(), own_cells_ * nodes_, queue_.device()};
}

template <class Real>
void Stepper<Real>::finish_load() {
  if (setup_.mixture) order_.to_layers(by_species_.data(), own_f());
}

template <class Real>
void Stepper<Real>::refresh() {
  if (fresh_) return;
  residual_.reset();
  evaluate(f_.data());
  fresh_ = true;
}

template <class Real>
void Stepper<Real>::attempt(const std::function<void()>& work) {
  if (setup_.ranks.size() == 1) return work();
  try {
    work();
  } catch (...) {
    if (!error_) error_ = std::current_exception();
  }
}

template <class Real>
void Stepper<Real>::require_no_error() {
  if (!std::exchange(unmet_, false)) return;
  attempt([&] { queue_.wait(); });
  throw_kept_error();
}

template <class Real>
void Stepper<Real>::throw_kept_error() {
  agree_naming_rank(setup_.ranks, [&] {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  });
}

/// Computes the faces and the collision term of a state. Ghosts come beside the work for own cells: their exchange begins
/// while the device computes moments.
template <class Real>
void Stepper<Real>::evaluate(Real* f) {
  unmet_ = true;
  bool is_exchanging = false;
  const auto exchange = [&] {
    if (!std::exchange(is_exchanging, true)) halo_.begin(f);
  };
  if (term_ || holds_shock())
    attempt([&] {
      moments_ = moments_at(own_part(f), exchange);
      if (!term_) return;
      require_valid(moments_);
      (replacement_ != nullptr ? replacement_ : term_.get())
          ->evaluate(own_part(f), moments_, own_part(q_.data()), frequency_);
    });
  exchange();
  if (holds_shock())
    std::get<BehindShock>(laws_[1]).hold(setup_.excess_mass(mass_of(moments_)) / setup_.excess_mass(held_mass_));
  halo_.finish();
  find_faces(f);
  if (!kept_frequency_.empty()) correct_q();
  if (source_.count() == 0) return;
  if (!term_) fill_bytes(queue_, q_.data(), 0, static_cast<std::size_t>(q_.count()) * sizeof(Real));
  add_nodes(1, source_, q_);
}

/// Changes q_ and the frequencies of a cheaper collision term to those of a correction.
template <class Real>
void Stepper<Real>::correct_q() {
  frequency_ = kept_frequency_;
  if (std::isfinite(frequency_.front().ball_square)) clear_q_outside_ball(frequency_.front());
  if (defect_ != nullptr) add_nodes(1, *defect_, q_);
}

template <class Real>
void Stepper<Real>::begin_correction(CollisionTerm<Real>& cheaper, Array<Real>& defect) {
  refresh();
  copy_nodes(q_, defect);
  kept_frequency_ = frequency_;
  replacement_ = &cheaper;
  evaluate(f_.data());
  add_nodes(-1, q_, defect);
  defect_ = &defect;
  add_nodes(1, defect, q_);
}

template <class Real>
void Stepper<Real>::take_step(const StepLengths& steps, bool records) {
  const auto record = [&] {
    if (!records) return;
    record_fluxes();
    recorded_steps_.push_back(steps.same);
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
void Stepper<Real>::take_step(double length, FluxesOfAllSides& transfers) {
  if (static_cast<std::int64_t>(recorded_steps_.size()) + 2 > most_records) add_recorded(transfers);
  take_step({length}, true);
}

template <class Real>
void Stepper<Real>::finish_steps(FluxesOfAllSides& transfers) {
  require_no_error();
  add_recorded(transfers);
}

template <class Real>
void Stepper<Real>::take_local_step(double share) {
  StepLengths steps{.each = std::vector<double>(static_cast<std::size_t>(cells_))};
  refresh();
  for (std::int64_t cell = 0; cell < own_cells_; ++cell)
    steps.each[static_cast<std::size_t>(setup_.own_begin() + cell)] = share * longest_step(cell);
  take_step(steps, false);
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
  return frequency.bound_at(v[0], v[1], v[2]);
}

template <class Real>
double Stepper<Real>::longest_step(std::int64_t cell) {
  const auto i = static_cast<std::size_t>(cell);
  return 1 / (transport_rates_[i] + largest_frequency(frequency_[i]));
}

template <class Real>
double Stepper<Real>::longest_step() {
  refresh();
  double longest = longest_step(0);
  for (std::int64_t cell = 1; cell < own_cells_; ++cell) longest = std::min(longest, longest_step(cell));
  longest = smallest_of_ranks(setup_.ranks, error_ ? 0 : longest);
  if (!(longest > 0)) require_no_error();
  return longest;
}

template <class Real>
void Stepper<Real>::sweep() {
  refresh();
  require_no_error();
  fresh_ = false;
  for (NodeFrequency& frequency : frequency_) frequency.rate *= setup_.sweep_share();
  const CellLines& along = setup_.lines.back();
  const auto end_values = [&](std::size_t end) { return ends_.data() + along.boundary_face(end, 0) * nodes_; };
  const int size = setup_.ranks.size(), rank = setup_.ranks.rank();
  for (int phase = 0; phase < size; ++phase) {
    sweep_lines({rank == size - 1 - phase, rank == phase});
    halo_.pass(phase, leaving_.data(), end_values(0), end_values(1));
  }
  f_.swap(next_);
}

template <class Real>
void Stepper<Real>::scale(const std::array<double, 2>& factors) {
  scale_nodes({static_cast<Real>(factors[0]), static_cast<Real>(factors[1])});
  fresh_ = false;
}

template <class Real>
void Stepper<Real>::hold_mass(const MassOfSpecies& mass) {
  auto* reservoir = std::get_if<BehindShock>(&laws_[1]);
  if (reservoir == nullptr || mass == held_mass_) return;
  *reservoir = {};
  held_mass_ = mass;
  fresh_ = false;
  setup_.ranks.agree([&] {
    require(!holds_shock() || setup_.excess_mass(mass) > 0, "gas: the line holds a mass of ", setup_.total_mass(mass),
            " 1/m2, expected more than ", setup_.total_mass(mass) - setup_.excess_mass(mass),
            " 1/m2, that of the gas ahead of the shock. Start with the gas behind the shock in a part of the line.");
  });
}

template <class Real>
double Stepper<Real>::residual() {
  refresh();
  if (residual_) return *residual_;
  double largest = 0;
  attempt([&] {
    const std::vector<VelocityMoments> state = term_ ? moments_ : own_moments();
    const std::vector<double> change = changes();
    for (std::size_t cell = 0; cell < change.size(); ++cell) {
      const double share = change[cell] / state[cell].density / std::sqrt(state[cell].temperature);
      if (!(share <= largest)) largest = share;
      if (std::isnan(share)) break;
    }
  });
  largest = largest_of_ranks(setup_.ranks, error_ ? std::numeric_limits<double>::infinity() : largest);
  if (!std::isfinite(largest)) require_no_error();
  residual_ = largest * setup_.length();
  return *residual_;
}

template <class Real>
std::vector<VelocityMoments> Stepper<Real>::own_moments() {
  return moments_at(own_part(f_.data()), [] {});
}

/// Numbers of the own cells of all ranks.
template <class Real>
std::vector<std::int64_t> Stepper<Real>::cells_of_ranks() const {
  std::vector<std::int64_t> counts;
  for (int rank = 0; rank < setup_.ranks.size(); ++rank)
    counts.push_back(setup_.slab.slabs.count(rank) * setup_.layer_cells());
  return counts;
}

template <class Real>
std::vector<VelocityMoments> Stepper<Real>::moments() {
  return setup_.by_species(gathered_on_all(setup_.ranks, own_moments(), cells_of_ranks()));
}

template <class Real>
MassOfSpecies Stepper<Real>::mass() {
  return mass_of(own_moments());
}

/// Mass of all ranks.
/// @param moments  [own cells]
template <class Real>
MassOfSpecies Stepper<Real>::mass_of(const std::vector<VelocityMoments>& moments) const {
  std::vector<double> densities;
  for (const VelocityMoments& state : moments) densities.push_back(state.density);
  densities = setup_.by_species(gathered_on_all(setup_.ranks, std::move(densities), cells_of_ranks()));
  const std::size_t cells = densities.size() / setup_.species();
  MassOfSpecies mass = {};
  for (std::size_t i = 0; i < densities.size(); ++i)
    mass[i / cells] += densities[i] * setup_.size(static_cast<std::int64_t>(i));
  return mass;
}

template <class Real>
std::vector<double> Stepper<Real>::products(const Array<Real>& weights, const Array<Real>& x,
                                            std::span<const Array<Real>> ys) {
  std::vector<const Real*> pointers;
  for (const Array<Real>& y : ys) pointers.push_back(own_part(y.data()));
  std::vector<std::int64_t> counts = cells_of_ranks();
  for (std::int64_t& count : counts) count *= static_cast<std::int64_t>(ys.size());
  const std::vector<double> parts =
      gathered_on_all(setup_.ranks, cell_products(weights.data(), own_part(x.data()), pointers), counts);
  std::vector<double> sums(ys.size());
  for (std::size_t i = 0; i < parts.size(); ++i) sums[i % ys.size()] += parts[i];
  return sums;
}

/// Gathers what was recorded on all ranks.
template <class Real>
void Stepper<Real>::gather_recorded() {
  for (FluxesOfSides& record : gather_records(setup_, recorded_fluxes())) gathered_.push_back(std::move(record));
}

/// Adds what was recorded in steps, in their order.
template <class Real>
void Stepper<Real>::add_recorded(FluxesOfAllSides& transfers) {
  if (gathered_.size() < recorded_steps_.size()) gather_recorded();
  const std::vector<double> steps = std::exchange(recorded_steps_, {});
  const std::vector<FluxesOfSides> records = std::exchange(gathered_, {});
  for (std::size_t record = 0; record < steps.size(); ++record) {
    const std::vector<GasFlux> sums = sums_of_sides(setup_, records[record]);
    for (std::size_t side = 0; side < sums.size(); ++side) add_flux(transfers[side], sums[side], steps[record] / 2);
  }
}

/// Fluxes of the present state.
template <class Real>
FluxesOfSides Stepper<Real>::present_fluxes() {
  refresh();
  require_no_error();
  record_fluxes();
  gather_recorded();
  FluxesOfSides fluxes = std::move(gathered_.back());
  gathered_.pop_back();
  return fluxes;
}

template <class Real>
std::vector<GasFlux> Stepper<Real>::fluxes() {
  return sums_of_sides(setup_, present_fluxes());
}

template <class Real>
std::vector<GasFlux> Stepper<Real>::side_fluxes(std::size_t side) {
  return present_fluxes()[side];
}

/// Throws if a cell is not valid: what the collision term recorded in the evaluation before, or else the state.
template <class Real>
void Stepper<Real>::require_valid(const std::vector<VelocityMoments>& moments) const {
  for (std::size_t cell = 0; cell < moments.size(); ++cell) {
    const VelocityMoments& state = moments[cell];
    if (state.density > 0 && state.temperature > 0 && std::isfinite(state.density * state.temperature)) continue;
    queue_.wait();
    const SpeciesCell place = setup_.cell_of(setup_.first_cell() + static_cast<std::int64_t>(cell));
    throw Error(state_fault(setup_.cell_name(place), state));
  }
}

template class Stepper<float>;
template class Stepper<double>;

}  // namespace shoal::gas
