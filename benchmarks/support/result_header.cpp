// SPDX-License-Identifier: Apache-2.0
#include "support/result_header.hpp"

#include <omp.h>
#include <shoal/device.hpp>
#include <shoal/version.hpp>

#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/device/processor.hpp"
#include "core/text.hpp"
#include "shoal_build_commit.hpp"

namespace shoal::benchmarks {

namespace {

/// GPUs and processor, with the threads that this program may use, which can be fewer than the machine has.
std::string machine() {
  std::vector<std::string> devices;
  for (int index = 0; index < cuda_device_count(); ++index) {
    const std::string name = Queue::cuda(index).name();  // "cuda:0 NVIDIA H200"
    devices.push_back(name.substr(name.find(' ') + 1));
  }
  const std::string processor = processor_name();
  devices.push_back(processor.empty() ? "unknown processor" : processor);
  return text(join(devices, "; "), ", ", omp_get_num_procs(), " threads");
}

/// First line that a command prints; empty if it prints none.
std::string first_line(const char* command) {
  std::FILE* const pipe = ::popen(command, "r");
  if (pipe == nullptr) return {};
  std::array<char, 256> buffer{};
  std::string line = std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe) ? buffer.data() : "";
  ::pclose(pipe);
  return line.substr(0, line.find('\n'));
}

std::string driver() {
  if (cuda_device_count() == 0) return "none";
  const std::string version = first_line("nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null");
  return text(version.empty() ? "unknown" : version, ", ", cuda_description());
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> buffer{};
  return {buffer.data(), std::strftime(buffer.data(), buffer.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/// Words of the command line, from Linux; arguments with spaces are quoted.
std::string command() {
  std::ifstream in("/proc/self/cmdline");
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) {
    if (words.empty()) word = std::filesystem::path(word).filename();
    words.push_back(word.find(' ') == std::string::npos ? word : "'" + word + "'");
  }
  return join(words, " ");
}

}  // namespace

std::vector<std::pair<std::string, std::string>> ResultHeader::fields() const {
  return {{"schema", "1"},    {"machine", machine}, {"driver", driver},  {"compiler", compiler},
          {"commit", commit}, {"date", date},       {"command", command}};
}

std::vector<std::string> ResultHeader::lines() const {
  std::vector<std::string> lines;
  for (const auto& [name, value] : fields()) lines.push_back(text(name, ": ", value));
  return lines;
}

const ResultHeader& result_header() {
  static const ResultHeader header{machine(),          driver(),  std::string(compiler()),
                                   shoal_build_commit, utc_now(), command()};
  return header;
}

void require_clean(const std::string& commit, bool is_dirty_kept) {
  require(is_dirty_kept || !commit.ends_with("-dirty"), "the sources differ from their commit, ", commit,
          ": a result file must come from a commit. Commit the changes and build again, or add --allow-dirty; pages "
          "refuse such a file.");
}

}  // namespace shoal::benchmarks
