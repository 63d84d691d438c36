// SPDX-License-Identifier: Apache-2.0
#include "gas/steady/steady_iteration.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "gas/steady/continuation.hpp"

namespace shoal::gas {

namespace {

/// Residual above which sweeps of Q alone are taken: corrections are for states near the steady one.
constexpr double largest_residual_to_correct = 0.2;

}  // namespace

void require_valid(const GasSetup& setup, const SteadyOptions& options) {
  require(std::isfinite(options.residual) && options.residual > 0, "gas: the residual of a steady state is ",
          options.residual, ", expected a positive number.");
  require(options.max_iterations >= 1, "gas: max_iterations = ", options.max_iterations, ", expected 1 or more.");
  require(options.anderson >= 0 && options.anderson <= 50, "gas: anderson = ", options.anderson,
          ", expected 0 to 50 previous iterations.");
  check_cheaper_term(setup, "continuation", options.continuation);
  check_cheaper_term(setup, "correction", options.correction);
  require(options.correction == SteadyContinuation::none || options.method == SteadyMethod::sweeps,
          "gas: correction = ", to_name(options.correction), " is for the method sweeps, and the method is ",
          to_name(options.method), ". Use none.");
  require(options.correction_sweeps >= 1, "gas: correction_sweeps = ", options.correction_sweeps,
          ", expected 1 or more.");
}

template <class Real>
SteadyIteration<Real>::SteadyIteration(const Queue& queue, const GasSetup& setup, Stepper<Real>& stepper,
                                       GasClock& clock, const SteadyOptions& options)
    : queue_(queue),
      setup_(setup),
      stepper_(stepper),
      clock_(clock),
      options_(options),
      acceleration_(queue, setup, stepper, options.anderson) {
  if (options.correction != SteadyContinuation::none)
    correction_.emplace(queue, setup, stepper, options.correction, options.correction_sweeps);
}

template <class Real>
SteadyResult SteadyIteration<Real>::run(const typename Gas<Real>::Observer& observer) {
  if (clock_.steady_mass == 0) {
    const MassOfSpecies mass = stepper_.mass();
    clock_.steady_mass = mass[0];
    clock_.second_steady_mass = mass[1];
  }
  stepper_.hold_mass({clock_.steady_mass, clock_.second_steady_mass});
  SteadyResult result{.residual = stepper_.residual()};
  bool goes_on = true;
  while (result.residual > options_.residual && result.iterations < options_.max_iterations) {
    if (clock_.iterations == 0 && options_.continuation != SteadyContinuation::none)
      continue_from_cheaper();
    else
      iterate();
    ++result.iterations;
    count();
    result.residual = stepper_.residual();
    require_finite(result.residual);
    if (observer && !observer()) goes_on = false;
    if (!goes_on && at_end_of_history()) break;
  }
  result.converged = result.residual <= options_.residual;
  return result;
}

template <class Real>
void SteadyIteration<Real>::iterate() {
  if (correction_ && stepper_.residual() > largest_residual_to_correct) {
    acceleration_.forget();
    return take_step();
  }
  const bool accelerates = options_.anderson > 0;
  if (accelerates) {
    if (at_end_of_history()) acceleration_.forget();
    acceleration_.begin();
  }
  if (correction_)
    correction_->iterate([&] { keep_mass(); });
  else
    take_step();
  if (!accelerates) return;
  acceleration_.end();
  keep_mass();
}

/// Sweep, or step of each cell's own length.
template <class Real>
void SteadyIteration<Real>::take_step() {
  if (options_.method == SteadyMethod::sweeps)
    stepper_.sweep();
  else
    stepper_.take_local_step(setup_.options.step_share);
  keep_mass();
}

/// Iterates with the collision term of the continuation, without acceleration.
template <class Real>
void SteadyIteration<Real>::continue_from_cheaper() {
  constexpr double residual = 1e-3;
  constexpr int most_iterations = 400;  // on coarse grids that residual may not be reached
  std::unique_ptr<ContinuationTerm<Real>> cheaper;
  setup_.ranks.agree(
      [&] { cheaper = std::make_unique<ContinuationTerm<Real>>(queue_, setup_, options_.continuation); });
  stepper_.replace_term(&cheaper->term(), cheaper->accepts_negative());
  for (int k = 0; k < most_iterations && stepper_.residual() > std::max(residual, options_.residual); ++k) take_step();
  stepper_.replace_term(nullptr);
}

/// Scales f to the mass at the start, if no mass enters or leaves.
template <class Real>
void SteadyIteration<Real>::keep_mass() {
  if (!setup_.closed()) return;
  const MassOfSpecies mass = stepper_.mass();
  const double second = setup_.mixture ? clock_.second_steady_mass / mass[1] : 1;
  stepper_.scale({clock_.steady_mass / mass[0], second});
}

template <class Real>
void SteadyIteration<Real>::count() {
  ++clock_.iterations;
  ++clock_.steps;
  if (stepper_.term() != nullptr) clock_.evaluations = stepper_.term()->evaluations();
}

/// Returns true where the history of the acceleration is empty.
template <class Real>
bool SteadyIteration<Real>::at_end_of_history() const {
  return options_.anderson == 0 || clock_.iterations % (2 * options_.anderson) == 0;
}

template <class Real>
void SteadyIteration<Real>::require_finite(double residual) const {
  if (std::isfinite(residual)) return;
  const std::string message =
      text("gas: the iteration to the steady state is unstable at iteration ", clock_.iterations,
           ": the residual is not finite. Use method marching, or a smaller step_share.");
  setup_.ranks.agree([&] { throw Error(message); });
  throw Error(message);
}

template class SteadyIteration<float>;
template class SteadyIteration<double>;

}  // namespace shoal::gas
