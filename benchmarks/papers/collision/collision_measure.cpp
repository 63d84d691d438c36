// SPDX-License-Identifier: Apache-2.0
#include "papers/collision/collision_measure.hpp"

#include <shoal/methods.hpp>

#include <algorithm>
#include <cmath>

#include "collision/collision_method.hpp"
#include "collision/relaxation/exact_solutions.hpp"
#include "core/text.hpp"
#include "support/problems.hpp"

namespace shoal::benchmarks {

namespace {

const collision::BkwSolution solution{.amplitude = 1 - 0.66153};

template <class Change>
std::vector<double> isotropic(const VelocityGrid& grid, Change change) {
  return collision::at_velocities<double>(
      grid, [&](const auto& v) { return change(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); });
}

double fourth_moment(const VelocityGrid& grid, const std::vector<double>& values) {
  const std::vector<double> weight = isotropic(grid, [](double v2) { return v2 * v2; });
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += weight[i] * values[i];
  return sum;
}

/// Evaluation of Q of BKW by a configuration.
struct Evaluation {
  Queue queue;
  VelocityGrid grid;
  Collision<double> collision;
  Array<double> f, q;

  Evaluation(const Queue& queue_, const CollisionConfiguration& configuration, int nodes)
      : queue(queue_),
        grid(velocity_grid(configuration.options.approach, nodes)),
        collision(queue, grid, {.rate = 1}, configuration.options),
        f(to_device(queue, isotropic(grid, [](double v2) { return solution.distribution(v2, 0); }))),
        q(queue, f.count()) {}

  Timing time(const MeasureOptions& options) {
    const auto evaluate = [&] {
      collision.evaluate(f, q);
      queue.wait();
    };
    return measure(evaluate, options);
  }
};

void compare(const VelocityGrid& grid, const std::vector<double>& q, CollisionTimings& timings) {
  const std::vector<double> exact = isotropic(grid, [](double v2) { return solution.change(v2, 0); });
  double most = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    timings.error = std::max(timings.error, std::abs(q[i] - exact[i]));
    most = std::max(most, std::abs(exact[i]));
  }
  timings.error /= most;
  timings.v4_error = fourth_moment(grid, q) / fourth_moment(grid, exact) - 1;
}

/// Growth of the time of an evaluation with a factor of the number of nodes along an axis.
double growth(CollisionApproach approach, double factor) {
  return std::pow(factor, collision::is_fourier(approach) ? 4 : 6);
}

void measure_serial(CollisionOptions options, int nodes, CollisionTimings& timings) {
  const Queue queue = Queue::cpu(1);
  options.method = "serial";
  const int serial_nodes = std::min(nodes, 8);
  const VelocityGrid grid = velocity_grid(options.approach, serial_nodes);
  Collision<double> collision(queue, grid, {.rate = 1}, options);
  const std::vector<double> f = isotropic(grid, [](double v2) { return solution.distribution(v2, 0); });
  std::vector<double> q(f.size());
  timings.serial = measure([&] { collision.evaluate(f, View<double>(q)); }, {1, 0});
  timings.serial.seconds *= growth(options.approach, static_cast<double>(nodes) / serial_nodes);
  timings.serial_nodes = serial_nodes;
}

}  // namespace

bool CollisionConfiguration::is_the_papers() const {
  return options.method == "texture" && options.interpolation == VelocityInterpolation::trilinear &&
         !options.over_maxwellian && options.support == CollisionSupport::box;
}

