// SPDX-License-Identifier: Apache-2.0
#include "io/formats/binary/shared_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <numeric>

#include "core/communication/rank_group.hpp"
#include "core/text.hpp"
#include "io/formats/file_checksum.hpp"
#include "io/formats/whole_file.hpp"
#include "ranks/agree_naming_rank.hpp"

namespace shoal::io::hdf5 {

#ifdef SHOAL_PARALLEL_HDF5

const bool is_parallel = true;

namespace {

/// Number, size and time of the last change of a file, which no two files share.
using FileIdentity = std::array<std::int64_t, 4>;

/// Identity of a file; zeros if this rank does not see it.
FileIdentity identity_of(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return {};
  return {static_cast<std::int64_t>(status.st_ino), status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

bool all_see(const Communicator& ranks, const std::filesystem::path& file) {
  const FileIdentity seen = identity_of(file);
  FileIdentity first = seen;
  ranks.group().broadcast(first.data(), sizeof first, 0);
  std::array<std::uint64_t, 1> differs{seen == first && seen[0] != 0 ? 0U : 1U};
  ranks.group().all_max(differs);
  return differs[0] == 0;
}

constexpr hsize_t most_rows = 1 << 20;  ///< largest number of rows of a call of HDF5

/// Opens a file on this rank by MPI-IO. HDF5 would wait without a deadline for the other ranks of a larger communicator.
Handle open_alone(const std::filesystem::path& file) {
  const std::string what = file.string() + ": opening on all ranks";
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, what);
  check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), what);
  check(H5Pset_fapl_mpio(access, MPI_COMM_SELF, MPI_INFO_NULL), what);
  return {H5Fopen(file.c_str(), H5F_ACC_RDWR, access), H5Fclose, what};
}

/// First bytes of a file, in which HDF5 marks that a file is open. It writes no other metadata of a shared file.
using Superblock = std::array<char, 96>;

Superblock superblock_of(const std::filesystem::path& file) {
  Superblock bytes{};
  std::ifstream(file, std::ios::binary).read(bytes.data(), bytes.size());
  return bytes;
}

/// Gives a file the first bytes that it has without shared writing.
void restore(const std::filesystem::path& file, const Superblock& bytes) {
  std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
  out.write(bytes.data(), bytes.size()).flush();
  require(out.good(), file.string(), ": writing failed: ", std::strerror(errno), ".");
}

/// Writes rows of this rank. It needs no other rank.
void write_rows(hid_t file, const SharedRows& array) {
  const Rows rows(file, array.dataset);
  const auto count = static_cast<hsize_t>(array.count), first = static_cast<hsize_t>(array.first);
  const std::size_t row_bytes = H5Tget_size(array.type) * std::max<hsize_t>(1, rows.columns());
  std::vector<std::int64_t> numbers;
  for (hsize_t begin = 0; begin < count; begin += most_rows) {
    const hsize_t piece = std::min(most_rows, count - begin);
    const void* values = static_cast<const char*>(array.values) + begin * row_bytes;
    if (!array.values) {
      numbers.resize(piece);
      std::iota(numbers.begin(), numbers.end(), array.first_number + static_cast<std::int64_t>(begin));
      values = numbers.data();
    }
    rows.write(values, array.type, first + begin, piece);
  }
}

}  // namespace

bool can_share(const Communicator& ranks, const std::filesystem::path& file) {
  return ranks.size() > 1 && ranks.group().are_processes() && all_see(ranks, file);
}

void write_shared(const Communicator& ranks, const std::filesystem::path& file, const std::vector<SharedRows>& arrays) {
  const Quiet quiet;
  const Superblock superblock = superblock_of(file);
  ranks.agree([] {});  // rank 0 has read the superblock
  agree_naming_rank(ranks, [&] {
    Handle opened = open_alone(file);
    for (const SharedRows& array : arrays) write_rows(opened, array);
    opened.close(file.string() + ": closing");
  });
  agree_naming_rank(ranks, [&] {
    if (ranks.rank() == 0) restore(file, superblock);
    sync_to_disk(file);
  });
}

#else

const bool is_parallel = false;

bool can_share(const Communicator&, const std::filesystem::path&) { return false; }

void write_shared(const Communicator&, const std::filesystem::path& file, const std::vector<SharedRows>&) {
  throw Error(file.string() + ": this build of shoal has no parallel HDF5.");
}

#endif

std::uint64_t crc_of_shared(const Communicator& ranks, const std::filesystem::path& file) {
  struct Part {
    std::uint64_t crc = 0, size = 0;
  };
  Part part;
  agree_naming_rank(ranks, [&] {
    const std::uint64_t size = std::filesystem::file_size(file);
    const auto rank = static_cast<std::uint64_t>(ranks.rank()), count = static_cast<std::uint64_t>(ranks.size());
    const std::uint64_t first = size / count * rank;
    part.size = (rank + 1 == count ? size : first + size / count) - first;
    part.crc = crc_of(file, first, part.size);
  });
  std::vector<Part> parts(static_cast<std::size_t>(ranks.size()));
  ranks.group().all_gather(&part, sizeof part, parts.data());
  std::uint64_t crc = parts[0].crc;
  for (std::size_t rank = 1; rank < parts.size(); ++rank) crc = joined_crc(crc, parts[rank].crc, parts[rank].size);
  return crc;
}

}  // namespace shoal::io::hdf5
