// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "support/scratch_folder.hpp"

// Programs as a user meets them: their output, their files and their exit codes.
namespace shoal::testing_support {

/// Result of a program.
struct Result {
  int code = 0;      ///< exit code; 128 plus the number of the signal that ended the program
  std::string text;  ///< standard output and standard error
};

inline void PrintTo(const Result& result, std::ostream* out) {
  *out << "exit code " << result.code << " and output:\n" << result.text;
}

/// Runs a command line of the shell.
inline Result shell(const std::string& command) {
  Result result;
  std::FILE* pipe = ::popen(("exec 2>&1; " + command).c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) result.text += static_cast<char>(c);
  const int status = ::pclose(pipe);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

#ifdef SHOAL_EXECUTABLE
inline Result run_shoal(const std::string& arguments) { return shell(SHOAL_EXECUTABLE " " + arguments); }
#endif
#ifdef SHOAL_BENCH_EXECUTABLE
/// Files of shoal-bench are written whether or not the sources have changed.
inline Result run_bench(const std::string& arguments) {
  const bool writes_files = arguments.find("--out") != std::string::npos;
  return shell(SHOAL_BENCH_EXECUTABLE " " + arguments + (writes_files ? " --allow-dirty" : ""));
}
#endif

/// Matches a Result with exit code 0 whose output matches `text`.
MATCHER_P(Prints, text, "succeeds and prints text that " + testing::DescribeMatcher<std::string>(text, negation)) {
  return arg.code == 0 && testing::ExplainMatchResult(text, arg.text, result_listener);
}

/// Matches a Result with exit code 0.
MATCHER(Succeeds, "ends with exit code 0") { return arg.code == 0; }

/// Matches a Result with this exit code and a message that contains `part`.
MATCHER_P2(FailsWith, code, part, "ends with exit code " + testing::PrintToString(code) + " and the message " + part) {
  return arg.code == code && arg.text.find(part) != std::string::npos;
}

/// Matches a Result of bad input: exit code 2 and a message that contains `part`.
inline auto Refuses(const std::string& part) { return FailsWith(2, part); }

/// Lines of a CSV file, split into fields, without comments.
using CsvLines = std::vector<std::vector<std::string>>;

inline CsvLines read_csv(const std::filesystem::path& file) {
  CsvLines lines;
  std::istringstream in(read_text(file));
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream rest(line + ",");
    lines.emplace_back();
    for (std::string field; std::getline(rest, field, ',');) lines.back().push_back(field);
  }
  return lines;
}

/// Lines in which the field of column `column` is `value`.
inline CsvLines lines_with(CsvLines lines, std::size_t column, const std::string& value) {
  std::erase_if(lines, [&](const std::vector<std::string>& line) { return line.at(column) != value; });
  return lines;
}

/// Fixture of a program that works in a scratch folder.
struct CommandLineTest : testing::Test {
  ScratchFolder folder;
  std::string out = path("out");  ///< folder for the output

  std::string path(const std::string& name) const { return (folder / name).string(); }
  /// Writes a file of the scratch folder and returns its path.
  std::string write(const std::string& name, const std::string& content) const {
    write_text(folder / name, content);
    return path(name);
  }
  /// Content of a file in the folder for the output.
  std::string text_of(const std::string& name) const { return read_text(std::filesystem::path(out) / name); }
  bool has_output(const std::string& name) const { return std::filesystem::exists(std::filesystem::path(out) / name); }
};

}  // namespace shoal::testing_support
