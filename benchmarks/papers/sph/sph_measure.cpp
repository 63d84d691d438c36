// SPDX-License-Identifier: Apache-2.0
#include "papers/sph/sph_measure.hpp"

#include "support/sph_cases.hpp"

namespace shoal::benchmarks {

const std::vector<PaperSphScheme>& paper_sph_schemes() {
  static const std::vector<PaperSphScheme> schemes{{"paper", with_paper_scheme},
                                                   {"shoal", [](sph::Case simulation) { return simulation; }}};
  return schemes;
}

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
