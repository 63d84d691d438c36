// SPDX-License-Identifier: Apache-2.0
#include "support/installation.hpp"

#include <unistd.h>

#include <cerrno>

namespace shoal::cli {

namespace {

std::filesystem::path this_program() {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed);
}

}  // namespace

std::optional<std::filesystem::path> installed_folder(std::initializer_list<const char*> folders, const char* file) {
  std::error_code failed;
  std::filesystem::path above = this_program();
  while (above.has_relative_path()) {
    above = above.parent_path();
    for (const char* folder : folders)
      if (std::filesystem::exists(above / folder / file, failed)) return above / folder;
  }
  return std::nullopt;
}

std::string sibling_program(const std::string& name) {
  const std::filesystem::path sibling = this_program().parent_path() / name;
  return ::access(sibling.c_str(), X_OK) == 0 ? sibling.string() : name;
}

int execute(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp(program.c_str(), pointers.data());
  return errno;
}

}  // namespace shoal::cli
