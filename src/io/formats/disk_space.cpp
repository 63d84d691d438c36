// SPDX-License-Identifier: Apache-2.0
#include "io/formats/disk_space.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/text.hpp"

namespace shoal::io {

namespace {

/// Allocates `bytes` after the end of the file without changing its size. Returns 0 on success, otherwise errno.
int allocate_behind_end(const std::filesystem::path& file, std::uint64_t bytes) {
#ifdef __linux__
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const off_t size = ::lseek(descriptor, 0, SEEK_END);
  rlimit limit{};
  const bool limited = ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  if (limited && static_cast<std::uint64_t>(size) + bytes > limit.rlim_cur) {
    ::close(descriptor);
    return EFBIG;
  }
  const int failed = ::fallocate(descriptor, FALLOC_FL_KEEP_SIZE, size, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  ::close(descriptor);
  return failed;
#else
  (void)file, (void)bytes;
  return EOPNOTSUPP;
#endif
}

}  // namespace

void reserve_space(const std::filesystem::path& file, std::uint64_t bytes) {
  const int failed = allocate_behind_end(file, bytes);
  if (failed == 0) return;
  std::error_code ignored;
  const auto space = std::filesystem::space(file, ignored);
  if (failed == EOPNOTSUPP || failed == ENOSYS) {  // file systems that cannot preallocate
    require(ignored || space.available >= bytes, file.string(), ": no room on the disk: the next ",
            static_cast<double>(bytes) / 1e6, " MB do not fit into the ", static_cast<double>(space.available) / 1e6,
            " MB that are free.");
    return;
  }
  throw Error(text(file.string(), ": no room for the next ", static_cast<double>(bytes) / 1e6,
                   " MB: ", std::strerror(failed), ". What was written before is kept."));
}

}  // namespace shoal::io
