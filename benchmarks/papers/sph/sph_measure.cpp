// SPDX-License-Identifier: Apache-2.0
#include "papers/sph/sph_measure.hpp"

namespace shoal::benchmarks {

SphTiming measure_sph(const Queue& queue, sph::Case simulation, const std::string& method,
                      const MeasureOptions& options) {
  SphTiming timing;
  timing.method = method;
  simulation.method = method;
  try {
    sph::Solver solver(queue, simulation);
    timing.particles = solver.clock().particles;
    const auto advance = [&](std::int64_t steps) {
      solver.advance_steps(steps);
      queue.wait();
    };
    timing.steps = measure_batches(advance, options);
  } catch (const Error& error) {
    timing.failure = error.what();
    timing.steps = {};
  }
  return timing;
}

}  // namespace shoal::benchmarks
