// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/run.hpp>
#include <shoal/io/stopwatch.hpp>

#include <deque>
#include <string>

namespace shoal::io {

/// A right-hand side of one particle is an evaluation; the third-order Runge-Kutta method takes three a step.
inline constexpr double evaluations_per_step = 3;

/// What a run counts.
struct ProgressUnits {
  const char* things = "particles";
  const char* evaluations = "evaluations";
  double evaluations_per_step = shoal::io::evaluations_per_step;  ///< of each thing
};

/// The progress line of a run:
///
///     dam_break   cuda:0 NVIDIA H200   85,773 particles   t 1.237/4.000 s   dt 1.0e-4 s   1.9e9 evaluations/s   ETA
///     0:03
///
/// Rate and ETA are those of the last 20 s.
class Progress {
 public:
  Progress(const ProgressOptions& options, std::string name, std::string device, double duration,
           const ProgressUnits& units = {});

  /// Shows where the run stands, if it is time to. `drift` is the conservation error, or what else there is to
  /// say at the end of the line.
  void update(const sph::Clock& clock, const std::string& drift);
  /// Ends the rewritten line, so that other text can follow.
  void finish();

  double evaluations_per_second() const { return evaluations_per_second_; }
  double seconds_left() const { return seconds_left_; }

 private:
  struct Sample {
    double wall, time, evaluations;
  };
  void measure(const sph::Clock& clock);
  std::string line(const sph::Clock& clock, const std::string& drift) const;

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
