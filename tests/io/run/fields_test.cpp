// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstring>
#include <numeric>

#include "io/formats/binary/hdf5.hpp"
#include "io/run/fields/field_writer.hpp"
#include "io/run/sample_state.hpp"
#include "io/scripts/python_check.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

using Integers = std::vector<std::int64_t>;

Integers first_ids(std::int64_t count) {
  Integers ids(static_cast<std::size_t>(count));
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

/// Writes states of 7, 7, 5, 5 and 0 particles.
void write_states(FieldWriter& writer, double from = 0) {
  const double times[] = {0, 0.25, 0.5, 0.75, 1};
  const std::int64_t counts[] = {7, 7, 5, 5, 0};
  for (std::size_t i = 0; i < 5; ++i)
    if (times[i] >= from) writer.write(sample_fields(times[i], first_ids(counts[i])));
}

template <class T>
std::vector<T> read(const std::filesystem::path& file, const std::string& dataset) {
  const hdf5::Handle in = hdf5::open_for_reading(file);
  return hdf5::Rows(in, "VTKHDF/" + dataset).read<T>();
}

/// Error output of check_vtkhdf.py, which reads the file without shoal; empty if the file is valid. The file must have
/// the first `states` states of `write_states`.
std::string complaints(const std::filesystem::path& file, int states, const std::string& more = "") {
  return complaints_of("check_vtkhdf.py " + file.string() + " " + std::to_string(states) + " " + more);
}

TEST(Vtkhdf, WritesWhatTheFormatAsksFor) {
  SKIP_WITHOUT_H5PY();
  const ScratchFolder folder;
  const auto writer = open_vtkhdf(folder.path(), sample_case());
  write_states(*writer);
  EXPECT_EQ(complaints(folder / "fields.vtkhdf", 5), "");
}

TEST(Vtkhdf, WritesDoublePointsEnergyAndCompressed) {
  SKIP_WITHOUT_H5PY();
  const ScratchFolder folder;
  sph::Case simulation = sample_case();
  simulation.precision = sph::Precision::double_;
  simulation.scheme.energy = true;
  simulation.output.compression = 4;
  const auto writer = open_vtkhdf(folder.path(), simulation);
  write_states(*writer);
  EXPECT_EQ(complaints(folder / "fields.vtkhdf", 5, "--energy --double --compressed"), "");
}

TEST(Vtkhdf, HasTheViscosityOfMaterialsThatAreNotNewtonian) {
  const ScratchFolder folder;
  sph::Case simulation = sample_case();
  for (const auto model : {sph::RheologyModel::newtonian, sph::RheologyModel::bingham}) {
    const auto into = folder / std::string(to_name(model));
    std::filesystem::create_directories(into);
    simulation.materials[0].rheology.model = model;
    const auto writer = open_vtkhdf(into, simulation);
    writer->write(sample_fields(0, {0, 1}));
    writer->write(sample_fields(0.5, {0, 1}));
    if (model == sph::RheologyModel::newtonian)
      EXPECT_THROW(read<float>(into / "fields.vtkhdf", "PointData/viscosity"), Error);
    else
      EXPECT_THAT(read<float>(into / "fields.vtkhdf", "PointData/viscosity"), ElementsAre(0, 5, 2.5, 7.5));
  }
}

TEST(Vtkhdf, HasTheVorticityThatTheCaseAsksFor) {
  const ScratchFolder folder;
  sph::Case simulation = sample_case();
  simulation.output.vorticity = true;
  const auto writer = open_vtkhdf(folder.path(), simulation);
  writer->write(sample_fields(0, {0, 1}));
  writer->write(sample_fields(0.5, {0, 1}));
  EXPECT_THAT(read<float>(folder / "fields.vtkhdf", "PointData/vorticity"),
              ElementsAre(0, 0, 0, 0, 6, 7, 0, 3, 3.5, 0, 9, 10.5));
  const hdf5::Handle in = hdf5::open_for_reading(folder / "fields.vtkhdf");
  EXPECT_EQ(hdf5::Rows(in, "VTKHDF/PointData/vorticity").columns(), 3u);
}

TEST(Vtkhdf, IsWholeAfterEachStateWhileTheWriterLives) {
  const ScratchFolder folder;
  const auto writer = open_vtkhdf(folder.path(), sample_case());
  for (int state = 0; state < 3; ++state) {
    writer->write(sample_fields(state, first_ids(7)));
    std::filesystem::copy_file(folder / "fields.vtkhdf", folder / "copy.vtkhdf",
                               std::filesystem::copy_options::overwrite_existing);
    EXPECT_EQ(read<double>(folder / "copy.vtkhdf", "Steps/Values").size(), static_cast<std::size_t>(state + 1));
    EXPECT_EQ(read<float>(folder / "copy.vtkhdf", "Points").size(), static_cast<std::size_t>(7 * 3 * (state + 1)));
  }
}

TEST(Vtkhdf, WritesWhatDoesNotChangeOnce) {
  const ScratchFolder folder;
  const auto writer = open_vtkhdf(folder.path(), sample_case());
  write_states(*writer);
  EXPECT_THAT(read<std::int64_t>(folder / "fields.vtkhdf", "NumberOfPoints"), ElementsAre(7, 5, 0));
  EXPECT_THAT(read<std::int64_t>(folder / "fields.vtkhdf", "PointData/id"),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4));
}

TEST(Vtkhdf, TheSameCountOfOtherParticlesIsANewPart) {
  const ScratchFolder folder;
  const auto writer = open_vtkhdf(folder.path(), sample_case());
  writer->write(sample_fields(0, {0, 1}));
  writer->write(sample_fields(1, {0, 2}));
  EXPECT_THAT(read<std::int64_t>(folder / "fields.vtkhdf", "Steps/PartOffsets"), ElementsAre(0, 1));
  EXPECT_THAT(read<std::int64_t>(folder / "fields.vtkhdf", "PointData/id"), ElementsAre(0, 1, 0, 2));
}

