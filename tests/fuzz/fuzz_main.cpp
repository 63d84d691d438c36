// SPDX-License-Identifier: Apache-2.0
// Entry points of libFuzzer. SHOAL_FUZZ_TARGET names the reader.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "mutators.hpp"
#include "targets.hpp"

// These functions belong to libFuzzer's interface.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

const shoal::fuzz::Target& chosen_target() {
  const char* const name = std::getenv("SHOAL_FUZZ_TARGET");
  for (const shoal::fuzz::Target& target : shoal::fuzz::targets())
    if (name && std::strcmp(target.name, name) == 0) return target;
  std::fputs("SHOAL_FUZZ_TARGET must be one of", stderr);
  for (const shoal::fuzz::Target& target : shoal::fuzz::targets()) std::fprintf(stderr, " %s", target.name);
  std::fputs("\n", stderr);
  std::exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const shoal::fuzz::Target& target = chosen_target();
  if (shoal::fuzz::try_input(target, {data, size}) == shoal::fuzz::Outcome::out_of_memory) std::abort();
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  static const bool is_xml = std::strncmp(chosen_target().name, "vtk_xml", 7) == 0;
  if (!is_xml || seed % 2) return LLVMFuzzerMutate(data, size, max_size);
  std::mt19937 random(seed);
  const std::string xml = shoal::fuzz::mutated_xml({reinterpret_cast<const char*>(data), size}, random);
  if (xml.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, xml.data(), xml.size());
  return xml.size();
}
