// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>

#include <string>
#include <vector>

#include "support/harness.hpp"

namespace shoal::benchmarks {

/// Case of the paper's tables 1 and 3, with the paper's times on one core and on a Tesla C1060.
struct PaperSphCase {
  const char* name;
  int size;  ///< refinement of the dam break, particles along a side of the pressure wave
  std::int64_t steps;
  double cpu, gpu;  ///< s
  double speed_up;  ///< as the paper prints it
};

inline constexpr PaperSphCase paper_dam_breaks[] = {{"dam break 1", 1, 10'000, 926, 19, 48},
                                                    {"dam break 2", 2, 20'000, 6404, 81, 79},
                                                    {"dam break 3", 4, 40'000, 47'040, 514, 91}};
inline constexpr PaperSphCase paper_pressure_waves[] = {{"pressure wave 1", 401, 800, 1502, 33.5, 45},
                                                        {"pressure wave 2", 501, 1000, 3074, 55.1, 53},
                                                        {"pressure wave 3", 601, 1200, 5044, 74, 68}};

/// Scheme in which the paper's cases run.
struct PaperSphScheme {
  const char* name;
  sph::Case (*apply)(sph::Case);
};

/// The paper's scheme first, then the one that shoal recommends.
const std::vector<PaperSphScheme>& paper_sph_schemes();

/// Measurement of whole steps of one method.
struct SphTiming {
  std::string method;
  std::int64_t particles = 0;
  Timing steps;         ///< one iteration is one time step
  std::string failure;  ///< message of the failure; empty: none

  double step_seconds() const { return steps.seconds / static_cast<double>(steps.iterations); }
  double evaluations_per_second() const { return 3 * static_cast<double>(particles) / step_seconds(); }
};

/// Measures time steps of a case from its start, after two to warm up.
SphTiming measure_sph(const Queue& queue, sph::Case simulation, const std::string& method,
                      const MeasureOptions& options);

}  // namespace shoal::benchmarks
