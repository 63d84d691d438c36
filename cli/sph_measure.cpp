// SPDX-License-Identifier: Apache-2.0
#include "sph_measure.hpp"

#include <shoal/io/stopwatch.hpp>

#include <algorithm>

namespace shoal::cli {

SphTiming measure_sph(const Queue& queue, sph::Case simulation, const std::string& method,
                      const MeasureOptions& options) {
  SphTiming timing;
  timing.method = method;
  simulation.method = method;
  try {
    sph::Solver solver(queue, simulation);
    timing.particles = solver.clock().particles;
    io::Stopwatch watch;
    solver.advance_steps(2);
    queue.wait();
    const double seconds_a_step = watch.seconds() / 2;
    watch = {};
    while (timing.steps.iterations < options.iterations &&
           (options.most_seconds <= 0 || timing.steps.seconds < options.most_seconds)) {
      // Batches of a tenth of the time: the clock is looked at now and then, not after each step.
      const double part = options.most_seconds > 0 ? options.most_seconds / 10 : 1;
      const auto batch = static_cast<std::int64_t>(part / std::max(seconds_a_step, 1e-7)) + 1;
      const std::int64_t steps = std::min(batch, options.iterations - timing.steps.iterations);
      solver.advance_steps(steps);
      queue.wait();
      timing.steps.iterations += steps;
      timing.steps.seconds = watch.seconds();
    }
  } catch (const Error& error) {
    timing.failure = error.what();
    timing.steps = {};
  }
  return timing;
}

}  // namespace shoal::cli
