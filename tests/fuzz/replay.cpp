// SPDX-License-Identifier: Apache-2.0
// Reads seeds, mutations of seeds and all files of SHOAL_MALFORMED with any compiler: replay SEEDS [INPUTS], with at
// most INPUTS seeds and INPUTS mutations for each reader, 300 by default. An allocation beyond the limit below, a signal
// or an exception other than Error fails.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "mutators.hpp"
#include "targets.hpp"

namespace {

/// Largest allocation in bytes. The files have at most 100 KB, and zlib compresses by at most a factor of 1032.
constexpr std::size_t largest_allocation = std::size_t{1} << 27;

}  // namespace

void* operator new(std::size_t bytes) {
  void* const memory = bytes > largest_allocation ? nullptr : std::malloc(bytes ? bytes : 1);
  if (!memory) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace shoal::fuzz {

namespace {

using Path = std::filesystem::path;

std::string content_of(const Path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Extension of a seed. libFuzzer appends "-crash-" and a checksum to the names of its findings.
std::string extension_of(const Path& file) {
  const std::string name = file.filename().string();
  return Path(name.substr(0, name.find("-crash-"))).extension().string();
}

/// Contents of the files below a folder, by extension, in the order of their names.
void add_files(std::map<std::string, std::vector<std::string>>& seeds, const Path& folder) {
  std::vector<Path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const Path& file : files) seeds[extension_of(file)].push_back(content_of(file));
}

class Replay {
 public:
  explicit Replay(const Target& target) : target_(target) {}

  /// Reads up to `inputs` seeds, spread evenly.
  void read_seeds(const std::vector<std::string>& seeds, std::size_t inputs) {
    const std::size_t count = std::min(inputs, seeds.size());
    for (std::size_t i = 0; i < count; ++i) read(seeds[i * seeds.size() / count]);
  }

  /// Reads mutations of the seeds. A library may crash on changed bytes of its format: its inputs are descriptions.
  void read_mutations(const std::vector<std::string>& seeds, std::size_t inputs) {
    if (target_.has_library && !target_.is_described) return;
    std::mt19937 random(1);  // the same inputs in every run
    for (std::size_t i = 0; i < inputs; ++i) {
      const bool is_xml = std::string_view(target_.name).starts_with("vtk_xml");
      std::string input = seeds.empty() || target_.is_described ? random_bytes(random) : seeds[random() % seeds.size()];
      for (int round = 0; round < 1 + static_cast<int>(random() % 3); ++round)
        input = is_xml && random() % 2 ? mutated_xml(input, random) : mutated_bytes(input, random);
      read(input);
    }
  }

  /// Prints the counts. Returns true if no input exhausted the memory.
  bool report() const {
    std::printf("%-24s %6zu inputs: %6zu read, %6zu refused, %zu out of memory\n", target_.name,
                counts_[0] + counts_[1] + counts_[2], counts_[0], counts_[1], counts_[2]);
    return counts_[2] == 0;
  }

 private:
  static std::string random_bytes(std::mt19937& random) {
    std::string bytes(random() % 96, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    return bytes;
  }

  void read(const std::string& input) {
    const Outcome outcome = try_input(target_, {reinterpret_cast<const std::uint8_t*>(input.data()), input.size()});
    ++counts_[static_cast<std::size_t>(outcome)];
    if (outcome != Outcome::out_of_memory) return;
    std::ofstream(std::string(target_.name) + "-out-of-memory", std::ios::binary) << input;
  }

  const Target& target_;
  std::size_t counts_[3] = {};
};

int replay_all(const Path& folder, std::size_t inputs) {
  std::map<std::string, std::vector<std::string>> seeds, malformed;
  add_files(seeds, folder);
  if (const char* const malformed_folder = std::getenv("SHOAL_MALFORMED")) add_files(malformed, malformed_folder);
  bool passed = true;
  for (const Target& target : targets()) {
    const std::string extension = Path(target.file_name).extension().string();
    const std::vector<std::string>& own_seeds = seeds[extension];
    std::printf("%s\n", target.name);
    std::fflush(stdout);  // a crash happens below the name of its reader
    Replay replay(target);
    if (!target.is_described) {
      replay.read_seeds(own_seeds, inputs);
      replay.read_seeds(malformed[extension], malformed[extension].size());
    }
    replay.read_mutations(own_seeds, inputs);
    passed = replay.report() && passed;
  }
  return passed ? 0 : 1;
}

}  // namespace

}  // namespace shoal::fuzz

int main(int count, char** arguments) {
  if (count < 2 || count > 3) {
    std::fputs("usage: replay SEEDS [INPUTS]\n", stderr);
    return 2;
  }
  return shoal::fuzz::replay_all(arguments[1], count == 3 ? std::strtoul(arguments[2], nullptr, 10) : 300);
}
