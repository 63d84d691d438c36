// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph/case.hpp>

#include <optional>
#include <vector>

namespace shoal::io {

/// Times at which fields, probes and conservation balance are due: 0, the multiples of their interval (or given times),
/// and the end.
///
/// Times are k · interval instead of sums, so that rounding errors do not accumulate. Times that differ by rounding
/// (with a fixed step: by less than half a step) form one event. A resumed run therefore stops at the same times and
/// takes the same steps as an uninterrupted run.
class Schedule {
 public:
  struct Event {
    double time = 0;  ///< time of the event, s
    bool fields = false;
    std::vector<std::size_t> probes;  ///< indices of the due probes in Case::probes
    bool balance = false;
  };

  /// Creates the schedule of a case of kind = "sph".
  /// @param after  s, time up to which all events are done; negative for a new run, whose first event is at 0
  Schedule(const sph::Case& simulation, double after);

  /// Creates a schedule from intervals.
  /// @param every      s, intervals of the fields and of each probe; 0: at 0 and at the end only
  /// @param tolerance  s, events closer than this are one event
  Schedule(double end, const std::vector<double>& every, double tolerance, double after);

  /// Returns the next event, or nothing after the end.
  std::optional<Event> next();

  /// Returns true if `time` is at `event` or later, within the tolerance.
  bool reached(const Event& event, double time) const { return time >= event.time - tolerance_; }

 private:
  struct Stream {
    double every;               ///< interval, s; 0: start and end only
    std::vector<double> times;  ///< given times, s; they replace `every`
    std::int64_t index = 0;
    double time() const;  ///< time of the next event, s
    void skip_to(double after);
  };

  Schedule(std::vector<Stream> streams, double end, double tolerance, double after);
  static std::vector<Stream> streams_of(const sph::Case& simulation);
  static std::vector<Stream> streams_of(const std::vector<double>& every);

  double end_, tolerance_, after_;
  std::vector<Stream> streams_;         ///< streams of the fields, the probes and the balance, in this order
  std::optional<std::size_t> balance_;  ///< index of the balance stream; empty unless kind = "sph"
};

}  // namespace shoal::io
