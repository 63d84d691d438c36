// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/gas.hpp>

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/backends.hpp"
#include "gas/mixture/species_order.hpp"
#include "gas/ranks/halo.hpp"
#include "gas/setup/gas_setup.hpp"
#include "gas/stepping/collision_term.hpp"
#include "gas/stepping/side_fluxes.hpp"

namespace shoal::gas {

/// Lengths of a step, s.
struct StepLengths {
  double same = 0;                ///< Length in all cells, unless `each` has elements.
  std::vector<double> each = {};  ///< [stored cells]

  double at(std::int64_t cell) const { return each.empty() ? same : each[static_cast<std::size_t>(cell)]; }
  bool operator==(const StepLengths&) const = default;
};

using FluxesOfAllSides = decltype(GasClock::transfers);

/// State of a flow and the steps that it takes. A device has a class of its own, which visits cells and nodes. On several
/// ranks all make the same calls: arrays of f have the stored cells, moments and frequencies are those of own cells, and what
/// public functions return is that of all ranks.
///
/// The host waits for the device once in each evaluation, for the moments, and ranks meet once in each step. An error of one
/// rank is therefore kept until they meet, and until then the others go on beside it.
template <class Real>
class Stepper {
 public:
  Stepper(const Queue& queue, const GasSetup& setup);
  virtual ~Stepper() = default;

  /// Connects the ranks, before anything else.
  void connect() { halo_.connect(); }

  /// f of the own cells, layer by layer.
  Real* own_f() { return own_part(f_.data()); }
  /// f of the own cells, [species][own cells × nodes]. Of a mixture this is a copy, until the next call.
  View<const Real> f_by_species();
  /// Memory for f of the own cells in the order of f_by_species(), and the end of its use.
  Real* memory_to_load() { return setup_.mixture ? by_species_.data() : own_f(); }
  void finish_load();
  CollisionTerm<Real>* term() const { return term_.get(); }
  /// Declares that f was changed.
  void changed() {
    fresh_ = false;
    recorded_steps_.clear();
    gathered_.clear();
    forget_recorded();
  }

  /// Longest step that suits all cells.
  double longest_step();
  /// Advances f by one step, and adds to the transfers what flowed through the sides.
  void take_step(double length, FluxesOfAllSides& transfers);
  /// Waits for the steps, and completes the transfers.
  /// @throws Error  a step failed
  void finish_steps(FluxesOfAllSides& transfers);
  /// Advances f by one step of each cell's own length.
  /// @param share  of longest_step()
  void take_local_step(double share);
  /// Solves v·∇f + ν f = gain along each velocity.
  void sweep();
  /// Multiplies f of each species by a factor.
  void scale(const std::array<double, 2>& factors);
  /// Lets evaluations take another collision term, which may accept a negative f; null: the own one. Where that accepts none, negative
  /// values become 0.
  void replace_term(CollisionTerm<Real>* term, bool accepts_negative = false) {
    replacement_ = term;
    replacement_accepts_negative_ = term != nullptr && accepts_negative;
    if (!this->accepts_negative()) raise_nodes(0, f_);
    fresh_ = false;
  }
  /// Lets evaluations give P(f) + defect, with P of a cheaper collision term and the frequencies of the present f, until
  /// end_correction(). Nodes that do not collide have no P.
  /// @param defect  Q(f) − P(f) of the present f, which stays there; overwritten
  void begin_correction(CollisionTerm<Real>& cheaper, Array<Real>& defect);
  void end_correction() {
    replace_term(nullptr);
    kept_frequency_.clear();
    defect_ = nullptr;
  }
  /// Lets a boundary `behind_shock` hold the mass of the line. 0: its density is the given one.
  /// @throws Error  the mass does not exceed that of the gas ahead
  void hold_mass(const MassOfSpecies& mass);

  double residual();
  /// Mass of all cells.
  MassOfSpecies mass();
  /// Fluxes through all sides.
  std::vector<GasFlux> fluxes();
  /// Fluxes through each face of a side, for each unit of its area.
  std::vector<GasFlux> side_fluxes(std::size_t side);
  std::vector<VelocityMoments> moments();

  /// @name Arrays of stored cells, for combinations of several f
  /// @{
  Array<Real>& f() { return f_; }
  Array<Real> new_array() const { return {queue_, f_.count()}; }
  void copy_nodes(const Array<Real>& values, Array<Real>& result) const { copy(queue_, values.view(), result.view()); }
  /// Adds factor × values to an array, of which the values are one period.
  virtual void add_nodes(Real factor, const Array<Real>& values, Array<Real>& sum) = 0;
  /// Returns Σ w x y over the nodes of the cells of all ranks, for each y.
  /// @param weights  [nodes] w
  std::vector<double> products(const Array<Real>& weights, const Array<Real>& x, std::span<const Array<Real>> ys);
  /// Raises f to the least share of other values that the collision term accepts: to 0, or to more where it has inverse
  /// collisions.
  /// @param values  0 or more
  void raise_to(const Array<Real>& values) {
    const double share = setup_.has_inverse_collisions() ? least_share_with_inverse_collisions : 0;
    if (!setup_.accepts_negative()) raise_nodes(static_cast<Real>(share), values);
    fresh_ = false;
  }
  /// @}

