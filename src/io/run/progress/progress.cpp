// SPDX-License-Identifier: Apache-2.0
#include "io/run/progress/progress.hpp"

#include <fmt/format.h>
#include <shoal/io/text.hpp>

#include <ostream>

namespace shoal::io {

namespace {

constexpr double seconds_between_lines = 10;
constexpr double seconds_between_rewrites = 0.5;
constexpr double seconds_of_rate = 20;

}  // namespace

Progress::Progress(const ProgressOptions& options, std::string name, std::string device, double duration,
                   const ProgressUnits& units)
    : options_(options), units_(units), name_(std::move(name)), device_(std::move(device)), duration_(duration) {}

void Progress::measure(const RunPosition& position) {
  if (last_step_ >= 0)
    evaluations_ += units_.evaluations_per_step * static_cast<double>((position.step - last_step_) * position.items);
  last_step_ = position.step;
  const double now = watch_.seconds();
  samples_.push_back({now, position.time, evaluations_});
  while (samples_.size() > 2 && samples_[1].wall < now - seconds_of_rate) samples_.pop_front();
  const Sample& old = samples_.front();
  if (now <= old.wall || position.time <= old.time) return;
  evaluations_per_second_ = (evaluations_ - old.evaluations) / (now - old.wall);
  seconds_left_ = (duration_ - position.time) * (now - old.wall) / (position.time - old.time);
}

std::string Progress::line(const RunPosition& position, const std::string& note) const {
  std::string rest = fmt::format("   {}   {} {}   t {:.3f}/{:.3f} s   dt {} s", device_, grouped(position.items),
                                 units_.items, position.time, duration_, scientific(position.dt));
  if (duration_ < 0.1)  // fixed-point seconds would show too few digits
    rest = fmt::format("   {}   {} {}   t {:.4g}/{:.4g} s   dt {} s", device_, grouped(position.items), units_.items,
                       position.time, duration_, scientific(position.dt));
  rest += fmt::format("   {} {}/s   ETA {}   {}", scientific(evaluations_per_second_), units_.evaluations,
                      clock_time(seconds_left_), note);
  const auto width = static_cast<std::size_t>(options_.width > 0 ? options_.width : 10000);
  std::string name = name_.substr(0, width);
  rest = rest.substr(0, width - name.size());
  return options_.color ? fmt::format("\x1b[1m{}\x1b[0m{}", name, rest) : name + rest;
}

void Progress::update(const RunPosition& position, const std::string& note) {
  measure(position);
  if (!options_.out) return;
  const double wait = options_.terminal ? seconds_between_rewrites : seconds_between_lines;
  if (watch_.seconds() < last_shown_ + wait) return;
  last_shown_ = watch_.seconds();
  const std::string shown = line(position, note);
  if (options_.terminal)
    *options_.out << '\r' << shown << "\x1b[K" << std::flush;
  else
    *options_.out << shown << std::endl;
  line_is_open_ = options_.terminal;
}

void Progress::finish() {
  if (line_is_open_) *options_.out << std::endl;
  line_is_open_ = false;
}

}  // namespace shoal::io
