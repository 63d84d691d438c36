// SPDX-License-Identifier: Apache-2.0
// Fields that are added to restart files of SU2.
#include <gmock/gmock.h>
#include <shoal/io/solver_fields.hpp>

#include <array>
#include <cstring>
#include <fstream>

#include "io/formats/whole_file.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using testing::HasSubstr;

class Su2Field : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& content) const {
    std::ofstream(folder / name, std::ios::binary) << content;
    return folder / name;
  }
  std::string with(const std::filesystem::path& restart, const std::vector<double>& values,
                   const std::string& name = "Wall_Distance") const {
    const auto out = folder / "out";
    write_su2_field(restart, out, name, View<const double>(values));
    return read_whole(out);
  }
  std::string message(const std::filesystem::path& restart, const std::vector<double>& values,
                      const std::string& name = "Wall_Distance") const {
    return testing_support::message_of([&] { with(restart, values, name); });
  }

  testing_support::ScratchFolder folder;
};

template <class T>
void append(std::string& content, const T& value) {
  content.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A binary restart file of two points with x and pressure, an iteration and eight numbers behind the table.
std::string binary_restart() {
  std::string content;
  for (const std::int32_t number : {535532, 2, 2, 1, 8}) append(content, number);
  for (const char* name : {"x", "Pressure"}) content.append(name).append(33 - std::strlen(name), '\0');
  for (const double value : {0.5, 101325.0, 1.5, 101320.0}) append(content, value);
  append(content, std::int32_t{7});
  for (int i = 0; i < 8; ++i) append(content, 0.125 * i);
  return content;
}

TEST_F(Su2Field, TextKeepsItsFormAndMetadata) {
  const auto quoted = write("quoted.csv", "\"PointID\",\"x\"\n0,\t1.0\n1,\t2.0\nEXT_ITER= 3\n");
  EXPECT_EQ(with(quoted, {0, 0.25}),
            "\"PointID\",\"x\",\"Wall_Distance\"\n0,\t1.0,0.000000000000000e+00\n1,\t2.0,2.500000000000000e-01\n"
            "EXT_ITER= 3\n");
  const auto spaced = write("spaced.csv", "PointID, x\r\n0, 1.0\r\n1, 2.0");
  EXPECT_EQ(with(spaced, {1, 2}),
            "PointID, x, Wall_Distance\n0, 1.0, 1.000000000000000e+00\n1, 2.0, 2.000000000000000e+00\n");
}

TEST_F(Su2Field, BinaryGetsANameAndAColumn) {
  const std::string content = with(write("flow.dat", binary_restart()), {3, 4});
  std::array<std::int32_t, 5> head;
  std::memcpy(head.data(), content.data(), sizeof head);
  EXPECT_THAT(head, testing::ElementsAre(535532, 3, 2, 1, 8));
  EXPECT_STREQ(content.data() + 20 + 66, "Wall_Distance");
  std::array<double, 6> rows;
  std::memcpy(rows.data(), content.data() + 20 + 99, sizeof rows);
  EXPECT_THAT(rows, testing::ElementsAre(0.5, 101325, 3, 1.5, 101320, 4));
  const std::string before = binary_restart();
  EXPECT_EQ(content.substr(20 + 99 + sizeof rows), before.substr(20 + 66 + 32)) << "metadata";
}

TEST_F(Su2Field, ErrorsSayWhatIsWrong) {
  const auto text = write("flow.csv", "\"PointID\",\"x\"\n0,1.0\n1,2.0\n");
  EXPECT_THAT(message(text, {1}), HasSubstr("flow.csv: 1 values of Wall_Distance, and the file has 2 points"));
  EXPECT_THAT(message(text, {1, 0.0 / 0.0}), HasSubstr("value 1 of Wall_Distance is"));
  EXPECT_THAT(message(text, {1, 2}, "x"), HasSubstr("it has a field x. Choose another name."));
  EXPECT_THAT(message(text, {1, 2}, "a,b"), HasSubstr("\"a,b\" is no name of a field"));
  EXPECT_THAT(message(write("other.csv", "x,y\n0,1.0\n1,2.0 and more\n"), {1, 2}), HasSubstr("expected `PointID`"));
  EXPECT_THAT(message(write("order.csv", "PointID,x\n0,1.0\n2,2.0\n"), {1, 2}), HasSubstr("line 3 has the point 2"));
  EXPECT_THAT(message(write("row.csv", "PointID,x\n0,1.0\n1\n"), {1, 2}), HasSubstr("line 3 has 1 values, expected 2"));
  EXPECT_THAT(message(write("empty.dat", "csv"), {1}), HasSubstr("the file has 3 bytes"));
  const std::string binary = binary_restart();
  EXPECT_THAT(message(write("cut.dat", binary.substr(0, 100)), {1, 2}), HasSubstr("cut short: 2 fields of 2 points"));
  EXPECT_THAT(message(write("flow.dat", binary), {1, 2}, "Pressure"), HasSubstr("it has a field Pressure"));
  EXPECT_THAT(message(write("swapped.dat", std::string("\x00\x08\x2b\xec", 4) + binary.substr(4)), {1, 2}),
              HasSubstr("another order of bytes"));
  EXPECT_THAT(testing_support::message_of([&] {
                const std::vector<double> values{1, 2};
                write_su2_field(text, text, "Wall_Distance", View<const double>(values));
              }),
              HasSubstr("flow.csv"));
  EXPECT_EQ(read_whole(text), "\"PointID\",\"x\"\n0,1.0\n1,2.0\n") << "the input stays";
}

}  // namespace
}  // namespace shoal::io
