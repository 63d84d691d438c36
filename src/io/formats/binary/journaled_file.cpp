// SPDX-License-Identifier: Apache-2.0
#include "io/formats/binary/journaled_file.hpp"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "io/formats/binary/hdf5.hpp"
#include "io/formats/file_checksum.hpp"
#include "io/formats/whole_file.hpp"

namespace shoal::io::hdf5 {

namespace {

constexpr haddr_t page_size = 4096;

using Page = std::array<char, page_size>;
using Pages = std::map<haddr_t, Page>;  ///< pages and their numbers

/// Reads or writes all bytes of a range. Bytes beyond the end of the file are read as 0.
bool read_all(int descriptor, char* bytes, std::size_t size, haddr_t address) {
  while (size > 0) {
    const ssize_t count = ::pread(descriptor, bytes, size, static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) {
      std::fill_n(bytes, size, '\0');
      return true;
    }
    bytes += count, size -= static_cast<std::size_t>(count), address += static_cast<haddr_t>(count);
  }
  return true;
}

bool write_all(int descriptor, const char* bytes, std::size_t size, haddr_t address) {
  while (size > 0) {
    const ssize_t count = ::pwrite(descriptor, bytes, size, static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count, size -= static_cast<std::size_t>(count), address += static_cast<haddr_t>(count);
  }
  return true;
}

haddr_t size_of(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 ? static_cast<haddr_t>(status.st_size) : 0;
}

std::filesystem::path journal_of(std::string file) {
  const std::string partial = ".partial";  // suffix of a file that does not have its name yet
  if (file.ends_with(partial)) file.resize(file.size() - partial.size());
  return file + ".journal";
}

/// Journal as bytes: size of the file after the flush, then number and content of each page.
std::string journal_text(haddr_t end, const Pages& pages) {
  std::string bytes(reinterpret_cast<const char*>(&end), sizeof end);
  for (const auto& [number, page] : pages) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    bytes.append(page.data(), page.size());
  }
  return bytes;
}

/// Writes the pages into a file of `end` bytes.
bool apply(int descriptor, haddr_t end, const Pages& pages) {
  if (size_of(descriptor) < end && ::ftruncate(descriptor, static_cast<off_t>(end)) != 0) return false;
  for (const auto& [number, page] : pages) {
    const haddr_t address = number * page_size;
    if (address >= end) continue;
    if (!write_all(descriptor, page.data(), std::min(page_size, end - address), address)) return false;
  }
  return size_of(descriptor) == end || ::ftruncate(descriptor, static_cast<off_t>(end)) == 0;
}

/// An open file. HDF5 passes its first member to the functions of the driver.
struct File {
  H5FD_t base{};
  int descriptor = -1;
  std::filesystem::path journal;
  bool may_write = false;
  int failed = 0;         ///< errno of the first failed write, after which nothing more is written
  haddr_t allocated = 0;  ///< end of the space that HDF5 uses
  haddr_t end = 0;        ///< end of the bytes that HDF5 has written
  haddr_t committed = 0;  ///< end of the file of the last flush
  Pages changed = {};     ///< pages below `committed` that changed since the last flush

  bool is_kept(haddr_t page) const { return page * page_size < committed; }

  Page& changed_page(haddr_t number) {
    const auto [page, is_new] = changed.try_emplace(number);
    if (is_new && !read_all(descriptor, page->second.data(), page_size, number * page_size)) fail();
    return page->second;
  }

  /// Writes bytes. The next flush reports an error, because HDF5 cannot close a dataset whose writes fail.
  void write(haddr_t address, std::size_t size, const char* bytes) {
    if (!may_write) return;
    end = std::max<haddr_t>(end, address + size);
    while (size > 0 && is_kept(address / page_size)) {
      const haddr_t offset = address % page_size;
      const std::size_t count = std::min<std::size_t>(size, page_size - offset);
      std::copy_n(bytes, count, changed_page(address / page_size).data() + offset);
      bytes += count, size -= count, address += count;
    }
    if (failed == 0 && size > 0 && !write_all(descriptor, bytes, size, address)) fail();
  }

  bool read(haddr_t address, std::size_t size, char* bytes) const {
    if (!read_all(descriptor, bytes, size, address)) return false;
    const haddr_t behind = address + size;
    for (auto page = changed.lower_bound(address / page_size); page != changed.end(); ++page) {
      const haddr_t first = page->first * page_size;
      if (first >= behind) break;
      const haddr_t from = std::max(first, address), to = std::min(first + page_size, behind);
      std::copy_n(page->second.data() + (from - first), to - from, bytes + (from - address));
    }
    return true;
  }

  /// Makes all changes permanent.
  bool commit() {
    if (failed != 0) return false;
    if (!may_write) return true;
    if (size_of(descriptor) < allocated && ::ftruncate(descriptor, static_cast<off_t>(allocated)) != 0) return fail();
    if (!changed.empty()) {
      try {
        const auto write = [&](const std::filesystem::path& partial) {
          write_with_checksum(partial, journal_text(allocated, changed));
        };
        write_whole(journal, write, false);
      } catch (const std::exception&) {
        return fail();
      }
    }
    if (!apply(descriptor, allocated, changed)) return fail();
    if (!changed.empty() && ::unlink(journal.c_str()) != 0) return fail();
    changed.clear();
    committed = end = allocated;
    return true;
  }

