// SPDX-License-Identifier: Apache-2.0
#include "io/formats/whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "core/text.hpp"

namespace shoal::io {

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  require(in.good(), file.string(), ": cannot be read: ", std::strerror(errno), ".");
  std::string content(std::filesystem::file_size(file), '\0');
  in.read(content.data(), static_cast<std::streamsize>(content.size()));
  require(in.good(), file.string(), ": cannot be read: ", std::strerror(errno), ".");
  return content;
}

void sync_to_disk(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  require(descriptor >= 0, file.string(), ": cannot be opened: ", std::strerror(errno), ".");
  const int failed = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  const bool has_no_sync = failed == EINVAL || failed == ENOTSUP;  // folders of some file systems
  require(failed == 0 || has_no_sync, file.string(), ": writing to the disk failed: ", std::strerror(failed), ".");
}

void start_sync_to_disk(const std::filesystem::path& file) noexcept {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);  // without effect on file systems that lack it
  ::close(descriptor);
}

void create_partial(const std::filesystem::path& partial) {
  ::unlink(partial.c_str());
  const int descriptor = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  require(descriptor >= 0, partial.string(), ": cannot be created: ", std::strerror(errno), ".");
  ::close(descriptor);
}

void rename_file(const std::filesystem::path& source, const std::filesystem::path& target) {
  std::error_code failed;
  std::filesystem::rename(source, target, failed);
  require(!failed, target.string(), ": writing failed: ", failed.message(), ".");
}

void write_whole_text(const std::filesystem::path& file, const std::string& content, bool sync) {
  const auto write = [&](const std::filesystem::path& partial) {
    std::ofstream out(partial, std::ios::binary | std::ios::trunc);
    out << content << std::flush;
    require(out.good(), file.string(), ": writing failed: ", std::strerror(errno),
            ". What was written before is kept.");
  };
  write_whole(file, write, sync);
}

}  // namespace shoal::io
