// SPDX-License-Identifier: Apache-2.0
#include "io/formats/checked_read.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "io/formats/compression.hpp"
#include "io/formats/text/strings.hpp"

namespace shoal::io {

namespace {

/// Returns true if at least 1/1100 of a file is stored, as far as the system says which parts are.
bool is_stored(int descriptor, std::uint64_t size) {
#if defined(SEEK_DATA) && defined(SEEK_HOLE)
  std::uint64_t stored = 0;
  for (off_t position = 0; stored < size / most_packed;) {
    const off_t begin = ::lseek(descriptor, position, SEEK_DATA);
    if (begin < 0) return errno != ENXIO;  // ENXIO: no data follow
    position = ::lseek(descriptor, begin, SEEK_HOLE);
    if (position < 0) return true;
    stored += static_cast<std::uint64_t>(position - begin);
  }
#else
  (void)descriptor, (void)size;
#endif
  return true;
}

}  // namespace

void refuse_memory(const std::filesystem::path& file) {
  throw OutOfMemory(safe_message(text(file.string(), ": the memory is exhausted by the content of this file.",
                                      " Read a smaller file, or use a machine with more memory.")));
}

std::string safe_message(const std::string& message) {
  constexpr std::size_t longest = 2000;
  return printable(message.substr(0, longest)) + (message.size() > longest ? "..." : "");
}

void require_not_sparse(const std::filesystem::path& file) {
  constexpr std::uint64_t small = 1ULL << 20;
  std::error_code unknown;
  const std::uint64_t size = std::filesystem::file_size(file, unknown);
  if (unknown || size <= small) return;
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;  // the reader says why
  const bool stored = is_stored(descriptor, size);
  ::close(descriptor);
  require(stored, file.string(), ": the file has ", size, " bytes, and the disk stores less than 1/", most_packed,
          " of them: it is sparse. Write it whole.");
}

}  // namespace shoal::io
