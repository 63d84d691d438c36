// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/run.hpp>
#include <shoal/io/stopwatch.hpp>

#include <deque>
#include <optional>
#include <string>

namespace shoal::io {

/// Number of right-hand-side evaluations per particle in a step of the third-order Runge-Kutta method.
inline constexpr double evaluations_per_step = 3;

/// Current time, step and size of a run.
struct RunPosition {
  double time = 0;                        ///< time, s
  std::int64_t step = 0;                  ///< number of the last step
  double dt = 0;                          ///< length of the last step, s
  std::int64_t items = 0;                 ///< number of particles, nodes or points
  std::optional<std::int64_t> lost = {};  ///< number of particles that left the domain
};

/// Units of the counts on the progress line.
struct ProgressUnits {
  const char* items = "particles";
  const char* evaluations = "evaluations";
  double evaluations_per_step = shoal::io::evaluations_per_step;  ///< evaluations per item and step
};

/// Progress line of a run (a single line, wrapped here):
///
///     dam_break   cuda:0 NVIDIA H200   85,773 particles   t 1.237/4.000 s   dt 1.0e-4 s   1.9e9 evaluations/s   ETA
///     0:03
///
/// Rate and ETA are averages over the last 20 s.
class Progress {
 public:
  Progress(const ProgressOptions& options, std::string name, std::string device, double duration,
           const ProgressUnits& units = {});

  /// Shows the position, unless the last update was too recent.
  /// @param note  end of the line, such as the conservation error
  void update(const RunPosition& position, const std::string& note);
  /// Ends the rewritten line, so that other output begins on a new line.
  void finish();

  double evaluations_per_second() const { return evaluations_per_second_; }
  double seconds_left() const { return seconds_left_; }

 private:
  struct Sample {
    double wall, time, evaluations;
  };
  void measure(const RunPosition& position);
  std::string line(const RunPosition& position, const std::string& note) const;

  ProgressOptions options_;
  ProgressUnits units_;
  std::string name_, device_;
  double duration_;
  Stopwatch watch_;
  std::deque<Sample> samples_;
  double evaluations_ = 0, evaluations_per_second_ = 0, seconds_left_ = -1;
  std::int64_t last_step_ = -1;
  double last_shown_ = 0;
  bool line_is_open_ = false;
};

}  // namespace shoal::io
