// SPDX-License-Identifier: Apache-2.0
// Checks of what an HDF5 file claims before anything is read from it.
#include "io/formats/binary/hdf5_checks.hpp"

#include <gmock/gmock.h>

#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using hdf5::Handle;

struct Hdf5Attribute : testing::Test {
  ScratchFolder folder;
  hdf5::Quiet quiet;
  Handle file = hdf5::create_file(folder / "a.h5");

  /// Creates the attribute "value" with `count` elements, or with a null space if there are none.
  void create(hid_t type, hsize_t count, const void* values) const {
    const Handle space(count ? H5Screate_simple(1, &count, nullptr) : H5Screate(H5S_NULL), H5Sclose, "space");
    const Handle attribute(H5Acreate2(file, "value", type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, "attribute");
    if (count) hdf5::check(H5Awrite(attribute, type, values), "writing");
  }
  std::string text_refusal() const {
    return message_of([&] { hdf5::read_text_attribute(file, "value"); });
  }
  std::string number_refusal() const {
    return message_of([&] { hdf5::read_scalar_attribute<std::int64_t>(file, "value"); });
  }
};

Handle text_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "type");
  hdf5::check(H5Tset_size(type, size), "type");
  return type;
}

TEST_F(Hdf5Attribute, TextOfVariableLengthIsRead) {
  const char* word = "PolyData";
  create(text_type(H5T_VARIABLE), 1, &word);
  EXPECT_EQ(hdf5::read_text_attribute(file, "value"), "PolyData");
}

TEST_F(Hdf5Attribute, ManyTextsOfVariableLengthAreRefused) {
  create(text_type(H5T_VARIABLE), 512, std::vector<const char*>(512, "PolyData").data());
  EXPECT_EQ(text_refusal(), "reading attribute value: it has 512 values, expected one.");
}

TEST_F(Hdf5Attribute, ManyTextsOfFixedLengthAreRefused) {
  create(text_type(8), 5000, std::string(40'000, 'x').data());
  EXPECT_EQ(text_refusal(), "reading attribute value: it has 5000 values, expected one.");
}

TEST_F(Hdf5Attribute, EmptyTextIsRefused) {
  create(text_type(8), 0, nullptr);
  EXPECT_EQ(text_refusal(), "reading attribute value: it has 0 values, expected one.");
}

TEST_F(Hdf5Attribute, LongTextIsRefused) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "access");
  hdf5::check(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), "attributes beyond 64 KiB");
  file = {};
  file = Handle(H5Fcreate((folder / "long.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, "creating");
  create(text_type(100'000), 1, std::string(100'000, 'x').data());
  EXPECT_EQ(text_refusal(), "reading attribute value: its text has 100000 bytes, expected at most 65536.");
}

TEST_F(Hdf5Attribute, NumbersAndTextsAreNotTakenForEachOther) {
  const double number = 1;
  create(H5T_NATIVE_DOUBLE, 1, &number);
  EXPECT_EQ(text_refusal(), "reading attribute value: expected text.");
  H5Adelete(file, "value");
  create(text_type(8), 1, "PolyData");
  EXPECT_EQ(number_refusal(), "reading attribute value: it holds no numbers, expected integers.");
}

TEST_F(Hdf5Attribute, NumbersThatAreNotWholeAreNoIntegers) {
  const double number = 1.5;
  create(H5T_NATIVE_DOUBLE, 1, &number);
  EXPECT_EQ(number_refusal(), "reading attribute value: it holds floating-point numbers, expected integers.");
}

TEST_F(Hdf5Attribute, ManyNumbersAreRefused) {
  const std::int64_t numbers[] = {1, 2};
  create(H5T_NATIVE_INT64, 2, numbers);
  EXPECT_EQ(number_refusal(), "reading attribute value: it has 2 values, expected one.");
}

/// File with the dataset "values", created as the test says.
struct Hdf5Dataset : testing::Test {
  ScratchFolder folder;
  hdf5::Quiet quiet;
  Handle file = hdf5::create_file(folder / "a.h5");
  Handle settings = Handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "settings");

  /// Creates the dataset without writing any of its values.
  void create(hid_t type, const std::vector<hsize_t>& extent) const {
    const std::vector<hsize_t> unlimited(extent.size(), H5S_UNLIMITED);
    const hsize_t* const most = H5Pget_layout(settings) == H5D_CHUNKED ? unlimited.data() : nullptr;
    const Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), most), H5Sclose, "space");
    const Handle dataset(H5Dcreate2(file, "values", type, space, H5P_DEFAULT, settings, H5P_DEFAULT), H5Dclose, "data");
  }
  void set_chunk(const std::vector<hsize_t>& chunk) const {
    hdf5::check(H5Pset_chunk(settings, static_cast<int>(chunk.size()), chunk.data()), "chunk");
  }
  template <class T = double>
  std::string refusal(const std::string& path = "values") const {
    return message_of([&] { hdf5::Rows(file, path).read<T>(); });
  }
};

TEST_F(Hdf5Dataset, ThatWasNotWrittenIsReadIfTheFileIsLargeEnough) {
  create(H5T_NATIVE_DOUBLE, {10});
  EXPECT_EQ(hdf5::Rows(file, "values").read<double>(), std::vector<double>(10));
}

