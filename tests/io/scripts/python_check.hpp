// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace shoal::testing_support {

/// Runs a script of tests/io with the Python that has h5py and NumPy. Returns its output if it fails, otherwise an
/// empty text.
inline std::string complaints_of(const std::string& script_and_arguments) {
  const std::string command = std::string(SHOAL_PYTHON) + " " + SHOAL_SCRIPTS + "/" + script_and_arguments + " 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::string said;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
  const int code = ::pclose(pipe);
  return code == 0 ? "" : said + "exit code " + std::to_string(code);
}

}  // namespace shoal::testing_support

#define SKIP_WITHOUT_H5PY() \
  if (std::string(SHOAL_PYTHON).empty()) GTEST_SKIP() << "no Python with h5py was found at configure time"
