// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <shoal/io/points_file.hpp>

#include <cmath>
#include <limits>

#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

struct CsvPoints : testing::Test {
  ScratchFolder folder;
  std::filesystem::path file = folder / "points.csv";

  PointsFile read(const std::string& content, const PointsFileOptions& options = {}) const {
    write_text(file, content);
    return read_points(file, options);
  }
  /// Error message without the folder of the file.
  std::string refusal(const std::string& content, const PointsFileOptions& options = {}) const {
    return folder.without_path(message_of([&] { read(content, options); }));
  }
};

TEST_F(CsvPoints, AreReadByTheNamesOfTheirColumns) {
  const PointsFile points = read("mass [kg],z [m],y [m],x [m]\n1,2,3,4\n5,6,7,8\n", {.values = {"mass"}});
  EXPECT_EQ(points.dimensions, 3);
  EXPECT_EQ(points.count(), 2);
  EXPECT_THAT(points.x, ElementsAre(4, 8));
  EXPECT_THAT(points.y, ElementsAre(3, 7));
  EXPECT_THAT(points.z, ElementsAre(2, 6));
  EXPECT_THAT(points.values.at("mass"), ElementsAre(1, 5));
  EXPECT_THAT(points.coordinates, ElementsAre("x [m]", "y [m]", "z [m]"));
  EXPECT_FALSE(points.single_precision);
}

TEST_F(CsvPoints, HaveAsManyDimensionsAsTheHeaderHasCoordinates) {
  EXPECT_EQ(read("x\n1\n").dimensions, 1);
  EXPECT_EQ(read("X,Y,u\n1,2,3\n").dimensions, 2);
  EXPECT_THAT(read("X,Y,u\n1,2,3\n").z, IsEmpty());
  EXPECT_THAT(read("\"id\",\"Points:0\",\"Points:1\",\"Points:2\"\n9,1,2,3\n").z, ElementsAre(3));  // ParaView's names
}

TEST_F(CsvPoints, WithoutAnyNamesAreAllOfTheColumns) {
  EXPECT_THAT(read("1,2\n3,4\n").y, ElementsAre(2, 4));
  EXPECT_THAT(read("a,b,mass\n1,2,3\n", {.values = {"mass"}}).y, ElementsAre(2));
  EXPECT_THAT(read("1;2;3;4\n", {.columns = {"mass", "x", "y", "z"}, .values = {"mass"}}).x, ElementsAre(2));
  EXPECT_THAT(read("7,8,9,1\n", {.columns = {"a", "b", "c", "d"}, .coordinates = {"d", "a"}}).y, ElementsAre(7));
}

TEST_F(CsvPoints, MayBeWrittenInManyWays) {
  const std::string contents[] = {
      "x,y\n1,-2.5\n",
      "x,y\r\n1,-2.5\r\n",
      "\xef\xbb\xbfx,y\n1,-2.5\n",
      " x , y \n 1 ,\t-2.5 \n",
      "x;y\n1;-2.5",
      "x\ty\n+1\t-25e-1\n",
      "# made by hand\n# x,y\n1,-2.5\n",
      "\n\nx,y\n\n1,-2.5\n\n",
      "\"x\",\"y\"\n\"1\",\"-2.5\"\n",
      "name,x,y\n\"a, b\",1,-2.5\n",
      "x,y\n# between\n1,-2.5\n",
  };
  for (const std::string& content : contents) {
    const PointsFile points = read(content);
    EXPECT_THAT(points.x, ElementsAre(1)) << content;
    EXPECT_THAT(points.y, ElementsAre(-2.5)) << content;
    EXPECT_THAT(points.z, IsEmpty()) << content;
  }
}

TEST_F(CsvPoints, KeepNaNAndInfinityForWhoSearches) {
  const PointsFile points = read("x\nnan\ninf\n-inf\n");
  EXPECT_TRUE(std::isnan(points.x[0]));
  EXPECT_EQ(points.x[1], std::numeric_limits<double>::infinity());
  EXPECT_EQ(points.x[2], -std::numeric_limits<double>::infinity());
}

TEST_F(CsvPoints, MayBeNone) {
  const PointsFile points = read("x,y,z\n");
  EXPECT_EQ(points.count(), 0);
  EXPECT_EQ(points.dimensions, 3);
}

