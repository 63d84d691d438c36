// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/wait.h>

#include <cstdio>
#include <string>

namespace shoal::testing_support {

struct Result {
  int code = 0;
  std::string text;  ///< of both streams
};

inline Result shell(const std::string& command) {
  Result result;
  std::FILE* pipe = ::popen(("exec 2>&1; " + command).c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) result.text += static_cast<char>(c);
  const int status = ::pclose(pipe);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

inline Result run_shoal(const std::string& arguments) { return shell(std::string(SHOAL_EXECUTABLE) + " " + arguments); }

}  // namespace shoal::testing_support
