// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <fstream>
#include <shoal/io/json.hpp>

#include "io/run/progress/progress.hpp"

namespace shoal::io {

/// Log of a run for other programs: one JSON object a line. Without a file it does nothing.
class RunLog {
 public:
  RunLog(std::filesystem::path file, bool append);

  /// Writes a line with the event's name, the position and more.
  /// @param items  name of the items that the position counts: "particles"
  void write(const char* event, const RunPosition& position, const char* items, const JsonObject& more);

 private:
  std::filesystem::path file_;
  std::ofstream out_;
};

}  // namespace shoal::io
