// SPDX-License-Identifier: Apache-2.0
// Small parts of the run loop: tables, background thread, probes, JSON, formatted numbers.
#include <gmock/gmock.h>
#include <shoal/io/json.hpp>
#include <shoal/io/text.hpp>

#include <atomic>
#include <cmath>
#include <limits>

#include "io/formats/checked_read.hpp"
#include "io/formats/disk_space.hpp"
#include "io/formats/text/csv.hpp"
#include "io/formats/text/strings.hpp"
#include "io/run/writer_thread.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::HasSubstr;

TEST(CheckedRead, NamesTheFileThatExhaustsMemory) {
  const std::string expected =
      "a\\x1b.vtu: the memory is exhausted by the content of this file. Read a smaller file, or use a machine with "
      "more "
      "memory.";
  EXPECT_EQ(message_of([] { checked_read("a\x1b.vtu", []() -> int { throw std::bad_alloc(); }); }), expected);
  EXPECT_EQ(message_of([] { checked_read("a\x1b.vtu", []() -> int { throw std::length_error("vector"); }); }),
            expected);
}

TEST(CheckedRead, MakesMessagesPrintable) {
  EXPECT_EQ(message_of([] { checked_read("a", []() -> int { throw Error("a: \x1b[2J"); }); }), "a: \\x1b[2J");
  EXPECT_EQ(message_of([] { checked_read("a", []() -> int { throw Error("a: " + std::string(1 << 20, 'x')); }); }),
            "a: " + std::string(1997, 'x') + "...");
  EXPECT_EQ(printable(std::string("a \0\n\xe2\x82\xac\xe2\xc2\x9b\x7f", 11)),
            "a \\x00\n\xe2\x82\xac\\xe2\\xc2\\x9b\\x7f");
}

TEST(Csv, WritesNumbersThatReadBackAndIsOnDiskAtOnce) {
  const ScratchFolder folder;
  Csv csv(folder / "a.csv", {"time [s]", "x [m]", "count"});
  csv.append(0.1, 1.0 / 3, std::int64_t{100000});
  EXPECT_EQ(read_text(folder / "a.csv"), "time [s],x [m],count\n0.1,0.3333333333333333,100000\n");
}

TEST(Csv, ContinuingDropsLaterAndBrokenRows) {
  const ScratchFolder folder;
  write_text(folder / "a.csv", "time [s],x\n0,1\n0.5,2\n1,3\n1.5,");
  {
    Csv csv(folder / "a.csv", {"time [s]", "x"}, 2);
    csv.append(0.75, 9.0);
    EXPECT_EQ(csv.row_count(), 3);
  }
  EXPECT_EQ(read_text(folder / "a.csv"), "time [s],x\n0,1\n0.5,2\n0.75,9\n");
}

TEST(Csv, ContinuingATableThatIsMissingOrShorterIsAnError) {
  const ScratchFolder folder;
  EXPECT_THAT(message_of([&] { Csv(folder / "a.csv", {"time [s]"}, 1); }), HasSubstr("there is no such table"));
  write_text(folder / "a.csv", "time [s]\n0\n0.5");
  EXPECT_THAT(message_of([&] { Csv(folder / "a.csv", {"time [s]"}, 2); }),
              HasSubstr("the table has 1 rows, expected at least the 2"));
}

TEST(Csv, OtherColumnsOrAFolderThatIsNotThereIsAnError) {
  const ScratchFolder folder;
  write_text(folder / "a.csv", "something,else\n");
  EXPECT_THAT(message_of([&] { Csv(folder / "a.csv", {"time [s]"}, 1); }), HasSubstr("It is not from this run"));
  EXPECT_THAT(message_of([&] { Csv(folder / "none/a.csv", {"time [s]"}); }), HasSubstr("cannot write"));
}

TEST(Csv, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  EXPECT_THAT(message_of([&] { Csv("/dev/full", {"time [s]"}); }), HasSubstr("No space left on device"));
}

TEST(DiskSpace, MoreThanThereIsIsAnError) {
  const ScratchFolder folder;
  write_text(folder / "a", "content");
  reserve_space(folder / "a", 1000);
  EXPECT_EQ(read_text(folder / "a"), "content");
  EXPECT_THAT(message_of([&] { reserve_space(folder / "a", std::uint64_t{1} << 58); }), HasSubstr("no room"));
}

TEST(Background, DoesJobsInOrder) {
  std::vector<int> done;
  {
    Background background(2);
    for (int i = 0; i < 100; ++i) background.submit([&done, i] { done.push_back(i); });
    background.wait();
    EXPECT_EQ(done.size(), 100u);
  }
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
}

TEST(Background, AnErrorReachesTheCallerOnceAndDropsTheJobsBehindIt) {
  Background background(10);
  std::atomic<bool> may_fail = false;
  std::atomic<int> done = 0;
  background.submit([&] {
    while (!may_fail) std::this_thread::yield();
    throw Error("disk full");
  });
  background.submit([&] { ++done; });
  may_fail = true;
  EXPECT_EQ(message_of([&] { background.wait(); }), "disk full");
  EXPECT_EQ(done, 0);
  background.submit([&] { ++done; });
  background.wait();
  EXPECT_EQ(done, 1);
}

TEST(Background, SmallJobsDoNotWaitForLargeOnes) {
  Background background(1);
  std::atomic<bool> may_end = false;
  std::vector<int> done;
  background.submit([&] {
    while (!may_end) std::this_thread::yield();
    done.push_back(0);
  });
  for (int i = 1; i <= 100; ++i) background.submit([&done, i] { done.push_back(i); }, JobSize::small);  // none blocks
  background.submit([&done] { done.push_back(101); });  // the first one runs or is the only one that waits
  may_end = true;
  background.wait();
  EXPECT_EQ(done.size(), 102U);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
}

TEST(Background, EndingFinishesTheJobs) {
  std::atomic<int> done = 0;
  {
    Background background(100);
    for (int i = 0; i < 50; ++i) background.submit([&] { ++done; });
  }
  EXPECT_EQ(done, 50);
}

/// JSON line with quotes, control characters, NaN, lists and nested objects.
TEST(Json, QuotesWhatMustBeQuoted) {
  JsonObject inner;
  inner.add("x", std::int64_t{3});
  const JsonObject object = JsonObject()
                                .add("text", "a \"b\" \\ \n")
                                .add("none", std::numeric_limits<double>::quiet_NaN())
                                .add("number", 0.1)
                                .add("flag", true)
                                .add("list", std::vector<std::string>{"a", "b"})
                                .add("inner", inner);
  EXPECT_EQ(object.line(), R"({"text": "a \"b\" \\ \u000a", "none": null, "number": 0.1, "flag": true, )"
                           R"("list": ["a", "b"], "inner": {"x": 3}})");
}

TEST(Display, NumbersReadWell) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(85773), "85,773");
  EXPECT_EQ(grouped(-1234567), "-1,234,567");
  EXPECT_EQ(scientific(0.0001), "1.0e-4");
  EXPECT_EQ(scientific(1.9e9), "1.9e9");
  EXPECT_EQ(scientific(0, true), "+0.0e0");
  EXPECT_EQ(clock_time(3), "0:03");
  EXPECT_EQ(clock_time(133), "2:13");
  EXPECT_EQ(clock_time(3733), "1:02:13");
  EXPECT_EQ(clock_time(-1), "-:--");
  EXPECT_EQ(clock_time(std::numeric_limits<double>::infinity()), "-:--");
}

}  // namespace
}  // namespace shoal::io
