// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <fstream>
#include <shoal/io/json.hpp>

#include "io/run/progress/progress.hpp"

namespace shoal::io {

/// Machine-readable log of a run: one JSON object per line. Without a file, the log is disabled.
class RunLog {
 public:
  RunLog() = default;
  RunLog(std::filesystem::path file, bool append);

  /// Writes a line with the event name, the position and further members.
  /// @param items  name of the items that the position counts: "particles"
  void write(const char* event, const RunPosition& position, const char* items, const JsonObject& more);

 private:
  std::filesystem::path file_;
  std::ofstream out_;
};

}  // namespace shoal::io
