// SPDX-License-Identifier: Apache-2.0
#include "collision_measure.hpp"

#include <shoal/methods.hpp>

#include <algorithm>
#include <cmath>

#include "collision/collision_method.hpp"
#include "core/text.hpp"

namespace shoal::cli {

namespace {

const BkwSolution solution{.amplitude = 1 - 0.66153};

template <class Change>
std::vector<double> isotropic(const VelocityGrid& grid, Change change) {
  return at_velocities<double>(grid, [&](const auto& v) { return change(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); });
}

double fourth_moment(const VelocityGrid& grid, const std::vector<double>& values) {
  const std::vector<double> weight = isotropic(grid, [](double v2) { return v2 * v2; });
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += weight[i] * values[i];
  return sum;
}

/// Q of BKW by a contender, ready to be timed.
struct Evaluation {
  Queue queue;
  VelocityGrid grid;
  Collision<double> collision;
  Array<double> f, q;

  Evaluation(const Queue& queue_, const CollisionContender& contender, int nodes)
      : queue(queue_),
        grid(grid_for(contender.options, nodes)),
        collision(queue, grid, {.rate = 1}, contender.options),
        f(to_device(queue, isotropic(grid, [](double v2) { return solution.at(v2, 0); }))),
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

/// How much longer an evaluation takes on so many times as many nodes along an axis.
double growth(CollisionApproach approach, double nodes) { return std::pow(nodes, is_fourier(approach) ? 4 : 6); }

void measure_serial(CollisionOptions options, int nodes, CollisionTimings& timings) {
  const Queue queue = Queue::cpu(1);
  options.method = "serial";
  const int seen = std::min(nodes, 8);
  const VelocityGrid grid = grid_for(options, seen);
  Collision<double> collision(queue, grid, {.rate = 1}, options);
  const std::vector<double> f = isotropic(grid, [](double v2) { return solution.at(v2, 0); });
  std::vector<double> q(f.size());
  timings.serial = measure([&] { collision.evaluate(f, View<double>(q)); }, {1, 0});
  timings.serial.seconds *= growth(options.approach, static_cast<double>(nodes) / seen);
  timings.serial_nodes = seen;
}

}  // namespace

VelocityGrid grid_for(const CollisionOptions& options, int nodes) {
  return {nodes, is_fourier(options.approach) ? 7.725 : 5.5, {}};
}

std::vector<CollisionContender> collision_contenders(DeviceKind device) {
  using Approach = CollisionApproach;
  const CollisionContender variants[] = {
      {"interpolated trilinear", {.approach = Approach::interpolated}},
      {"interpolated trilinear f/M", {.approach = Approach::interpolated, .over_maxwellian = true}},
      {"interpolated cubic", {.approach = Approach::interpolated, .interpolation = VelocityInterpolation::cubic}},
      {"conservative seven", {.approach = Approach::conservative}},
      {"conservative seven loss only", {.approach = Approach::conservative, .symmetrized = false}},
      {"spectral 6 x 16", {.approach = Approach::spectral, .directions = {.degree = 5}}},
      {"spectral 16 x 32", {.approach = Approach::spectral, .radii = 32}},
      {"carleman", {.approach = Approach::carleman}}};
  std::vector<CollisionContender> with_both_supports;
  for (const CollisionContender& contender : variants) {
    with_both_supports.push_back(contender);
    if (is_fourier(contender.options.approach)) continue;
    CollisionContender& in_ball = with_both_supports.emplace_back(contender);
    in_ball.name += " ball";
    in_ball.options.support = CollisionSupport::ball;
  }
  std::vector<CollisionContender> contenders;
  for (const CollisionMethod& row : collision_rows())
    for (CollisionContender contender : with_both_supports) {
      const bool goes_by_pairs = row.device == DeviceKind::cpu && (row.name == "pairs" || row.name == "serial");
      if (row.device != device || goes_by_pairs || !row.knows(contender.options.approach)) continue;
      contender.options.method = row.name;
      contender.options.negative = NegativeDistribution::accept;
      contenders.push_back(contender);
    }
  return contenders;
}

int affordable_nodes(const Queue& queue, const CollisionContender& contender, int nodes, double seconds) {
  std::vector<int> fewer = {nodes};
  while (fewer.back() >= 16) fewer.push_back(fewer.back() / 2);
  try {
    for (; fewer.size() > 1; fewer.pop_back()) {
      const int known = fewer.back(), next = fewer[fewer.size() - 2];
      const Timing once = Evaluation(queue, contender, known).time({1, 0});
      if (once.seconds * growth(contender.options.approach, static_cast<double>(next) / known) > seconds) break;
    }
  } catch (const Error&) {
    return nodes;
  }
  return fewer.back();
}

CollisionTimings measure_collision(const Queue& queue, const CollisionContender& contender, int nodes,
                                   const MeasureOptions& options) {
  CollisionTimings timings;
  try {
    Evaluation evaluation(queue, contender, nodes);
    timings.each = evaluation.time(options);
    compare(evaluation.grid, to_host(queue, evaluation.q), timings);
    const CollisionDefects defects = evaluation.collision.defects(evaluation.q)[0];
    timings.mass = defects.mass / defects.mass_moved;
    timings.energy = defects.energy / defects.energy_moved;
    measure_serial(contender.options, nodes, timings);
  } catch (const Error& error) {
    timings.failure = error.what();
  }
  return timings;
}

MomentCurves measure_moments(const Queue& queue, const CollisionContender& contender, int nodes) {
  constexpr int last = 16;  // collision times
  const BkwSolution bkw;
  MomentCurves curves{contender.name + " by " + contender.options.method, {}, {}, {}, {}, {}};
  try {
    const VelocityGrid grid = grid_for(contender.options, nodes);
    Relaxation<double> gas(Collision<double>(queue, grid, {.rate = 1}, contender.options));
    gas.start(to_device(queue, isotropic(grid, [&](double v2) { return std::max(0.0, bkw.at(v2, 0)); })));
    for (int time = 0; time <= last; ++time) {
      gas.advance_to(time);
      const RelaxationState state = gas.states()[0];
      for (const double moment : state.even)
        require(std::isfinite(moment), "the moments are not finite after ", time, " collision times.");
      curves.time.push_back(time);
      curves.moments.push_back(state.even);
      curves.exact.push_back(bkw.moments(time));
      curves.entropy.push_back(state.entropy);
    }
  } catch (const Error& error) {
    curves.failure = error.what();
  }
  return curves;
}

}  // namespace shoal::cli
