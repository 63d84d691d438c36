// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <shoal/io/neighbor_file.hpp>

#include <cstring>
#include <sstream>

#include "io/formats/binary/zip_store.hpp"
#include "io/scripts/python_check.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::HasSubstr;

std::span<const std::byte> bytes_of_text(const std::string& text) { return std::as_bytes(std::span(text)); }

/// Neighbor list of points 0, 1, 3 and 4 on a line, radius 1.5, periodic from 0 to 5; computed by hand.
template <class Index, class Real>
struct Sample {
  std::vector<std::int64_t> offsets = {0, 2, 3, 4, 6};
  std::vector<Index> indices = {1, 3, 0, 3, 0, 2};
  std::vector<Real> distances = {1, 1, 1, 1, 1, 1};
  std::vector<Real> displacements = {-1, 1, 1, -1, -1, 1};

  NeighborFile list(bool with_lengths) const {
    NeighborFile file;
    file.offsets = offsets;
    file.indices = View<const Index>(indices);
    if (with_lengths) file.distances = View<const Real>(distances);
    if (with_lengths) file.displacements = View<const Real>(displacements);
    file.radius = 1.5;
    file.box = {1, {true, false, false}, {0, 0, 0}, {5, 0, 0}};
    file.method = "serial";
    file.device = "cpu, 1 thread";
    return file;
  }
};

struct NeighborFiles : testing::Test {
  ScratchFolder folder;
  Sample<std::int32_t, float> sample;

  std::string refusal(const std::string& name, const NeighborFile& list) const {
    return folder.without_path(message_of([&] { write_neighbors(folder / name, list); }));
  }
};

TEST_F(NeighborFiles, AreWhatNumpyAndH5pyRead) {
  SKIP_WITHOUT_H5PY();
  const Sample<std::int64_t, double> wide;
  for (const std::string name : {"list.h5", "list.hdf5", "list.npz", "LIST.NPZ"}) {
    const std::string file = (folder / name).string();
    write_neighbors(file, sample.list(false));
    const std::string checked = name == "LIST.NPZ" ? (folder / "copy.npz").string() : file;
    if (checked != file) std::filesystem::copy_file(file, checked);
    EXPECT_EQ(complaints_of("check_neighbor_file.py " + checked), "") << name;
  }
  for (const char* name : {"list.h5", "list.npz"}) {
    const std::string file = (folder / name).string();
    write_neighbors(file, sample.list(true));
    EXPECT_EQ(complaints_of("check_neighbor_file.py --lengths " + file), "");
    write_neighbors(file, wide.list(true));
    EXPECT_EQ(complaints_of("check_neighbor_file.py --lengths --wide --double " + file), "");
  }
}

TEST_F(NeighborFiles, OfNoPointsOrNoNeighborsAreFilesToo) {
  SKIP_WITHOUT_H5PY();
  const Sample<std::int32_t, float> none{{0}, {}, {}, {}};
  for (const char* name : {"none.npz", "none.h5"}) {
    write_neighbors(folder / name, none.list(true));
    EXPECT_EQ(complaints_of("check_neighbor_file.py --lengths --empty " + (folder / name).string()), "");
  }
}

TEST_F(NeighborFiles, AreTheSameBytesEveryTime) {
  for (const std::string extension : {".npz", ".h5"}) {
    write_neighbors(folder / ("a" + extension), sample.list(true));
    write_neighbors(folder / ("b" + extension), sample.list(true));
    EXPECT_EQ(read_text(folder / ("a" + extension)), read_text(folder / ("b" + extension))) << extension;
  }
}

TEST_F(NeighborFiles, AppearWholeOrNotAtAll) {
  for (const std::string name : {"list.npz", "list.h5"}) {
    write_text(folder / name, "before");
    std::filesystem::create_directory((folder / name).string() + ".partial");  // blocks the new file
    EXPECT_THAT(refusal(name, sample.list(false)), HasSubstr(name + ": writing the list failed: "));
    EXPECT_EQ(read_text(folder / name), "before");
    std::filesystem::remove((folder / name).string() + ".partial");
    write_neighbors(folder / name, sample.list(false));
    EXPECT_FALSE(std::filesystem::exists((folder / name).string() + ".partial"));
    EXPECT_NE(read_text(folder / name), "before");
  }
}

