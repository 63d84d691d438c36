// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "io/formats/binary/hdf5.hpp"
#include "io/run/fields/surface_writer.hpp"
#include "io/run/sample_state.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Fan of `triangles` triangles around the first point.
sph::SurfaceMesh fan(int triangles) {
  sph::SurfaceMesh mesh;
  for (int k = 0; k < (triangles > 0 ? triangles + 2 : 0); ++k) {
    const auto x = static_cast<float>(triangles + k);
    mesh.point.insert(mesh.point.end(), {x, 2 * x, 3 * x});
  }
  for (int k = 0; k < triangles; ++k) mesh.face.insert(mesh.face.end(), {0, k + 1, k + 2});
  return mesh;
}

/// Writes fans of 2, 0, 1 and 3 triangles, those from state `first` on.
void write_states(SurfaceWriter& writer, int first = 0) {
  constexpr int triangles[] = {2, 0, 1, 3};
  for (int state = first; state < 4; ++state) writer.write(0.5 * state, fan(triangles[state]));
}

template <class T = std::int64_t>
std::vector<T> read(const std::filesystem::path& file, const std::string& dataset) {
  const hdf5::Handle in = hdf5::open_for_reading(file);
  return hdf5::Rows(in, "VTKHDF/" + dataset).read<T>();
}

TEST(SurfaceWriter, WritesStatesOneBehindTheOther) {
  const ScratchFolder folder;
  SurfaceWriter writer(folder.path(), sample_case());
  EXPECT_FALSE(std::filesystem::exists(folder / surface_file_name));
  write_states(writer);
  const auto file = folder / surface_file_name;
  EXPECT_THAT(read<double>(file, "Steps/Values"), ElementsAre(0, 0.5, 1, 1.5));
  EXPECT_THAT(read(file, "NumberOfPoints"), ElementsAre(4, 0, 3, 5));
  EXPECT_THAT(read(file, "Steps/PointOffsets"), ElementsAre(0, 4, 4, 7));
  EXPECT_THAT(read(file, "Steps/PartOffsets"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(read(file, "Polygons/NumberOfCells"), ElementsAre(2, 0, 1, 3));
  EXPECT_THAT(read(file, "Polygons/Offsets"), ElementsAre(0, 3, 6, 0, 0, 3, 0, 3, 6, 9));
  EXPECT_THAT(read(file, "Polygons/Connectivity"), ElementsAre(0, 1, 2, 0, 2, 3, 0, 1, 2, 0, 1, 2, 0, 2, 3, 0, 3, 4));
  EXPECT_THAT(read(file, "Steps/CellOffsets"), ElementsAre(0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3, 0));
  EXPECT_THAT(read(file, "Steps/ConnectivityIdOffsets"), ElementsAre(0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 6, 0, 0, 0, 9, 0));
  EXPECT_THAT(read(file, "Lines/Offsets"), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(read(file, "Lines/Connectivity"), IsEmpty());
  EXPECT_EQ(read<float>(file, "Points").size(), 3u * 12);
  EXPECT_EQ(read<float>(file, "Points")[12], 1);  // the third state begins behind four points
  EXPECT_EQ(writer.count(), 4);
}

TEST(SurfaceWriter, SegmentsAreLines) {
  const ScratchFolder folder;
  SurfaceWriter writer(folder.path(), sample_case());
  writer.write(0, {2, {0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 1, 2, 2, 0}});
  const auto file = folder / surface_file_name;
  EXPECT_THAT(read(file, "Lines/Offsets"), ElementsAre(0, 2, 4, 6));
  EXPECT_THAT(read(file, "Lines/Connectivity"), ElementsAre(0, 1, 1, 2, 2, 0));
  EXPECT_THAT(read(file, "Polygons/Offsets"), ElementsAre(0));
}

TEST(SurfaceWriter, AContinuedFileIsTheSameAsOneWrittenInOneGo) {
  const ScratchFolder whole, parts;
  {
    SurfaceWriter writer(whole.path(), sample_case());
    write_states(writer);
  }
  for (const int kept : {1, 2, 3, 4}) {
    {
      SurfaceWriter writer(parts.path(), sample_case());
      write_states(writer);
    }
    SurfaceWriter writer(parts.path(), sample_case(), kept);
    EXPECT_EQ(writer.count(), kept);
    write_states(writer, kept);
    for (const char* name : {"Steps/Values", "Steps/PointOffsets", "Steps/CellOffsets", "NumberOfPoints", "Points",
                             "Polygons/Offsets", "Polygons/Connectivity", "Lines/Offsets"})
      EXPECT_EQ(read<double>(parts / surface_file_name, name), read<double>(whole / surface_file_name, name)) << name;
  }
}

TEST(SurfaceWriter, AFileWithFewerStatesIsAnError) {
  const ScratchFolder folder;
  {
    SurfaceWriter writer(folder.path(), sample_case());
    writer.write(0, fan(1));
  }
  EXPECT_THAT(message_of([&] { SurfaceWriter(folder.path(), sample_case(), 2); }),
              HasSubstr("this file does not have the 2 states that the run had written"));
}

}  // namespace
}  // namespace shoal::io
