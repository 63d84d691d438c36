// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/collision.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace shoal::collision {

/// Explicit Runge-Kutta scheme whose stages are convex combinations of Euler steps: a step that keeps f positive in an
/// Euler step keeps it positive in every scheme.
/// Source: Shu and Osher (1988).
enum class RelaxationScheme { euler, tvd_rk2, tvd_rk3 };

struct RelaxationOptions {
  RelaxationScheme scheme = RelaxationScheme::tvd_rk3;
  double step = 0;          ///< Time step, s; 0: the longest that step_share allows.
  double step_share = 0.5;  ///< Time step / Collision::step_bound(); above 0, at most 1.
};

/// Normalized even moments <c^p> / (p + 1)!! for p = 2, 4, 6, 8, 10, where c = v − u, in (m/s)^p. For a Maxwellian they
/// are T^(p/2) with T = k T / m.
/// Source: Malkov and Ivanov, figure 1.
inline constexpr std::size_t even_moment_count = 5;
using EvenMoments = std::array<double, even_moment_count>;

/// State of a relaxing cell.
struct RelaxationState {
  VelocityMoments moments;
  EvenMoments even = {};  ///< <c^p> / (p + 1)!!, p = 2, 4, ..., 10, (m/s)^p
  double entropy = 0;     ///< −∫ f ln f; NaN where f < 0
  double least = 0;       ///< Smallest f, s³ m⁻⁶.

  /// Energy ∫ v²/2 f, m⁻¹ s⁻², which collisions conserve.
  double energy() const;
};

/// Homogeneous relaxation, ∂f/∂t = Q(f, f), of one cell or many:
///
///     shoal::Relaxation<double> gas(shoal::Collision<double>(queue, grid, {.rate = 1}));
///     gas.start(f);
///     gas.advance_to(2);
///     gas.states()[0].entropy;
///
/// All steps of one advance_to() have the same length: the given step, or step_share of the bound at its start,
/// shortened so that the last step ends at the requested time. A start() allocates only for more cells than before.
///
/// On several ranks, each has some of the cells, and all take the same steps: start() and advance_to() are then calls of
/// all ranks, and wait for the queue. What is wrong on one rank is the same Error on all, and names that rank. Observers
/// must return the same on all ranks.
///
/// Cost: one evaluation of Q a stage; three stages in `tvd_rk3`.
/// Source: Malkov and Ivanov.
template <class Real>
class Relaxation {
 public:
  /// Uses the queue of `collision`.
  /// @throws Error  an option is out of range
  explicit Relaxation(Collision<Real> collision, const RelaxationOptions& options = {});

  /// Cells shared out over ranks. A rank may have none.
  /// @param collision  of this rank alone
  Relaxation(Collision<Real> collision, const RelaxationOptions& options, const Communicator& ranks);
  ~Relaxation();
  Relaxation(Relaxation&&) noexcept;
  Relaxation& operator=(Relaxation&&) noexcept;

  /// Copies f and sets the time to 0. Waits for the queue.
  /// @param f  [cells × nodes] s³ m⁻⁶, any stride, on the queue's device
  /// @throws Error  f is negative or not finite, whatever the collision accepts later; f is not a whole number of cells
  void start(View<const Real> f);

  /// Function called after each step; returns false to stop.
  using Observer = std::function<bool()>;

  /// Advances to `time`, s. With an observer it waits for each step, without one only for the step bound.
  /// @throws Error  not started, `time` is before time(), the given step is above the bound
  /// @throws Error  f became negative or not finite: at once with an observer, else at Queue::wait()
  void advance_to(double time, const Observer& observer = {});

  double time() const;         ///< Time reached, s.
  std::int64_t steps() const;  ///< Number of steps since start().
  double step() const;         ///< Length of the latest step, s.
  int stages() const;          ///< Evaluations of Q a step.

  View<const Real> f() const;
  /// State of each cell. Waits for the queue.
  std::vector<RelaxationState> states();
  Collision<Real>& collision();

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal::collision

namespace shoal {

using collision::even_moment_count;
using collision::EvenMoments;
using collision::Relaxation;
using collision::RelaxationOptions;
using collision::RelaxationScheme;
using collision::RelaxationState;

template <>
inline constexpr auto enumerator_names<RelaxationScheme> =
    std::array<std::string_view, 3>{"euler", "tvd_rk2", "tvd_rk3"};

}  // namespace shoal
