// SPDX-License-Identifier: Apache-2.0
// Preloaded library that makes one call on a file of a folder fail, or kills the process there.
//
//   SHOAL_FAULT_FOLDER  calls on files below this folder count
//   SHOAL_FAULT_CALL    number of the call, from 1
//   SHOAL_FAULT_KIND    kill: SIGKILL before the call; tear: SIGKILL after half of a write; ENOSPC, EIO: the call fails
//   SHOAL_FAULT_COUNT   file that receives the number of calls when the process exits
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

std::atomic<long> calls{0};

const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

struct Report {
  ~Report() {
    const char* file = setting("SHOAL_FAULT_COUNT");
    if (!*file) return;
    if (std::FILE* out = std::fopen(file, "w")) {
      std::fprintf(out, "%ld\n", calls.load());
      std::fclose(out);
    }
  }
} report;

bool is_below(const char* path) {
  const std::string folder = setting("SHOAL_FAULT_FOLDER");
  return !folder.empty() && std::strncmp(path, folder.c_str(), folder.size()) == 0;
}

bool is_below(int descriptor) {
  char path[PATH_MAX];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = ::readlink(link.c_str(), path, sizeof path - 1);
  if (length <= 0) return false;
  path[length] = 0;
  return is_below(path);
}

[[noreturn]] void end_process() {
  ::kill(::getpid(), SIGKILL);
  while (true) ::pause();
}

/// Counts a call. Returns true if it is to fail, with errno set.
bool fails(std::size_t bytes, void (*half)(const void*, std::size_t), const void* call) {
  static const long chosen = std::atol(setting("SHOAL_FAULT_CALL"));
  if (++calls != chosen) return false;
  const std::string kind = setting("SHOAL_FAULT_KIND");
  if (kind == "tear" && half) half(call, bytes / 2);
  if (kind == "kill" || kind == "tear") end_process();
  errno = kind == "ENOSPC" ? ENOSPC : EIO;
  return true;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

struct Write {
  int descriptor;
  const void* data;
  off_t offset;  ///< negative: at the position of the file
};

void write_half(const void* call, std::size_t bytes) {
  const auto& write = *static_cast<const Write*>(call);
  static_cast<void>(write.offset < 0
                        ? next<ssize_t (*)(int, const void*, size_t)>("write")(write.descriptor, write.data, bytes)
                        : next<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite")(write.descriptor, write.data,
                                                                                       bytes, write.offset));
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* data, size_t bytes) {
  const Write call{descriptor, data, -1};
  if (is_below(descriptor) && fails(bytes, write_half, &call)) return -1;
  return next<ssize_t (*)(int, const void*, size_t)>("write")(descriptor, data, bytes);
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  if (is_below(descriptor) && fails(0, nullptr, nullptr)) return -1;
  return next<ssize_t (*)(int, const iovec*, int)>("writev")(descriptor, parts, count);
}

ssize_t pwrite(int descriptor, const void* data, size_t bytes, off_t offset) {
  const Write call{descriptor, data, offset};
  if (is_below(descriptor) && fails(bytes, write_half, &call)) return -1;
  return next<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite")(descriptor, data, bytes, offset);
}

ssize_t pwrite64(int descriptor, const void* data, size_t bytes, off64_t offset) {
  return pwrite(descriptor, data, bytes, offset);
}

int fsync(int descriptor) {
  if (is_below(descriptor) && fails(0, nullptr, nullptr)) return -1;
  return next<int (*)(int)>("fsync")(descriptor);
}

int ftruncate(int descriptor, off_t size) noexcept {
  if (is_below(descriptor) && fails(0, nullptr, nullptr)) return -1;
  return next<int (*)(int, off_t)>("ftruncate")(descriptor, size);
}

int ftruncate64(int descriptor, off64_t size) noexcept { return ftruncate(descriptor, size); }

int rename(const char* old_name, const char* new_name) noexcept {
  if (is_below(new_name) && fails(0, nullptr, nullptr)) return -1;
  return next<int (*)(const char*, const char*)>("rename")(old_name, new_name);
}

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  if (is_below(descriptor) && fails(0, nullptr, nullptr)) return -1;
  return next<int (*)(int, int, off_t, off_t)>("fallocate")(descriptor, mode, offset, length);
}

int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) {
  return fallocate(descriptor, mode, offset, length);
}

}  // extern "C"