TEST_F(NeighborFiles, OfAnotherKindOrInNoFolderAreRefused) {
  EXPECT_EQ(refusal("list.csv", sample.list(false)),
            "list.csv: cannot tell what kind of file this is; a list of neighbors ends with .h5, .hdf5, .npz.");
  const std::string missing = (folder / "no").string();
  EXPECT_EQ(refusal("no/list.h5", sample.list(false)), "no/list.h5: there is no folder " + missing + ".");
}

TEST_F(NeighborFiles, ThatDoNotFitTogetherAreRefused) {
  const auto message = [&](const Sample<std::int32_t, float>& list) { return refusal("list.npz", list.list(true)); };
  EXPECT_EQ(message({.offsets = {}}), "neighbors: offsets do not begin with 0.");
  EXPECT_EQ(message({.offsets = {1, 2}}), "neighbors: offsets do not begin with 0.");
  EXPECT_EQ(message({.indices = {1}}), "neighbors: 1 indices, and offsets ask for 6.");
  EXPECT_EQ(message({.distances = {1, 2}}), "neighbors: 2 distances, and offsets ask for 6.");
  EXPECT_EQ(message({.displacements = {}}), "neighbors: 0 displacements, and offsets ask for 6.");
  NeighborFile list = sample.list(false);
  list.indices = View<const std::int32_t>(sample.indices.data(), 6, {}, 2);
  EXPECT_EQ(refusal("list.h5", list), "neighbors: indices have stride 2, expected 1.");
  list.indices = View<const std::int32_t>(sample.indices.data(), 6, {DeviceKind::cuda, 0});
  EXPECT_EQ(refusal("list.h5", list),
            "neighbors: indices are on cuda:0, expected host memory. Copy them with to_host.");
}

/// CRC-32 that a zip file states for a member.
std::uint32_t checksum_in_zip(std::span<const std::byte> head, std::span<const std::byte> body) {
  std::ostringstream out;
  ZipStore(out).add("a", head, body);
  constexpr std::size_t bytes_before = 14;
  std::uint32_t checksum = 0;
  std::memcpy(&checksum, out.str().data() + bytes_before, sizeof checksum);
  return checksum;
}

TEST(ZipStore, ChecksumIsTheStandardsCheckValueForEveryHeadAndBody) {
  EXPECT_EQ(checksum_in_zip({}, {}), 0u);
  const std::string digits = "123456789";
  for (std::size_t cut = 0; cut <= digits.size(); ++cut) {
    const std::span<const std::byte> bytes = bytes_of_text(digits);
    EXPECT_EQ(checksum_in_zip(bytes.first(cut), bytes.subspan(cut)), 0xCBF43926u) << cut;
  }
  EXPECT_EQ(checksum_in_zip(bytes_of_text(digits), {}), 0xCBF43926u)
      << "a body without memory, as of a list without pairs";
  EXPECT_EQ(checksum_in_zip({}, bytes_of_text(digits)), 0xCBF43926u);
}

TEST_F(NeighborFiles, ZipWithWideSizesIsOneThatOthersRead) {
  SKIP_WITHOUT_H5PY();
  for (const std::uint64_t wide_from : {std::uint64_t{1}, std::uint64_t{50}, std::uint64_t{0xFFFFFFFF}}) {
    std::ostringstream out;
    ZipStore zip(out, wide_from);
    zip.add("a.txt", bytes_of_text("head "), bytes_of_text("body"));
    zip.add("b.txt", bytes_of_text(""), bytes_of_text(std::string(100, 'b')));
    zip.finish();
    write_text(folder / "wide.zip", out.str());
    EXPECT_EQ(complaints_of("check_zip.py " + (folder / "wide.zip").string()), "") << wide_from;
  }
}

}  // namespace
}  // namespace shoal::io