/// Number of states that a continued file keeps, of those at 0, 0.25, ..., 1 s.
class Continued : public testing::TestWithParam<int> {
 protected:
  double after() const { return 0.25 * GetParam() - 0.1; }  ///< s, between the last kept state and the next
};

TEST_P(Continued, VtkhdfIsTheSameAsOneWrittenInOneGo) {
  SKIP_WITHOUT_H5PY();
  const ScratchFolder folder;
  write_states(*open_vtkhdf(folder.path(), sample_case()));
  write_states(*open_vtkhdf(folder.path(), sample_case(), GetParam()), after());
  EXPECT_EQ(complaints(folder / "fields.vtkhdf", 5), "");
}

TEST_P(Continued, VtpIsTheSameAsOneWrittenInOneGo) {
  const ScratchFolder folder;
  write_states(*open_vtp(folder.path(), sample_case()));
  const std::string before = read_text(folder / "fields.pvd");
  write_states(*open_vtp(folder.path(), sample_case(), GetParam()), after());
  EXPECT_EQ(read_text(folder / "fields.pvd"), before);
}

INSTANTIATE_TEST_SUITE_P(After, Continued, testing::Range(0, 6));

TEST(Vtkhdf, ContinuingDropsLaterStates) {
  const ScratchFolder folder;
  write_states(*open_vtkhdf(folder.path(), sample_case()));
  { const auto writer = open_vtkhdf(folder.path(), sample_case(), 2); }
  EXPECT_THAT(read<double>(folder / "fields.vtkhdf", "Steps/Values"), ElementsAre(0, 0.25));
  EXPECT_THAT(read<std::int64_t>(folder / "fields.vtkhdf", "NumberOfPoints"), ElementsAre(7));
}

TEST(Vtkhdf, ContinuesAFileOfAnEarlierVersionWithTheArraysThatItHas) {
  const ScratchFolder folder;
  const std::filesystem::path file = folder / "fields.vtkhdf";
  write_states(*open_vtkhdf(folder.path(), sample_case()));
  {
    const hdf5::Handle out = hdf5::open_for_writing(file);
    for (const std::string name : {"wall_number", "body"})
      for (const std::string group : {"VTKHDF/PointData/", "VTKHDF/Steps/PointDataOffsets/"})
        ASSERT_GE(H5Ldelete(out, (group + name).c_str(), H5P_DEFAULT), 0);
  }
  write_states(*open_vtkhdf(folder.path(), sample_case(), 3), 0.6);
  EXPECT_EQ(read<double>(file, "Steps/Values").size(), 5u);
  EXPECT_THAT(read<std::int64_t>(file, "PointData/id"), ElementsAre(0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4));
  EXPECT_EQ(read<std::uint8_t>(file, "PointData/wall").size(), 12u);
  const hdf5::Quiet quiet;
  EXPECT_THAT(message_of([&] { read<std::int32_t>(file, "PointData/wall_number"); }), HasSubstr("wall_number"));
}

TEST(Vtkhdf, AFolderThatIsNotThereOrAFileThatIsBrokenIsAnError) {
  const ScratchFolder folder;
  EXPECT_THAT(message_of([&] { open_vtkhdf(folder / "none", sample_case()); }),
              HasSubstr("fields.vtkhdf.partial: cannot be created"));
  write_text(folder / "fields.vtkhdf", "not HDF5");
  EXPECT_THAT(message_of([&] { open_vtkhdf(folder.path(), sample_case(), 1); }), HasSubstr("fields.vtkhdf: opening"));
}

TEST(Vtp, WritesRawAppendedArraysAtTheirOffsets) {
  const ScratchFolder folder;
  const auto writer = open_vtp(folder.path(), sample_case());
  const sph::Fields fields = sample_fields(0.5, first_ids(7));
  writer->write(fields);
  const std::string vtp = read_text(folder / "fields/500.vtp");
  EXPECT_THAT(vtp, HasSubstr("NumberOfPoints=\"7\" NumberOfVerts=\"7\""));
  const std::string entry = "Name=\"pressure\" NumberOfComponents=\"1\" format=\"appended\" offset=\"";
  const std::size_t offset = std::stoul(vtp.substr(vtp.find(entry) + entry.size()));
  const char* block = vtp.data() + vtp.find("encoding=\"raw\">\n_") + 17 + offset;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, block, sizeof bytes);
  ASSERT_EQ(bytes, 7 * sizeof(float));
  std::vector<float> pressure(7);
  std::memcpy(pressure.data(), block + sizeof bytes, bytes);
  EXPECT_EQ(pressure, fields.pressure);
  for (const char* name : {"wall_number", "body"})
    EXPECT_THAT(vtp, HasSubstr("type=\"Int32\" Name=\"" + std::string(name) + "\""));
}

TEST(Vtp, TheCollectionListsEveryState) {
  const ScratchFolder folder;
  write_states(*open_vtp(folder.path(), sample_case()));
  const std::string pvd = read_text(folder / "fields.pvd");
  for (const char* line :
       {"timestep=\"0\" part=\"0\" file=\"fields/0.vtp\"", "timestep=\"0.25\" part=\"0\" file=\"fields/250.vtp\"",
        "timestep=\"1\" part=\"0\" file=\"fields/1000.vtp\""})
    EXPECT_THAT(pvd, HasSubstr(line));
}

}  // namespace
}  // namespace shoal::io
