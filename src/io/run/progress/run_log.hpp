// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/json.hpp>
#include <shoal/sph.hpp>

#include <filesystem>
#include <fstream>

namespace shoal::io {

/// What happens in a run, one JSON object a line, for programs that watch it. Does nothing without a file.
class RunLog {
 public:
  RunLog(std::filesystem::path file, bool append);

  /// A line that starts with the event's name and the clock.
  void write(const char* event, const sph::Clock& clock, const JsonObject& more = {});
  /// One that starts with the event's name.
  void write(const char* event, const JsonObject& more);

 private:
  std::filesystem::path file_;
  std::ofstream out_;
};

}  // namespace shoal::io
