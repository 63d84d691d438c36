// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "papers/neighbors/neighbors_particles.hpp"
#include "support/harness.hpp"

// Figures of Godbole (2014) measured again: the time of several configurations by the number of particles.
namespace shoal::benchmarks {

/// Curve of a figure.
struct Configuration {
  std::string name;  ///< no commas, which separate the columns of a CSV file
  /// Sets up a search and returns the work of one iteration.
  std::function<std::function<void()>(const SharedParticles&)> prepare;
};

struct FigureOptions {
  MeasureOptions each;              ///< a measurement that stops early is extrapolated to all iterations
  std::vector<std::int64_t> sizes;  ///< numbers of particles
};

/// Measurements of a figure.
struct Figure {
  std::string title;
  std::vector<std::string> names;  ///< [configurations]
  FigureOptions options;
  std::vector<std::vector<Timing>> timings;  ///< [configurations][sizes]; without iterations where one failed
  std::vector<std::string> failures;         ///< one sentence for each failure

  /// s, time of all iterations.
  double total(const Timing& timing) const {
    return timing.seconds * static_cast<double>(options.each.iterations) / static_cast<double>(timing.iterations);
  }
};

/// Measures every configuration with uniform particles and prints a line for each size.
Figure measure_figure(const std::string& title, const std::vector<Configuration>& configurations,
                      const FigureOptions& options, std::ostream& out);

/// Writes FOLDER/NAME.csv and FOLDER/NAME.svg.
void write_figure(const Figure& figure, const std::filesystem::path& folder, const std::string& name);

}  // namespace shoal::benchmarks
