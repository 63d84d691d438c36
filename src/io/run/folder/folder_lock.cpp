// SPDX-License-Identifier: Apache-2.0
#include "io/run/folder/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "core/text.hpp"

namespace shoal::io {

namespace {

/// Returns true if an open file is still the one of that name, not a file that another run has removed.
bool is_current(int descriptor, const std::filesystem::path& file) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(file.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

std::string content_of(int descriptor) {
  char characters[64];
  const ssize_t count = ::pread(descriptor, characters, sizeof characters, 0);
  return count > 0 ? std::string(characters, static_cast<std::size_t>(count)) : "unknown";
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : file_(folder / ".lock") {
  while (true) {
    descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    require(descriptor_ >= 0, folder.string(), ": cannot write into this folder: ", std::strerror(errno), ".");
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      const std::string process = content_of(descriptor_);
      ::close(descriptor_);
      throw Error(text(folder.string(), ": another run writes into this folder (process ", process,
                       "). Wait for its end, or choose another folder."));
    }
    if (is_current(descriptor_, file_)) break;
    ::close(descriptor_);
  }
  const std::string process = text(::getpid());
  static_cast<void>(::ftruncate(descriptor_, 0) == 0 && ::pwrite(descriptor_, process.data(), process.size(), 0) > 0);
}

FolderLock::~FolderLock() {
  ::unlink(file_.c_str());
  ::close(descriptor_);
}

}  // namespace shoal::io