 protected:
  bool accepts_negative() const { return replacement_accepts_negative_ || setup_.accepts_negative(); }
  /// @name Work of a device
  /// @{
  /// Finds f at the faces of all boundaries and cuts, and what else the functions below need of a state.
  virtual void find_faces(const Real* f) = 0;
  /// @param f       [own cells × nodes]
  /// @param beside  work of the host while the device is busy with the moments
  virtual std::vector<VelocityMoments> moments_at(const Real* f, const std::function<void()>& beside) = 0;
  /// Runge-Kutta stage of all nodes.
  /// @param start  f at the start of the step, of weight `share`
  /// @param stage  the state of the last find_faces()
  virtual void advance(const Real* start, const Real* stage, double share, const StepLengths& steps, Real* result) = 0;
  /// Solves along velocities, from f_ to next_, from the values in ends_ where the nodes enter the own cells. Sets leaving_
  /// if there are several ranks.
  /// @param directions  whether to solve for the nodes that move backward, and for those that move forward, along the axis
  ///                    that ranks cut
  virtual void sweep_lines(const std::array<bool, 2>& directions) = 0;
  virtual void scale_nodes(const std::array<Real, 2>& factors) = 0;
  /// Raises f to share × values.
  virtual void raise_nodes(Real share, const Array<Real>& values) = 0;
  /// Makes q_ 0 at the nodes with a frequency of 0.
  /// @param frequency  that of a cell; all have the same ball
  virtual void clear_q_outside_ball(const NodeFrequency& frequency) = 0;
  /// Returns Σ w x y over the nodes of each own cell, [own cells][ys].
  virtual std::vector<double> cell_products(const Real* weights, const Real* x, const std::vector<const Real*>& ys) = 0;
  /// Returns ∫ |∂f/∂t| dv of each own cell.
  virtual std::vector<double> changes() = 0;
  /// Records the fluxes through the faces of all boundaries and cuts in the state of the last find_faces(), at most
  /// most_records times.
  virtual void record_fluxes() = 0;
  /// Returns what was recorded, [records × faces], and forgets it.
  virtual std::vector<GasFlux> recorded_fluxes() = 0;
  virtual void forget_recorded() = 0;
  /// @}

  static constexpr std::int64_t most_records = 64;  ///< Most records of fluxes.

  Queue queue_;
  const GasSetup& setup_;
  std::vector<BoundaryLaw> laws_;  ///< Law of each side.
  int n_;
  std::int64_t nodes_, cells_;  ///< nodes of a cell, stored cells
  std::int64_t own_cells_;
  Array<Real> f_, stage_, next_;  ///< [cells × nodes]
  Array<Real> q_;                 ///< [cells × nodes] of the state that was evaluated last
  Array<Real> by_species_;        ///< [2][own cells × nodes] of a mixture
  Array<Real> source_;            ///< [nodes] source of the gradients; empty without
  Array<Real> ends_;              ///< [boundary faces × nodes] f at the faces of all boundaries and cuts
  Array<Real> leaving_;  ///< [lines × nodes] f that leaves the own cells in a sweep, along the axis that ranks cut
  std::unique_ptr<CollisionTerm<Real>> term_;
  CollisionTerm<Real>* replacement_ = nullptr;  ///< Collision term in place of term_; null: none.
  bool replacement_accepts_negative_ = false;
  std::vector<NodeFrequency> frequency_;       ///< ν of each own cell.
  std::vector<NodeFrequency> kept_frequency_;  ///< ν during a correction; empty: none
  const Array<Real>* defect_ = nullptr;        ///< Part of q_ that a correction adds; null: none.
  /// The first own cell of an array of stored cells.
  template <class Value>
  Value* own_part(Value* values) const {
    return values + setup_.own_begin() * nodes_;
  }
  /// Returns true if q_ is not 0.
  bool has_q() const { return term_ || source_.count() > 0; }

 private:
  /// Longest step, s, that keeps f positive in an own cell: 1 / (Σ 2 max |v| / width + max ν), the sum over the axes.
  double longest_step(std::int64_t cell);
  void refresh();
  void evaluate(Real* f);
  void correct_q();
  /// Runs work of this rank. On several ranks an error is kept until require_no_error().
  void attempt(const std::function<void()>& work);
  /// Waits for the device. All ranks throw what failed on any since the last call, if there was an evaluation.
  void require_no_error();
  void throw_kept_error();
  std::vector<VelocityMoments> own_moments();
  bool holds_shock() const { return held_mass_[0] > 0; }
  void take_step(const StepLengths& steps, bool records);
  void gather_recorded();
  FluxesOfSides present_fluxes();
  void add_recorded(FluxesOfAllSides& transfers);
  std::vector<std::int64_t> cells_of_ranks() const;
  MassOfSpecies mass_of(const std::vector<VelocityMoments>& moments) const;
  double largest_frequency(const NodeFrequency& frequency) const;
  void require_valid(const std::vector<VelocityMoments>& moments) const;

  std::vector<double> transport_rates_;   ///< [own cells] Σ 2 max |v| / width, s⁻¹
  std::vector<VelocityMoments> moments_;  ///< [own cells] of the state that was evaluated last
  bool fresh_ = false;                    ///< q_ and the faces belong to f_
  std::optional<double> residual_;        ///< Residual of f_ if fresh_; empty: not computed.
  MassOfSpecies held_mass_ = {};          ///< mass of a line with BehindShock; 0: not held
  std::vector<double> recorded_steps_;    ///< length of the step of each record of fluxes, s
  std::vector<FluxesOfSides> gathered_;   ///< records of all ranks; the others are on the devices
  std::exception_ptr error_;              ///< first error of this rank since the ranks met
  bool unmet_ = false;                    ///< there was an evaluation since the ranks met
  Halo<Real> halo_;
  SpeciesOrder<Real> order_;
};

/// Steppers of the devices.
template <class Real>
struct StepperBackend {
  std::unique_ptr<Stepper<Real>> (*make)(const Queue& queue, const GasSetup& setup);

  static const StepperBackend cpu, cuda;
};

}  // namespace shoal::gas