std::vector<CollisionConfiguration> collision_configurations(DeviceKind device) {
  using Approach = CollisionApproach;
  const CollisionConfiguration variants[] = {
      {"interpolated nearest", {.approach = Approach::interpolated, .interpolation = VelocityInterpolation::nearest}},
      {"interpolated trilinear", {.approach = Approach::interpolated}},
      {"interpolated trilinear f/M", {.approach = Approach::interpolated, .over_maxwellian = true}},
      {"interpolated cubic", {.approach = Approach::interpolated, .interpolation = VelocityInterpolation::cubic}},
      {"conservative seven", {.approach = Approach::conservative}},
      {"conservative seven loss only", {.approach = Approach::conservative, .symmetrized = false}},
      {"spectral 6 x 16", {.approach = Approach::spectral, .directions = {.degree = 5}}},
      {"spectral 16 x 32", {.approach = Approach::spectral, .radii = 32}},
      {"carleman", {.approach = Approach::carleman}}};
  std::vector<CollisionConfiguration> with_both_supports;
  for (const CollisionConfiguration& configuration : variants) {
    with_both_supports.push_back(configuration);
    if (collision::is_fourier(configuration.options.approach)) continue;
    CollisionConfiguration& in_ball = with_both_supports.emplace_back(configuration);
    in_ball.name += " ball";
    in_ball.options.support = CollisionSupport::ball;
  }
  std::vector<CollisionConfiguration> configurations;
  for (const collision::CollisionMethod& method : collision::collision_method_table())
    for (CollisionConfiguration configuration : with_both_supports) {
      const bool is_slow = method.device == DeviceKind::cpu && (method.name == "pairs" || method.name == "serial");
      if (method.device != device || is_slow || !method.supports(configuration.options.approach)) continue;
      configuration.options.method = method.name;
      configuration.options.negative = NegativeDistribution::accept;
      configurations.push_back(configuration);
    }
  return configurations;
}

int affordable_nodes(const Queue& queue, const CollisionConfiguration& configuration, int nodes, double seconds) {
  std::vector<int> fewer = {nodes};
  while (fewer.back() >= 16) fewer.push_back(fewer.back() / 2);
  try {
    for (; fewer.size() > 1; fewer.pop_back()) {
      const int measured = fewer.back(), next = fewer[fewer.size() - 2];
      const Timing once = Evaluation(queue, configuration, measured).time({1, 0});
      if (once.seconds * growth(configuration.options.approach, static_cast<double>(next) / measured) > seconds) break;
    }
  } catch (const Error&) {
    return nodes;
  }
  return fewer.back();
}

CollisionTimings measure_collision(const Queue& queue, const CollisionConfiguration& configuration, int nodes,
                                   const MeasureOptions& options) {
  CollisionTimings timings;
  try {
    Evaluation evaluation(queue, configuration, nodes);
    timings.each = evaluation.time(options);
    compare(evaluation.grid, to_host(queue, evaluation.q), timings);
    const CollisionDefects defects = evaluation.collision.defects(evaluation.q)[0];
    timings.mass = defects.mass / defects.mass_transferred;
    timings.energy = defects.energy / defects.energy_transferred;
    measure_serial(configuration.options, nodes, timings);
  } catch (const Error& error) {
    timings.failure = error.what();
  }
  return timings;
}

MomentCurves measure_moments(const Queue& queue, const CollisionConfiguration& configuration, int nodes,
                             std::int64_t most_evaluations) {
  constexpr int last = 16;  // collision times
  const collision::BkwSolution bkw;
  MomentCurves curves{configuration.name + " by " + configuration.options.method, {}, {}, {}, {}, {}, {}};
  try {
    const VelocityGrid grid = velocity_grid(configuration.options.approach, nodes);
    Relaxation<double> gas(Collision<double>(queue, grid, {.rate = 1}, configuration.options));
    gas.start(to_device(queue, isotropic(grid, [&](double v2) { return std::max(0.0, bkw.distribution(v2, 0)); })));
    const auto may_step = [&] { return most_evaluations == 0 || (gas.steps() + 1) * gas.stages() <= most_evaluations; };
    for (int time = 0; time <= last && (time == 0 || may_step()); ++time) {
      gas.advance_to(time, may_step);
      const RelaxationState state = gas.states()[0];
      for (const double moment : state.even)
        require(std::isfinite(moment), "the moments are not finite after ", gas.time(), " collision times.");
      curves.time.push_back(gas.time());
      curves.moments.push_back(state.even);
      curves.exact.push_back(bkw.moments(gas.time()));
      curves.entropy.push_back(state.entropy);
      curves.evaluations.push_back(gas.steps() * gas.stages());
    }
  } catch (const Error& error) {
    curves.failure = error.what();
  }
  return curves;
}

}  // namespace shoal::benchmarks