TEST_F(CsvPoints, AreReadWholeAcrossBlocksAndInEveryDigit) {
  std::string content = "x,y\n";
  std::vector<double> x;
  for (int i = 0; i < 200'000; ++i) {
    x.push_back(std::sqrt(i));
    char line[64];
    content.append(line, static_cast<std::size_t>(std::snprintf(line, sizeof line, "%.17g,%d\n", x.back(), i)));
  }
  ASSERT_GT(content.size(), std::size_t{3} << 20);
  const PointsFile points = read(content);
  EXPECT_EQ(points.x, x);
  EXPECT_EQ(points.y.back(), 199'999);
}

TEST_F(CsvPoints, MayHaveALineLongerThanABlock) {
  const std::string name(3 << 20, 'n');
  EXPECT_THAT(read("x," + name + "\n1,2\n").x, ElementsAre(1));
}

TEST_F(CsvPoints, ThatAreNotNumbersAreNamedByLineAndField) {
  EXPECT_EQ(refusal("x,y\n1,2\n3,four\n"),
            "points.csv:3: field 2 (y) is \"four\", expected a number that double can hold.");
  EXPECT_EQ(refusal("x,y\n1,\n"), "points.csv:2: field 2 (y) is empty, expected a number that double can hold.");
  EXPECT_EQ(refusal("1,2\n3,1.5e400\n"),
            "points.csv:2: field 2 is \"1.5e400\", expected a number that double can hold.");
  EXPECT_EQ(refusal("x;y\n1,5;2,5\n"), "points.csv:2: field 1 (x) is \"1,5\", expected a number that double can hold.");
  EXPECT_EQ(refusal("x,y\n0x10,1\n"), "points.csv:2: field 1 (x) is \"0x10\", expected a number that double can hold.");
}

TEST_F(CsvPoints, WithTextAfterAQuoteAreRefused) {
  EXPECT_EQ(refusal("x,y\n\"1\"abc,2\n"),
            "points.csv:2: text follows the quote that closes a field, expected a separator.");
  EXPECT_EQ(refusal("\"x\" y,z\n1,2\n"),
            "points.csv:1: text follows the quote that closes a field, expected a separator.");
  EXPECT_THAT(read("name,x\n\"the \"\"first\"\", so\" ,1\n").x, ElementsAre(1));
}

TEST_F(CsvPoints, ThatAreNotUtf8AreRefusedInPrintableText) {
  EXPECT_EQ(refusal(std::string("\xff\xfex\0,\0y\0\n\0", 10)),
            "points.csv: this is UTF-16 text, expected UTF-8. Save it as UTF-8.");
  EXPECT_EQ(refusal(std::string("x,y\n1,\0\x1b[2J\xff\n", 13)),
            "points.csv:2: field 2 (y) is \"\\x00\\x1b[2J\\xff\", expected a number that double can hold.");
  EXPECT_EQ(refusal("x,y\n1,\xc3\xbc\n"),
            "points.csv:2: field 2 (y) is \"\xc3\xbc\", expected a number that double can hold.");
}

TEST_F(CsvPoints, WithLinesThatDoNotFitAreRefused) {
  EXPECT_EQ(refusal("x,y\n\n1,2\n3\n"), "points.csv:4: it has 1 fields, expected 2 as on the first line.");
  EXPECT_EQ(refusal("1,2\n1,2,3\n"), "points.csv:2: it has 3 fields, expected 2 as on the first line.");
  EXPECT_EQ(refusal("x,y\n\"1,2\n"), "points.csv:2: a quote is not closed on this line.");
  EXPECT_EQ(refusal("\"x,y\n1,2\n"), "points.csv:1: a quote is not closed on this line.");
  EXPECT_EQ(refusal("1,two\n3,4\n"),
            "points.csv:1: field 2 is \"two\", and others are numbers. Expected a header such as x,y,z or a line of "
            "numbers.");
  EXPECT_EQ(refusal(""), "points.csv: this file has no lines. Expected a header such as x,y,z and a line a point.");
}

TEST_F(CsvPoints, WhoseColumnsAreMissingOrUnclearAreRefused) {
  EXPECT_EQ(refusal("x,y,mass\n1,2,3\n", {.values = {"mas"}}),
            "points.csv: there is no column `mas`; did you mean `mass`? It has x, y, mass.");
  EXPECT_EQ(refusal("x,y\n1,2\n", {.coordinates = {"east"}}), "points.csv: there is no column `east`. It has x, y.");
  EXPECT_EQ(refusal("x,z\n1,2\n"),
            "points.csv: it has a column z and none for y. It has x, z. Name the coordinates, one to three of them, "
            "with `coordinates`.");
  EXPECT_EQ(refusal("x,X\n1,2\n"),
            "points.csv: two columns could be x. It has x, X. Name the coordinates, one to three of them, with "
            "`coordinates`.");
  EXPECT_EQ(refusal("a,b,c,d\n1,2,3,4\n"),
            "points.csv: 4 columns could be coordinates, and none is called x. It has a, b, c, d. Name the "
            "coordinates, one to three of them, with `coordinates`.");
  EXPECT_EQ(refusal("1,2,3,4\n"),
            "points.csv: 4 columns could be coordinates; the columns have no names. Name them all with `columns`, such "
            "as x,y,z,mass.");
  EXPECT_EQ(refusal("1,2,3\n", {.values = {"mass"}}),
            "points.csv: its columns have no names. Name them all with `columns`, such as x,y,z,mass.");
  EXPECT_EQ(refusal("a\n1\n", {.values = {"a"}}),
            "points.csv: no column is left for the coordinates. Name the coordinates, one to three of them, with "
            "`coordinates`.");
  EXPECT_EQ(refusal("x,y\n1,2\n", {.columns = {"x", "y"}}),
            "points.csv: its columns have names, x, y; the option `columns` is for files without.");
  EXPECT_EQ(refusal("1,2\n", {.columns = {"x"}}),
            "points.csv: `columns` has 1 names (x), and the file 2 columns. Name each.");
  EXPECT_EQ(refusal("a,b,c,d\n1,2,3,4\n", {.coordinates = {"a", "b", "c", "d"}}),
            "points.csv: 4 columns are to be coordinates (a, b, c, d), expected one to three.");
}

}  // namespace
}  // namespace shoal::io
