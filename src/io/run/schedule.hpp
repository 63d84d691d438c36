// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph_case.hpp>

#include <optional>
#include <vector>

namespace shoal::io {

/// Times at which fields, probes and conservation balance are due: 0, every multiple of their interval (or given times),
/// and the end.
///
/// Times are k · interval, not sums, and those that differ by rounding (with a fixed step: by less than half a step)
/// are one event; so a resumed run stops at the same times as one that was never interrupted, and takes the same steps.
class Schedule {
 public:
  struct Event {
    double time = 0;  ///< s
    bool fields = false;
    std::vector<std::size_t> probes;  ///< indices into Case::probes
    bool balance = false;
  };

  /// @param after  s; events up to here are over. Negative for a new run, whose first event is at 0.
  Schedule(const sph::Case& simulation, double after);

  /// @param every      s, of the fields and of each probe; 0: at 0 and at the end only
  /// @param tolerance  s: times that differ by less are one
  Schedule(double end, const std::vector<double>& every, double tolerance, double after);

  /// The next event, or nothing after the end.
  std::optional<Event> next();

  /// Whether a clock that shows `time` is at `event` or past it.
  bool reached(const Event& event, double time) const { return time >= event.time - tolerance_; }

 private:
  struct Stream {
    double every;               ///< s; 0: start and end only
    std::vector<double> times;  ///< s, in place of `every`
    std::int64_t index = 0;
    double time() const;  ///< of its next event
    void skip_to(double after);
  };

  Schedule(std::vector<Stream> streams, double end, double tolerance, double after);
  static std::vector<Stream> streams_of(const sph::Case& simulation);
  static std::vector<Stream> streams_of(const std::vector<double>& every);

  double end_, tolerance_, after_;
  std::vector<Stream> streams_;         ///< the fields, then the probes, then the balance
  std::optional<std::size_t> balance_;  ///< which stream it is; there is none but for cases of kind = "sph"
};

}  // namespace shoal::io
