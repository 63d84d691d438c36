// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace shoal::testing_support {

/// Copies a file to the folder that SHOAL_SEEDS names, if it is set: files of tests are seeds of tests/fuzz.
inline void keep_as_seed(const std::filesystem::path& file) {
  const char* const folder = std::getenv("SHOAL_SEEDS");
  constexpr std::uintmax_t largest_seed = 1 << 16;
  std::error_code ignored;
  if (!folder || !std::filesystem::is_regular_file(file, ignored)) return;
  static int number = 0;
  if (std::filesystem::file_size(file, ignored) <= largest_seed)
    std::filesystem::copy_file(
        file, std::filesystem::path(folder) / (std::to_string(number++) + file.extension().string()), ignored);
}

/// An empty folder that goes away with the test.
class ScratchFolder {
 public:
  ScratchFolder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(test->test_suite_name()) + "_" + test->name() + "_" + std::to_string(::getpid());
    for (char& c : name)
      if (c == '/') c = '_';
    path_ = std::filesystem::temp_directory_path() / ("shoal_" + name);
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(path_, ignored)) keep_as_seed(entry.path());
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  /// Message about a file of this folder, without the path of the folder at its begin.
  std::string without_path(const std::string& message) const {
    const std::string prefix = path_.string() + "/";
    return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

inline void write_text(const std::filesystem::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary) << content;
  keep_as_seed(file);
}

}  // namespace shoal::testing_support
