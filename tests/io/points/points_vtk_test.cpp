// SPDX-License-Identifier: Apache-2.0
// Error messages for VTK files that are damaged or of another kind, and the two decoders that the reader uses.
#include <gmock/gmock.h>
#include <hdf5.h>
#include <shoal/io/points_file.hpp>

#include "io/formats/binary/hdf5.hpp"
#include "io/formats/vtk/base64.hpp"
#include "io/run/fields/field_writer.hpp"
#include "io/run/sample_state.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Base64, DecodesWhatTheStandardGivesAsExamples) {
  const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                          {"Zg==", "f"},
                                                          {"Zm8=", "fo"},
                                                          {"Zm9v", "foo"},
                                                          {"Zm9vYg==", "foob"},
                                                          {"Zm9vYmE=", "fooba"},
                                                          {"Zm9vYmFy", "foobar"}};
  for (const auto& [text, bytes] : examples) EXPECT_EQ(Base64Reader(text).read(100), bytes);
}

TEST(Base64, GoesOnAfterPaddingAndBlanksAndStopsAtWhatItIsNot) {
  Base64Reader reader("Zg==\n  Zm 8=<Zm9v");
  EXPECT_EQ(reader.read(2), "ff");
  EXPECT_EQ(reader.read(9), "o");
  EXPECT_EQ(reader.read(9), "");
}

/// PolyData file of two points with replaceable parts.
struct VtkXmlPoints : testing::Test {
  ScratchFolder folder;
  std::string head = R"(<VTKFile type="PolyData" byte_order="LittleEndian">)";
  std::string piece = R"(<Piece NumberOfPoints="2">)";
  std::string data = R"(<PointData><DataArray type="Int32" Name="id" format="ascii">7 8</DataArray>)"
                     R"(<DataArray type="Float32" Name="u" NumberOfComponents="2">1 2 3 4</DataArray></PointData>)";
  std::string array = R"(<DataArray type="Float64" Name="Points" NumberOfComponents="3" format="ascii">)";
  std::string numbers = "1 2 3 4 5 6";
  std::string tail = "</Points></Piece></PolyData></VTKFile>";

  std::string content() const {
    return head + "<PolyData>" + piece + data + "<Points>" + array + numbers + "</DataArray>" + tail;
  }
  PointsFile read(const std::vector<std::string>& values = {}) const {
    write_text(folder / "p.vtp", content());
    return read_points(folder / "p.vtp", {.values = values});
  }
  std::string refusal(const std::vector<std::string>& values = {}) const {
    return folder.without_path(message_of([&] { read(values); }));
  }
};

TEST_F(VtkXmlPoints, AreReadWithTheirValues) {
  const PointsFile points = read({"id", "u:1"});
  EXPECT_THAT(points.x, ElementsAre(1, 4));
  EXPECT_THAT(points.z, ElementsAre(3, 6));
  EXPECT_THAT(points.values.at("id"), ElementsAre(7, 8));
  EXPECT_THAT(points.values.at("u:1"), ElementsAre(2, 4));
  EXPECT_FALSE(points.single_precision);
}

TEST_F(VtkXmlPoints, OfAnotherKindAreRefused) {
  head = R"(<VTKFile type="ImageData">)";
  EXPECT_EQ(refusal(), "p.vtp: it holds ImageData, expected PolyData or UnstructuredGrid.");
  head = R"(<VTKFile type="PolyData" byte_order="BigEndian">)";
  EXPECT_EQ(refusal(), "p.vtp: byte_order is BigEndian, expected LittleEndian. Write the file anew.");
  head = R"(<VTKFile type="PolyData" header_type="UInt16">)";
  EXPECT_EQ(refusal(), "p.vtp: header_type is UInt16, expected UInt32 or UInt64.");
  head = R"(<VTKFile type="PolyData" compressor="vtkLZ4DataCompressor">)";
  EXPECT_EQ(refusal(),
            "p.vtp: it is compressed by vtkLZ4DataCompressor, expected vtkZLibDataCompressor or none. Write "
            "it with that.");
  head = "<html>";
  EXPECT_EQ(refusal(), "p.vtp: this is no VTK XML file: it does not begin with <VTKFile>.");
}

TEST_F(VtkXmlPoints, TextOfCompressedOnesIsNotCompressed) {
  head = R"(<VTKFile type="PolyData" compressor="vtkZLibDataCompressor">)";
  EXPECT_THAT(read().x, ElementsAre(1, 4));
}

TEST_F(VtkXmlPoints, ThatAreNotXmlAreRefused) {
  write_text(folder / "p.vtp", "x,y,z\n1,2,3\n");
  const std::string path = (folder / "p.vtp").string();
  EXPECT_EQ(message_of([&] { read_points(folder / "p.vtp"); }),
            path + ": this is no VTK XML file: it has no tag <VTKFile>.");
  piece = "<Piece NumberOfPoints>";
  EXPECT_EQ(refusal(), "p.vtp: not XML: byte 61 begins no tag.");
  piece = R"(<Piece NumberOfPoints="two">)";
  EXPECT_EQ(refusal(), "p.vtp: <Piece> at byte 61 has NumberOfPoints=\"two\", expected a whole number.");
  piece = "";
  EXPECT_EQ(refusal(), "p.vtp: <DataArray> at byte 72 is in no <Piece>.");
}

