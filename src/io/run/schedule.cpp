// SPDX-License-Identifier: Apache-2.0
#include "io/run/schedule.hpp"

#include <algorithm>
#include <limits>

#include "io/case/keys/count_limits.hpp"

namespace shoal::io {

double Schedule::Stream::time() const {
  if (index == 0) return 0;
  constexpr double never = std::numeric_limits<double>::infinity();
  const auto given = static_cast<std::size_t>(index - 1);
  if (!times.empty()) return given < times.size() ? times[given] : never;
  return every > 0 ? static_cast<double>(index) * every : never;
}

void Schedule::Stream::skip_to(double after) {
  if (times.empty() && every > 0 && after > 0) index = std::max(index, static_cast<std::int64_t>(after / every));
  while (time() <= after) ++index;
}

namespace {

double tolerance_of(const sph::Case& simulation) {
  const bool fixed_step = simulation.scheme.time_step == sph::TimeStep::fixed;
  return std::max(1e-9 * simulation.duration, fixed_step ? 0.499 * simulation.scheme.dt : 0.0);
}

}  // namespace

std::vector<Schedule::Stream> Schedule::streams_of(const sph::Case& simulation) {
  const Stream fields{simulation.output.every, simulation.output.times};
  const auto stream_of = [&](double every) { return every > 0 ? Stream{every, {}} : fields; };
  std::vector<Stream> streams{fields};
  for (const sph::Probe& probe : simulation.probes) streams.push_back(stream_of(probe.every));
  streams.push_back(stream_of(simulation.output.balance_every));
  return streams;
}

std::vector<Schedule::Stream> Schedule::streams_of(const std::vector<double>& every) {
  std::vector<Stream> streams;
  for (const double interval : every) streams.push_back({interval, {}});
  return streams;
}

Schedule::Schedule(const sph::Case& simulation, double after)
    : Schedule(streams_of(simulation), simulation.duration, tolerance_of(simulation), after) {
  balance_ = streams_.size() - 1;
}

Schedule::Schedule(double end, const std::vector<double>& every, double tolerance, double after)
    : Schedule(streams_of(every), end, tolerance, after) {}

Schedule::Schedule(std::vector<Stream> streams, double end, double tolerance, double after)
    : end_(end), tolerance_(tolerance), after_(after), streams_(std::move(streams)) {
  for (const Stream& stream : streams_)
    if (stream.times.empty()) require_possible_count(end, stream.every, most_outputs, "run: an output interval");
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
    else if (balance_ && i == *balance_)
      event.balance = true;
    else
      event.probes.push_back(i - 1);
    streams_[i].skip_to(event.time + tolerance_);
  }
  after_ = event.time;
  return event;
}

}  // namespace shoal::io
