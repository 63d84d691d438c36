// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

// A figure of a paper measured again: the time of some ways to do one thing, over the size of the problem.
namespace shoal::cli {

/// One curve. `prepare` sets up a problem of a size and gives what one iteration does.
struct Contender {
  std::string name;  ///< without commas, which separate columns
  std::function<std::function<void()>(std::int64_t size)> prepare;
};

/// How long to measure.
struct MeasureOptions {
  std::int64_t iterations = 100;
  double most_seconds = 0;  ///< a measurement stops after so long; 0: never
};

struct Timing {
  std::int64_t iterations = 0;  ///< that ran
  double seconds = 0;           ///< that they took
};

/// The time of `iterate`, which is run first once without.
Timing measure(const std::function<void()>& iterate, const MeasureOptions& options);

struct FigureOptions {
  MeasureOptions each;  ///< the total of one that stopped early is worked out
  std::vector<std::int64_t> sizes;
};

/// The figure's measurements: timings[contender][size], without iterations where the contender could not run.
struct Figure {
  std::string title;
  std::vector<std::string> names;
  FigureOptions options;
  std::vector<std::vector<Timing>> timings;
  std::vector<std::string> failures;  ///< why one could not run, a sentence each

  /// s, of all iterations.
  double total(const Timing& timing) const {
    return timing.seconds * static_cast<double>(options.each.iterations) / static_cast<double>(timing.iterations);
  }
};

/// Measures everything and writes a line to `out` for each size.
Figure measure_figure(const std::string& title, const std::vector<Contender>& contenders, const FigureOptions& options,
                      std::ostream& out);

/// Writes FOLDER/NAME.csv and FOLDER/NAME.svg.
void write_figure(const Figure& figure, const std::filesystem::path& folder, const std::string& name);

}  // namespace shoal::cli