TEST_F(VtkXmlPoints, ThatAreCutShortAreRefusedWhereverTheyEnd) {
  const std::string whole = content();
  const std::size_t last = whole.find("</VTKFile>") + 9;
  for (std::size_t size = 0; size <= last; ++size) {
    write_text(folder / "p.vtp", whole.substr(0, size));
    EXPECT_THAT(message_of([&] { read_points(folder / "p.vtp"); }), StartsWith((folder / "p.vtp").string() + ":"))
        << size;
  }
}

TEST_F(VtkXmlPoints, WithOtherNumbersThanTheyShouldHaveAreRefused) {
  const std::string where = "p.vtp: array `Points` (byte " + std::to_string(content().find("<Points>") + 8) + ")";
  numbers = "1 2 3 4 5";
  EXPECT_EQ(refusal(), where + " has 5 numbers, expected 6.");
  numbers = "1 2 3 4 5 six";
  EXPECT_EQ(refusal(), where + ": \"six\" at number 5 is not a Float64.");
  array = R"(<DataArray type="Float64" NumberOfComponents="2">)";
  EXPECT_EQ(refusal(), "p.vtp: <Points> has 2 components, expected 3.");
  array = R"(<DataArray type="Half" NumberOfComponents="3">)";
  EXPECT_EQ(refusal(), where + " is of type Half, expected Float32, Float64 or an integer.");
  array = R"(<DataArray type="Float64" NumberOfComponents="3" format="packed">)";
  EXPECT_EQ(refusal(), where + " has format \"packed\", expected ascii, binary or appended.");
  array = R"(<DataArray type="Float64" NumberOfComponents="3" format="binary">)";
  numbers = "CAAAAAAAAAAAAAA=";  // 8 bytes: a number
  EXPECT_EQ(refusal(), where + " is cut short or not base64: 8 bytes are to come, 7 could be decoded.");
  numbers = "CAAAAAAAAAAAAAAA";
  EXPECT_EQ(refusal(), where + " has 8 bytes, expected 48: 6 of type Float64.");
  numbers = "/////w==";
  EXPECT_EQ(refusal(), where + " is cut short: 4294967295 bytes are to come, and the file has 8 more.");
  array = R"(<DataArray type="Float64" NumberOfComponents="3" format="appended" offset="9">)";
  EXPECT_EQ(refusal(), where + " begins at offset 9 of the appended data, which has 0 bytes. The file is cut short.");
}

TEST_F(VtkXmlPoints, WhoseAppendedDataAreCutShortAreRefused) {
  const auto writer = open_vtp(folder.path(), sample_case());
  writer->write(sample_fields(0, {0, 1, 2}));
  const std::string whole = read_text(folder / "fields/0.vtp");
  const std::string before = R"(offset=")";
  const std::size_t offset =
      std::stoul(whole.substr(whole.find(before, whole.find(R"(Name="Points")")) + before.size()));
  write_text(folder / "p.vtp", whole.substr(0, whole.find("\n_") + 2 + offset + 20));
  EXPECT_THAT(message_of([&] { read_points(folder / "p.vtp"); }), HasSubstr("is cut short: 72 bytes are to come"));
}

/// Header of a compressed array: blocks, size of a block, size of the last block.
std::string packed_header(std::uint32_t blocks, std::uint32_t size, std::uint32_t last) {
  const std::uint32_t header[] = {blocks, size, last};
  return std::string(reinterpret_cast<const char*>(header), sizeof header);
}

TEST_F(VtkXmlPoints, WhoseBlocksAreMoreThanTheyShouldBeAreRefused) {
  head = R"(<VTKFile type="PolyData" byte_order="LittleEndian" compressor="vtkZLibDataCompressor">)";
  array = R"(<DataArray type="Float64" Name="Points" NumberOfComponents="3" format="appended" offset="0">)";
  numbers = "";
  const auto blocks_refusal = [&](const std::string& bytes) {
    tail = R"(</Points></Piece></PolyData><AppendedData encoding="raw">_)" + bytes + "</AppendedData></VTKFile>";
    return refusal();
  };
  const std::string where = "p.vtp: array `Points` (byte " + std::to_string(content().find("<Points>") + 8) + ")";
  EXPECT_EQ(blocks_refusal(packed_header(3000, 4 << 20, 0)),
            where + ": 3000 blocks of 4194304 bytes and one of 0, expected 48 bytes together.");
  EXPECT_EQ(blocks_refusal(packed_header(2, 24, 0xffffffff)),
            where + ": 1 blocks of 24 bytes and one of 4294967295, expected 48 bytes together.");
  EXPECT_THAT(blocks_refusal(packed_header(1, 48, 0)), HasSubstr("is cut short: 1883320124 bytes are to come"));
}

