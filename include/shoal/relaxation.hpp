// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/collision.hpp>
#include <shoal/relaxation_cases.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace shoal {

/// Explicit Runge-Kutta methods that are means of Euler steps with weights above 0: a step that keeps f from becoming
/// negative in one keeps it so in all.
/// Source: Shu and Osher (1988).
enum class RelaxationScheme { euler, tvd_rk2, tvd_rk3 };
template <>
inline constexpr auto enumerator_names<RelaxationScheme> =
    std::array<std::string_view, 3>{"euler", "tvd_rk2", "tvd_rk3"};

struct RelaxationOptions {
  RelaxationScheme scheme = RelaxationScheme::tvd_rk3;
  double step = 0;          ///< s; 0: as long as step_share allows
  double step_share = 0.5;  ///< of Collision::step_bound(), 1 / max ν; above 0, at most 1
};

/// Where a cell's relaxation stands.
struct RelaxationState {
  VelocityMoments moments;
  EvenMoments even = {};  ///< <c^p> / (p + 1)!!, p = 2, 4, ..., 10: (m/s)^p
  double entropy = 0;     ///< −∫ f ln f; not a number where f < 0
  double least = 0;       ///< s³ m⁻⁶, the smallest f

  /// ∫ v²/2 f, m⁻¹ s⁻²: what collisions keep.
  double energy() const;
};

/// Homogeneous relaxation, ∂f/∂t = Q(f, f), of one cell or many:
///
///     shoal::Relaxation<double> gas(shoal::Collision<double>(queue, grid, {.rate = 1}));
///     gas.start(f);
///     gas.advance_to(2);
///     gas.states()[0].entropy;
///
/// Steps are all as long in one advance_to(): the given step, or step_share of the bound at its start, made shorter so
/// that they end at its time. After the first start() with as many cells nothing is allocated.
///
/// Cost: an evaluation of Q a stage; three stages in `tvd_rk3`.
/// Source: Malkov and Ivanov; the exact curves are in relaxation_cases.hpp.
template <class Real>
class Relaxation {
 public:
  /// Works on the queue of `collision`.
  /// @throws Error  an option makes no sense
  explicit Relaxation(Collision<Real> collision, const RelaxationOptions& options = {});
  ~Relaxation();
  Relaxation(Relaxation&&) noexcept;
  Relaxation& operator=(Relaxation&&) noexcept;

  /// Takes a copy of f, at time 0. Waits for the queue.
  /// @param f  [cells × nodes] s³ m⁻⁶, any stride, on the queue's device
  /// @throws Error  f is negative or not finite, whatever the collision accepts later; no whole number of cells
  void start(View<const Real> f);

  /// Called after each step; false stops there.
  using Observer = std::function<bool()>;

  /// Steps until `time`. With an observer it waits for each step, without one for the bound only.
  /// @throws Error  not started, `time` is before time(), the given step is above the bound
  /// @throws Error  f became negative or not finite: at once with an observer, else at Queue::wait()
  void advance_to(double time, const Observer& observer = {});

  double time() const;         ///< s
  std::int64_t steps() const;  ///< so far
  double step() const;         ///< s, the latest
  int stages() const;          ///< evaluations of Q a step

  View<const Real> f() const;
  /// One for each cell. Waits for the queue.
  std::vector<RelaxationState> states();
  Collision<Real>& collision();

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal
