// SPDX-License-Identifier: Apache-2.0
#include "io/schedule.hpp"

#include <algorithm>
#include <limits>

namespace shoal::io {

double Schedule::Stream::time() const {
  if (index == 0) return 0;
  return every > 0 ? static_cast<double>(index) * every : std::numeric_limits<double>::infinity();
}

void Schedule::Stream::skip_to(double after) {
  if (every > 0 && after > 0) index = std::max(index, static_cast<std::int64_t>(after / every));
  while (time() <= after) ++index;
}

namespace {

std::vector<double> intervals_of(const sph::Case& simulation) {
  std::vector<double> every{simulation.output.every};
  for (const sph::Probe& probe : simulation.probes)
    every.push_back(probe.every > 0 ? probe.every : simulation.output.every);
  return every;
}

double tolerance_of(const sph::Case& simulation) {
  const bool fixed_step = simulation.scheme.time_step == sph::TimeStep::fixed;
  return std::max(1e-9 * simulation.duration, fixed_step ? 0.499 * simulation.scheme.dt : 0.0);
}

}  // namespace

Schedule::Schedule(const sph::Case& simulation, double after)
    : Schedule(simulation.duration, intervals_of(simulation), tolerance_of(simulation), after) {}

Schedule::Schedule(double end, const std::vector<double>& every, double tolerance, double after)
    : end_(end), tolerance_(tolerance), after_(after) {
  for (const double interval : every) streams_.push_back({interval});
  if (after >= 0)
    for (Stream& stream : streams_) stream.skip_to(after + tolerance_);
}

std::optional<Schedule::Event> Schedule::next() {
  if (after_ >= end_ - tolerance_) return {};
  Event event;
  event.time = end_;
  for (const Stream& stream : streams_) event.time = std::min(event.time, stream.time());
  if (event.time >= end_ - tolerance_) event.time = end_;
  const bool last = event.time == end_;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    if (!last && streams_[i].time() > event.time + tolerance_) continue;
    if (i == 0)
      event.fields = true;
    else
      event.probes.push_back(i - 1);
    streams_[i].skip_to(event.time + tolerance_);
  }
  after_ = event.time;
  return event;
}

}  // namespace shoal::io