TEST_F(VtkXmlPoints, WithMorePointsThanBytesAreRefused) {
  piece = R"(<Piece NumberOfPoints="9223372036854775807"></Piece><Piece NumberOfPoints="9223372036854775809">)";
  EXPECT_THAT(refusal(), HasSubstr("p.vtp: cut short: NumberOfPoints adds up to more than "));
}

TEST_F(VtkXmlPoints, WhoseValuesAreMissingOrVectorsAreRefused) {
  EXPECT_EQ(refusal({"ids"}), "p.vtp: there is no array of PointData `ids`; did you mean `id`? It has id, u.");
  EXPECT_EQ(refusal({"u"}), "p.vtp: array `u` has 2 components, expected one. Name the component: u:0 to u:1.");
  EXPECT_EQ(refusal({"u:2"}), "p.vtp: array `u` has no component 2, only 2, counted from 0.");
  data = "";
  EXPECT_EQ(refusal({"id"}), "p.vtp: there is no array of PointData `id`. It has none.");
}

struct VtkhdfPoints : testing::Test {
  ScratchFolder folder;
  std::filesystem::path file = folder / "fields.vtkhdf";

  void SetUp() override {
    const auto writer = open_vtkhdf(folder.path(), sample_case());
    writer->write(sample_fields(0, {0, 1, 2}));
  }
  /// Error message for a file that `change` modified.
  template <class Change>
  std::string refusal(Change change) const {
    {
      const hdf5::Handle out = hdf5::open_for_writing(file);
      change(out);
    }
    return message_of([&] { read_points(file); });
  }
};

TEST_F(VtkhdfPoints, ThatAreNotVtkhdfAreRefused) {
  EXPECT_EQ(refusal([](hid_t out) { H5Ldelete(out, "VTKHDF", H5P_DEFAULT); }),
            file.string() + ": it has no group /VTKHDF; this is HDF5, but no VTKHDF.");
  write_text(file, "x,y,z\n");
  EXPECT_THAT(message_of([&] { read_points(file); }), StartsWith(file.string() + ": opening failed: "));
}

TEST_F(VtkhdfPoints, OfAnotherTypeAreRefused) {
  const std::string message = refusal([](hid_t out) {
    const hdf5::Handle vtk(H5Gopen2(out, "VTKHDF", H5P_DEFAULT), H5Gclose, "opening");
    H5Adelete(vtk, "Type");
    hdf5::write_text_attribute(vtk, "Type", "ImageData");
  });
  EXPECT_EQ(message, file.string() + ": it holds ImageData, expected PolyData or UnstructuredGrid.");
}

TEST_F(VtkhdfPoints, WithCountsThatDoNotFitAreRefused) {
  EXPECT_EQ(refusal([](hid_t out) { hdf5::Rows(out, "VTKHDF/Points").keep(2); }),
            file.string() + ": reading dataset VTKHDF/Points: it has 2 rows, expected 3 from row 0 on.");
  EXPECT_EQ(refusal([](hid_t out) { hdf5::Rows(out, "VTKHDF/NumberOfPoints").keep(0); }),
            file.string() + ": step 0 has 1 parts from part 0 on, and NumberOfPoints only 0.");
  EXPECT_EQ(refusal([](hid_t out) { H5Ldelete(out, "VTKHDF/Steps", H5P_DEFAULT); }),
            file.string() + ": Points has 2 rows, and NumberOfPoints adds up to 0.");
  EXPECT_THAT(refusal([](hid_t out) { H5Ldelete(out, "VTKHDF/Points", H5P_DEFAULT); }),
              StartsWith(file.string() + ": opening dataset VTKHDF/Points failed: "));
}

TEST_F(VtkhdfPoints, WithMorePartsThan64BitsCountAreRefused) {
  const std::vector<std::int64_t> most(3, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(refusal([&](hid_t out) {
              H5Ldelete(out, "VTKHDF/Steps", H5P_DEFAULT);
              H5Ldelete(out, "VTKHDF/NumberOfPoints", H5P_DEFAULT);
              hdf5::Rows(out, "VTKHDF/NumberOfPoints", {H5T_NATIVE_INT64}).append(most);
            }),
            file.string() + ": NumberOfPoints adds up to more than 64 bits hold.");
}

TEST_F(VtkhdfPoints, WithOffsetsAtTheEndOf64BitsAreRefused) {
  const std::vector<std::int64_t> most(1, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(refusal([&](hid_t out) {
              H5Ldelete(out, "VTKHDF/Steps/PartOffsets", H5P_DEFAULT);
              hdf5::Rows(out, "VTKHDF/Steps/PartOffsets", {H5T_NATIVE_INT64}).append(most);
            }),
            file.string() + ": step 0 has 1 parts from part 9223372036854775807 on, and NumberOfPoints only 1.");
}

TEST_F(VtkhdfPoints, ThatAreCutShortAreRefused) {
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  EXPECT_THAT(message_of([&] { read_points(file); }), HasSubstr("truncated file"));
}

}  // namespace
}  // namespace shoal::io