TEST_F(Hdf5Dataset, LargerThanItsFileIsRefused) {
  set_chunk({1024});
  create(H5T_NATIVE_DOUBLE, {3'000'000'000});
  EXPECT_EQ(refusal(),
            "reading dataset values: 3000000000 values of 8 bytes are to be read, and the file stores 0 bytes of them. "
            "It is damaged or was never written.");
}

TEST_F(Hdf5Dataset, LargerThanWhatIsCompressedIsRefused) {
  set_chunk({1'000'000, 3});
  hdf5::check(H5Pset_deflate(settings, 9), "deflate");
  create(H5T_NATIVE_DOUBLE, {150'000'000, 3});
  EXPECT_THAT(refusal(), testing::StartsWith("reading dataset values: 450000000 values of 8 bytes are to be read"));
}

TEST_F(Hdf5Dataset, OfZerosIsReadHoweverWellItIsCompressed) {
  hdf5::Rows(file, "values", {H5T_NATIVE_DOUBLE, 3, 10'000, 9}).append(std::vector<double>(300'000));
  EXPECT_EQ(hdf5::Rows(file, "values").read<double>().size(), 300'000U);
}

TEST_F(Hdf5Dataset, WithAChunkLargerThanItsFileIsRefused) {
  set_chunk({500'000'000});
  hdf5::check(H5Pset_deflate(settings, 9), "deflate");
  create(H5T_NATIVE_DOUBLE, {2});
  EXPECT_THAT(refusal(), testing::StartsWith("reading dataset values: its chunks have 4000000000 bytes"));
}

TEST_F(Hdf5Dataset, CompressedTwiceIsRefused) {
  set_chunk({2});
  for (int i = 0; i < 2; ++i) hdf5::check(H5Pset_deflate(settings, 9), "deflate");
  create(H5T_NATIVE_DOUBLE, {2});
  EXPECT_EQ(refusal(), "reading dataset values: its values are compressed 2 times, expected once.");
}

TEST_F(Hdf5Dataset, WithMoreValuesThan64BitsCountIsRefused) {
  set_chunk({1024, 3});
  create(H5T_NATIVE_DOUBLE, {6'148'914'691'236'517'206U, 3});
  EXPECT_EQ(refusal(), "reading dataset values: 6148914691236517206 rows of 3 columns are more than 64 bits count.");
}

TEST_F(Hdf5Dataset, WithoutColumnsOrOfAnotherRankIsRefused) {
  create(H5T_NATIVE_DOUBLE, {7, 0});
  EXPECT_EQ(refusal(), "reading dataset values: it has 0 columns, expected at least 1.");
  H5Ldelete(file, "values", H5P_DEFAULT);
  create(H5T_NATIVE_DOUBLE, {7, 3, 3});
  EXPECT_EQ(refusal(), "reading dataset values: it has 3 dimensions, expected 1 or 2.");
}

TEST_F(Hdf5Dataset, OfAnotherTypeIsRefused) {
  create(text_type(8), {2});
  EXPECT_EQ(refusal(), "reading dataset values: it holds no numbers, expected numbers.");
  H5Ldelete(file, "values", H5P_DEFAULT);
  create(H5T_NATIVE_DOUBLE, {2});
  EXPECT_EQ(refusal<std::int64_t>(), "reading dataset values: it holds floating-point numbers, expected integers.");
  H5Ldelete(file, "values", H5P_DEFAULT);
  const Handle wide(H5Tcopy(H5T_NATIVE_INT64), H5Tclose, "type");
  H5Tset_size(wide, 4096);
  create(wide, {2});
  EXPECT_EQ(refusal(), "reading dataset values: its numbers have 4096 bytes, expected at most 16.");
}

TEST_F(Hdf5Dataset, StoredInAnotherFileIsRefused) {
  write_text(folder / "secret", std::string(16, 'x'));
  hdf5::check(H5Pset_external(settings, (folder / "secret").c_str(), 0, 16), "external");
  create(H5T_NATIVE_DOUBLE, {2});
  EXPECT_EQ(refusal(),
            "opening dataset values: its values are stored in another file (external storage or a virtual dataset), "
            "which is not read. Copy them into this file, with h5repack for example.");
}

TEST_F(Hdf5Dataset, ThatIsVirtualIsRefused) {
  hdf5::Rows(file, "source", {H5T_NATIVE_DOUBLE}).append(std::vector<double>{1, 2});
  const hsize_t count = 2;
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "space");
  hdf5::check(H5Pset_virtual(settings, space, "other.h5", "source", space), "virtual");
  create(H5T_NATIVE_DOUBLE, {2});
  EXPECT_THAT(refusal(), testing::HasSubstr("a virtual dataset), which is not read"));
}

TEST_F(Hdf5Dataset, LinkedFromAnotherFileIsRefused) {
  {
    const Handle another = hdf5::create_file(folder / "b.h5");
    hdf5::Rows(another, "group/values", {H5T_NATIVE_DOUBLE}).append(std::vector<double>{1, 2});
  }
  const std::string target = (folder / "b.h5").string();
  hdf5::check(H5Lcreate_external(target.c_str(), "group/values", file, "link", H5P_DEFAULT, H5P_DEFAULT), "link");
  hdf5::check(H5Lcreate_external(target.c_str(), "group", file, "group", H5P_DEFAULT, H5P_DEFAULT), "link");
  hdf5::check(H5Lcreate_soft("group/values", file, "soft", H5P_DEFAULT, H5P_DEFAULT), "link");
  const std::string reason = ": it is a link to the file " + target +
                             ", which is not followed. Copy what it links to into this file, with h5copy for example.";
  EXPECT_EQ(refusal("link"), "opening dataset link" + reason);
  EXPECT_EQ(refusal("soft"), "opening dataset soft" + reason);
  EXPECT_EQ(message_of([&] { hdf5::open_group(file, "group"); }), "opening group group" + reason);
  EXPECT_FALSE(hdf5::exists(file, "group/values"));
}

}  // namespace
}  // namespace shoal::io
