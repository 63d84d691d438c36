// SPDX-License-Identifier: Apache-2.0
// Checks of what an HDF5 file claims before anything is read from it.
#include "io/formats/binary/hdf5.hpp"

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
  EXPECT_EQ(number_refusal(), "reading attribute value: expected a number.");
}

TEST_F(Hdf5Attribute, ManyNumbersAreRefused) {
  const std::int64_t numbers[] = {1, 2};
  create(H5T_NATIVE_INT64, 2, numbers);
  EXPECT_EQ(number_refusal(), "reading attribute value: it has 2 values, expected one.");
}

}  // namespace
}  // namespace shoal::io
