// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/gas.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "gas/physics/moments_item.hpp"
#include "gas/setup/gas_setup.hpp"
#include "gas/stepping/collision_term.hpp"

namespace shoal::gas {

/// State of a flow on the CPU and the work of one step. Threads share cells and rows of nodes; each sum is that of one
/// thread in a fixed order, so that the bits do not depend on their number.
template <class Real>
class HostStepper {
 public:
  HostStepper(const Queue& queue, const GasSetup& setup);

  Array<Real>& f() { return f_; }
  const Array<Real>& f() const { return f_; }
  CollisionTerm<Real>* term() const { return term_.get(); }
  /// Declares that f was changed.
  void changed() { fresh_ = false; }

  /// Longest step, s, that keeps f positive in a cell: 1 / (2 max |v_x| / width + ν).
  double longest_step(std::int64_t cell);
  /// Longest step that suits all cells.
  double longest_step();
  /// Advances f by one step, and adds to the transfers what flowed through both ends.
  void take_step(double length, std::array<GasFlux, 2>& transfers);
  /// Advances f by one step of each cell's own length.
  /// @param share  of longest_step()
  void take_local_step(double share);
  /// Solves v ∂f/∂x + ν f = gain along each velocity.
  void sweep();
  /// Multiplies f by a factor.
  void scale(double factor);

  double residual();
  /// Mass of all cells, m⁻².
  double mass() const;
  std::array<GasFlux, 2> fluxes();
  std::vector<VelocityMoments> moments() const { return moments_at(f_.data()); }

 private:
  /// Nodes of a row that move in one direction.
  struct Part {
    int begin, end;
  };
  /// Velocity component of node i relative to the center of the grid.
  double offset(int i) const { return setup_.nodes.velocity(0, i) - setup_.nodes.center[0]; }
  Part backward() const { return {0, setup_.first_forward}; }
  Part forward() const { return {setup_.first_forward, setup_.nodes.n}; }

  void refresh();
  void evaluate(const Real* f);
  void find_rises(const Real* f);
  template <class Limiter>
  void find_rises(const Real* f, std::int64_t cell, std::int64_t row);
  template <class Limiter>
  void find_wall_rises(const Real* f);
  void find_leaving(const Real* f);
  void balance_wall(std::size_t end);
  void join_ends(const Real* f);
  std::vector<VelocityMoments> moments_at(const Real* f) const;
  CellSums cell_sums(const Real* f) const;
  /// Calls visit(x, node over all cells, value at its upwind face, value at its downwind face) for a row of nodes.
  template <class Visit>
  void visit_faces(const Real* f, std::int64_t cell, std::int64_t row, Visit visit) const;
  void advance(const Real* start, const Real* stage, double share, const std::vector<double>& steps, Real* result);
  /// @param transfers  null unless all steps are the same
  void take_step(const std::vector<double>& steps, std::array<GasFlux, 2>* transfers);
  void sweep_cell(std::int64_t cell, std::int64_t row, Part part, Real* arriving);
  std::array<GasFlux, 2> end_fluxes() const;
  void require_valid(const std::vector<VelocityMoments>& moments) const;

  Queue queue_;
  const GasSetup& setup_;
  int n_;
  std::int64_t nodes_, cells_, rows_;  ///< nodes and rows of nodes of a cell
  Array<Real> f_, stage_, next_;       ///< [cells × nodes]
  Array<Real> rise_, q_;               ///< [cells × nodes] of the state that was evaluated last
  std::array<Array<Real>, 2> ends_;    ///< [nodes] f at the first and at the last face
  Array<Real> zeros_;                  ///< [nodes]
  std::array<BoundaryState, 2> boundaries_;
  std::unique_ptr<CollisionTerm<Real>> term_;
  std::vector<VelocityMoments> moments_;  ///< Moments of the state that was evaluated last.
  std::vector<double> frequency_;         ///< Largest ν of each cell, s⁻¹.
  std::vector<double> speeds_;            ///< Speed |v_x| of the nodes along x, m/s.
  bool fresh_ = false;                    ///< rise_, q_, ends_ belong to f_
};

}  // namespace shoal::gas