  bool fail() {
    if (failed == 0) failed = errno != 0 ? errno : EIO;
    return false;
  }
};

File& file_of(H5FD_t* base) { return *reinterpret_cast<File*>(base); }
const File& file_of(const H5FD_t* base) { return *reinterpret_cast<const File*>(base); }
herr_t result(bool succeeded) { return succeeded ? 0 : -1; }

H5FD_t* open(const char* name, unsigned flags, hid_t, haddr_t) {
  int mode = flags & H5F_ACC_RDWR ? O_RDWR : O_RDONLY;
  if (flags & H5F_ACC_TRUNC) mode |= O_TRUNC;
  if (flags & H5F_ACC_CREAT) mode |= O_CREAT;
  if (flags & H5F_ACC_EXCL) mode |= O_EXCL;
  const int descriptor = ::open(name, mode | O_CLOEXEC, 0666);
  if (descriptor < 0) return nullptr;
  auto* file = new File;
  file->descriptor = descriptor;
  file->journal = journal_of(name);
  file->may_write = flags & H5F_ACC_RDWR;
  file->committed = file->end = size_of(descriptor);
  return &file->base;
}

herr_t close(H5FD_t* base) {
  const int closed = ::close(file_of(base).descriptor);
  delete &file_of(base);
  return closed;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  struct stat first {
  }, second{};
  if (::fstat(file_of(a).descriptor, &first) != 0 || ::fstat(file_of(b).descriptor, &second) != 0)
    return a < b ? -1 : 1;
  if (first.st_dev != second.st_dev) return first.st_dev < second.st_dev ? -1 : 1;
  if (first.st_ino != second.st_ino) return first.st_ino < second.st_ino ? -1 : 1;
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  // Without a sieve buffer, which would hold values that other ranks change in the file, and without blocks of small
  // data, whose rest HDF5 forgets when the process is killed: the bytes of a resumed run would differ.
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA;
  return 0;
}

haddr_t allocated_end(const H5FD_t* base, H5FD_mem_t) { return file_of(base).allocated; }

herr_t set_allocated_end(H5FD_t* base, H5FD_mem_t, haddr_t address) {
  file_of(base).allocated = address;
  return 0;
}

haddr_t file_end(const H5FD_t* base, H5FD_mem_t) { return file_of(base).end; }

herr_t read(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* bytes) {
  return result(file_of(base).read(address, size, static_cast<char*>(bytes)));
}

herr_t write(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* bytes) {
  file_of(base).write(address, size, static_cast<const char*>(bytes));
  return 0;
}

/// HDF5 cannot close a file whose last flush fails. An error of an earlier flush was reported then.
herr_t flush(H5FD_t* base, hid_t, hbool_t is_closing) {
  File& file = file_of(base);
  if (file.commit() || is_closing) return 0;
  H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_VFL, H5E_WRITEERROR, "%s",
           std::strerror(file.failed));
  return -1;
}

herr_t truncate(H5FD_t* base, hid_t, hbool_t) {
  File& file = file_of(base);
  file.end = std::max(file.end, file.allocated);  // the file gets its size when it is committed
  return 0;
}

herr_t get_handle(H5FD_t* base, hid_t, void** handle) {
  *handle = &file_of(base);
  return 0;
}

herr_t lock(H5FD_t*, hbool_t) { return 0; }
herr_t unlock(H5FD_t*) { return 0; }

H5FD_class_t make_driver() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(H5_VFD_RESERVED + 1);
#endif
  driver.name = "shoal_journal";
  driver.maxaddr = (static_cast<haddr_t>(1) << 62) - 1;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.open = open;
  driver.close = close;
  driver.cmp = compare;
  driver.query = query;
  driver.get_eoa = allocated_end;
  driver.set_eoa = set_allocated_end;
  driver.get_eof = file_end;
  driver.read = read;
  driver.write = write;
  driver.flush = flush;
  driver.truncate = truncate;
  driver.get_handle = get_handle;
  driver.lock = lock;
  driver.unlock = unlock;
  const H5FD_mem_t kinds[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::copy_n(kinds, static_cast<std::size_t>(H5FD_MEM_NTYPES), driver.fl_map);
  return driver;
}

}  // namespace

void use_journal(hid_t access) {
  static const H5FD_class_t driver = make_driver();
  static const hid_t number = check(H5FDregister(&driver), "registering the file driver");
  check(H5Pset_driver(access, number, nullptr), "selecting the file driver");
}

void finish_journaled(hid_t file) {
  check(H5Fflush(file, H5F_SCOPE_GLOBAL), "flushing");
  void* handle = nullptr;
  check(H5Fget_vfd_handle(file, H5P_DEFAULT, &handle), "finishing the file");
  static_cast<File*>(handle)->may_write = false;
}

void complete_journal(const std::filesystem::path& file) {
  const std::filesystem::path journal = journal_of(file.string());
  std::error_code ignored;
  std::filesystem::remove(partial_of(journal), ignored);  // of a process that was killed while it wrote a journal
  if (!std::filesystem::exists(journal)) return;
  const std::string bytes = read_whole(journal);
  Pages pages;
  haddr_t end = 0;
  std::memcpy(&end, bytes.data(), std::min(bytes.size(), sizeof end));
  const std::size_t entry = sizeof(haddr_t) + page_size;
  for (std::size_t first = sizeof end; first + entry <= bytes.size(); first += entry) {
    haddr_t number = 0;
    std::memcpy(&number, bytes.data() + first, sizeof number);
    std::copy_n(bytes.data() + first + sizeof number, page_size, pages[number].data());
  }
  require_checksum(journal);
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  require(descriptor >= 0, file.string(), ": cannot be opened: ", std::strerror(errno), ".");
  const bool succeeded = apply(descriptor, end, pages);
  const int failed = errno;
  ::close(descriptor);
  require(succeeded, file.string(), ": writing failed: ", std::strerror(failed), ".");
  std::filesystem::remove(journal);
}

}  // namespace shoal::io::hdf5
