// SPDX-License-Identifier: Apache-2.0
#include "io/run/progress/run_log.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/text.hpp"

namespace shoal::io {

RunLog::RunLog(std::filesystem::path file, bool append) : file_(std::move(file)) {
  if (file_.empty()) return;
  out_.open(file_, std::ios::out | (append ? std::ios::app : std::ios::trunc));
  require(out_.good(), file_.string(), ": cannot write this log: ", std::strerror(errno), ".");
}

void RunLog::write(const char* event, const RunPosition& position, const char* items, const JsonObject& more) {
  if (file_.empty()) return;
  JsonObject line;
  line.add("event", event).add("time", position.time).add("step", position.step).add("dt", position.dt);
  line.add(items, position.items);
  if (position.lost) line.add("lost", *position.lost);
  out_ << line.add(more).line() << std::endl;
  require(out_.good(), file_.string(), ": writing this log failed: ", std::strerror(errno), ".");
}

}  // namespace shoal::io
