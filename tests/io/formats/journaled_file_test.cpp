// SPDX-License-Identifier: Apache-2.0
#include "io/formats/binary/journaled_file.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "io/formats/binary/hdf5.hpp"
#include "io/formats/file_checksum.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io::hdf5 {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<double> numbers_in(const std::filesystem::path& file) {
  const Handle in = open_for_reading(file);
  return Rows(in, "numbers").read<double>();
}

void append(Handle& file, std::vector<double> numbers) {
  Rows rows(file, "numbers");
  rows.append(numbers);
}

void flush(const Handle& file) { check(H5Fflush(file, H5F_SCOPE_GLOBAL), "flushing"); }

Handle created(const std::filesystem::path& path) {
  Handle file = create_journaled(path);
  Rows(file, "numbers", {H5T_NATIVE_DOUBLE, 0, 2});
  append(file, {1, 2, 3});
  flush(file);
  return file;
}

TEST(JournaledFile, ReadsLikeAnyOther) {
  const ScratchFolder folder;
  {
    Handle file = created(folder / "a.h5");
    append(file, {4});
    EXPECT_THAT(Rows(file, "numbers").read<double>(), ElementsAre(1, 2, 3, 4));
  }
  EXPECT_THAT(numbers_in(folder / "a.h5"), ElementsAre(1, 2, 3, 4));
  {
    Handle file = open_journaled(folder / "a.h5");
    append(file, {5});
  }
  EXPECT_THAT(numbers_in(folder / "a.h5"), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_FALSE(std::filesystem::exists(folder / "a.h5.journal"));
}

TEST(JournaledFile, OnDiskItIsAlwaysThatOfTheLastFlush) {
  const ScratchFolder folder;
  Handle file = created(folder / "a.h5");
  for (double number = 4; number < 40; ++number) {
    append(file, {number, -number});
    std::filesystem::copy_file(folder / "a.h5", folder / "copy.h5", std::filesystem::copy_options::overwrite_existing);
    const std::vector<double> before = numbers_in(folder / "copy.h5");
    EXPECT_EQ(before.size(), 3 + 2 * static_cast<std::size_t>(number - 4));
    flush(file);
    EXPECT_EQ(numbers_in(folder / "a.h5").back(), -number);
  }
}

/// Keeps the file of before a flush and the journal of the flush, as a kill between the two leaves them.
TEST(JournaledFile, AJournalCompletesTheFlushThatWasInterrupted) {
  const ScratchFolder folder;
  {
    Handle file = created(folder / "a.h5");
    std::filesystem::copy_file(folder / "a.h5", folder / "before.h5");
    append(file, {4, 5});
  }
  const std::string before = read_text(folder / "before.h5"), after = read_text(folder / "a.h5");
  std::string journal;
  const std::uint64_t end = after.size();
  journal.append(reinterpret_cast<const char*>(&end), sizeof end);
  constexpr std::size_t page_size = 4096;
  for (std::uint64_t page = 0; page * page_size < after.size(); ++page) {
    std::string bytes = after.substr(page * page_size, page_size);
    bytes.resize(page_size);
    journal.append(reinterpret_cast<const char*>(&page), sizeof page).append(bytes);
  }
  write_text(folder / "a.h5", before);
  write_with_checksum(folder / "a.h5.journal", journal);
  complete_journal(folder / "a.h5");
  EXPECT_EQ(read_text(folder / "a.h5"), after);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.h5.journal"));
  EXPECT_THAT(numbers_in(folder / "a.h5"), ElementsAre(1, 2, 3, 4, 5));
}

TEST(JournaledFile, ADamagedJournalIsAnError) {
  const ScratchFolder folder;
  created(folder / "a.h5");
  write_text(folder / "a.h5.journal", "damaged");
  EXPECT_THAT(message_of([&] { open_journaled(folder / "a.h5"); }), HasSubstr("a.h5.journal"));
}

TEST(JournaledFile, AFailedWriteIsReportedByTheNextFlushAndLeavesTheFileBefore) {
  const ScratchFolder folder;
  {
    Handle file = created(folder / "a.h5");
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{std::filesystem::file_size(folder / "a.h5"), limit.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    const Quiet quiet;
    append(file, std::vector<double>(10'000, 7));
    EXPECT_EQ(message_of([&] { flush(file); }), "flushing failed: File too large.");
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, handler);
  }
  EXPECT_THAT(numbers_in(folder / "a.h5"), ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace shoal::io::hdf5
