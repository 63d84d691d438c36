// SPDX-License-Identifier: Apache-2.0
#include "support/process/installation.hpp"

#include <unistd.h>

#include <cerrno>

namespace shoal::cli {

std::filesystem::path this_program() {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed);
}

std::optional<std::filesystem::path> installed_folder(const std::string& name, const char* file) {
  const std::filesystem::path prefix = this_program().parent_path().parent_path();
  std::vector<std::filesystem::path> folders = {prefix / "share/shoal" / name, prefix / name};
  if (prefix.filename().string().starts_with("shoal_cuda")) folders.push_back(prefix.parent_path() / "shoal" / name);
  std::error_code failed;
  for (const std::filesystem::path& folder : folders)
    if (std::filesystem::exists(folder / file, failed)) return folder;
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
