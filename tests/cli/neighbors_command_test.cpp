// SPDX-License-Identifier: Apache-2.0
// `shoal neighbors` on lists that are short enough to check by hand.
#include <cstdint>

#include "io/formats/binary/hdf5.hpp"
#include "support/command_line.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct NeighborsCommand : CommandLineTest {
  std::string points = write("points.csv", "x,y,h\n0,0,0.5\n1,0,2\n3,0,0.1\n4,0,1.2\n");
  std::string sources = write("sources.csv", "x,y\n0.5,0\n9,9\n0,0.5\n");
  std::string list = path("list.h5");

  Result neighbors(const std::string& arguments) const {
    return run_shoal("neighbors " + points + " --device cpu --threads 1 " + arguments);
  }
  template <class T>
  std::vector<T> written(const std::string& dataset) const {
    const io::hdf5::Handle in = io::hdf5::open_for_reading(list);
    return io::hdf5::Rows(in, dataset).read<T>();
  }
  /// Rows of the list that the command writes with these arguments.
  std::vector<std::vector<std::int32_t>> rows(const std::string& arguments) const {
    EXPECT_THAT(neighbors(arguments + " --force --out " + list), Succeeds());
    const auto offsets = written<std::int64_t>("offsets");
    const auto indices = written<std::int32_t>("indices");
    std::vector<std::vector<std::int32_t>> rows;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
      rows.emplace_back(indices.begin() + offsets[i], indices.begin() + offsets[i + 1]);
    return rows;
  }
  void expect_refused(const std::string& arguments, const std::string& message) const {
    EXPECT_THAT(neighbors(arguments), Refuses(message));
  }
};

using Row = std::vector<std::int32_t>;

TEST_F(NeighborsCommand, FindsWhatIsNear) {
  EXPECT_THAT(rows("--radius 1.5"), ElementsAre(Row{1}, Row{0}, Row{3}, Row{2}));
  EXPECT_THAT(rows("--radius 2.5"), ElementsAre(Row{1}, Row{0, 2}, Row{1, 3}, Row{2}));
  EXPECT_THAT(rows("--radius 1"), ElementsAre(Row{}, Row{}, Row{}, Row{}));
  EXPECT_THAT(rows("--radius 1 --inclusive"), ElementsAre(Row{1}, Row{0}, Row{3}, Row{2}));
  EXPECT_THAT(rows("--radius 1 --include-self"), ElementsAre(Row{0}, Row{1}, Row{2}, Row{3}));
  EXPECT_THAT(rows("--radius 2.5 --half"), ElementsAre(Row{1}, Row{2}, Row{3}, Row{}));
  EXPECT_THAT(rows("--radius 1.5 --periodic x=0:5"), ElementsAre(Row{1, 3}, Row{0}, Row{3}, Row{0, 2}));
  EXPECT_THAT(rows("--radius 1.5 --periodic x=0:5,y=-2:2"), ElementsAre(Row{1, 3}, Row{0}, Row{3}, Row{0, 2}));
  EXPECT_THAT(rows("--radius 1 --sources " + sources), ElementsAre(Row{0, 2}, Row{0}, Row{}, Row{}));
  EXPECT_THAT(rows("--radius 1 --order visit --sources " + sources), ElementsAre(Row{2, 0}, Row{0}, Row{}, Row{}));
  EXPECT_THAT(rows("--radius 1.5 --method serial --precision float"), ElementsAre(Row{1}, Row{0}, Row{3}, Row{2}));
}

TEST_F(NeighborsCommand, FindsWhatIsWithinTheRadiiOfThePoints) {
  EXPECT_THAT(rows("--radius 1 --radii h --reach gather"), ElementsAre(Row{}, Row{0}, Row{}, Row{2}));
  EXPECT_THAT(rows("--radius 1 --radii h --reach scatter"), ElementsAre(Row{1}, Row{}, Row{3}, Row{}));
  EXPECT_THAT(rows("--radius 1 --radii h"), ElementsAre(Row{1}, Row{0}, Row{3}, Row{2}));
  EXPECT_THAT(rows("--radius 2.1 --radii h --reach gather"), ElementsAre(Row{1}, Row{0, 2, 3}, Row{}, Row{2}));
}

TEST_F(NeighborsCommand, WritesLengthsWithTheList) {
  rows("--radius 1.5 --periodic x=0:5 --distances --displacements");
  EXPECT_THAT(written<double>("distances"), ElementsAre(1, 1, 1, 1, 1, 1));
  EXPECT_THAT(written<double>("displacements"), ElementsAre(-1, 0, 1, 0, 1, 0, -1, 0, -1, 0, 1, 0));
}

TEST_F(NeighborsCommand, PrintsStatistics) {
  const Result result = neighbors("--radius 2.5");
  EXPECT_THAT(result, Succeeds());
  EXPECT_THAT(result.text, StartsWith("points      4 in " + points +
                                      " (x, y)\n"
                                      "search      radius 2.5 m, strict\n"
                                      "method      rows in double on cpu, 1 thread\n"
                                      "neighbors   6 in total: mean 1.5, minimum 1, maximum 2, standard deviation 0.5; "
                                      "0 of 4 points have none\n"
                                      "time        reading "));
  EXPECT_THAT(result.text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(neighbors("--radius 1 --sources " + sources).text,
              HasSubstr("neighbors   3 in total: mean 0.75, minimum 0, maximum 2, standard deviation 0.829156; 2 of 4 "
                        "points have none"));
  EXPECT_THAT(neighbors("--radius 1 --order visit").text,
              HasSubstr("search      radius 1 m, strict, rows in the order of visits\n"));
  EXPECT_THAT(neighbors("--radius 1 --radii h --half --periodic x=0:10 --include-self").text,
              HasSubstr("search      1 times the points' radii, symmetric, strict, periodic x=0:10 m, each point its "
                        "own neighbor, each pair once, in the row of the smaller number\n"));
}

TEST_F(NeighborsCommand, PrintsAHistogramNoWiderThanTheTerminal) {
  EXPECT_THAT(neighbors("--radius 1 --sources " + sources + " --histogram").text,
              HasSubstr("\n\nneighbors  points\n"
                        "        0       2  " +
                        std::string(61, '#') +
                        "\n"
                        "        1       1  " +
                        std::string(31, '#') +
                        "\n"
                        "        2       1  " +
                        std::string(31, '#') + "\n"));
  // 23 points at 1, 22 at -1, which are also neighbors of each other, and 1 at 0, which is a neighbor of all.
  std::string three_places = "x\n0\n";
  for (int i = 0; i < 45; ++i) three_places += i % 2 ? "-1\n" : "1\n";
  write_text(points, three_places);
  const std::string histogram = neighbors("--radius 1.5 --histogram").text;
  EXPECT_THAT(histogram, HasSubstr(" 22 to 23      45  " + std::string(61, '#') + "\n 24 to 25       0\n"));
  EXPECT_THAT(histogram, testing::EndsWith(" 44 to 45       1  ##\n"));
}

TEST_F(NeighborsCommand, PrintsJson) {
  const Result result = neighbors("--radius 2.5 --periodic x=-8:8 --json --out " + list);
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_EQ(result.text.find('\n'), result.text.size() - 1);
  EXPECT_THAT(
      result.text,
      StartsWith(
          "{\"file\": \"" + points +
          R"(", "points": 4, "coordinates": ["x", "y"], "radius": 2.5, )"
          R"("radius_of": "fixed", "predicate": "strict", "periodic": ["x=-8:8"], )"
          R"("include_self": false, "half": false, "order": "ascending", "method": "rows", "precision": "double", )"
          R"("device": "cpu, 1 thread", "neighbors": {"total": 6, "mean": 1.5, "min": 1, "max": 2, )"
          R"("standard_deviation": 0.5, "points_without": 0, "histogram": [{"from": 1, "to": 1, )"
          R"("points": 2}, {"from": 2, "to": 2, "points": 2}]}, "out": ")"));
  EXPECT_THAT(result.text, HasSubstr("\"seconds\": {\"reading\": "));
}

TEST_F(NeighborsCommand, TakesEmptyFilesAndFilesWithoutNames) {
  write_text(points, "x,y\n");
  EXPECT_THAT(neighbors("--radius 1 --histogram").text, HasSubstr("neighbors   0 in total\n"));
  write_text(points, "5,0,0\n6,0.5,0\n");
  EXPECT_THAT(rows("--radius 0.75 --columns m,y,x --coordinates x,y"), ElementsAre(Row{1}, Row{0}));
}

TEST_F(NeighborsCommand, RefusesBadArguments) {
  expect_refused("", "--radius is required");
  expect_refused("--radius 0", "neighbors: radius = 0 m, expected a positive length.");
  expect_refused("--radius 1 --out list.txt", "a list of neighbors ends with .h5, .hdf5, .npz.");
  expect_refused("--radius 1 --out no/list.h5", "no/list.h5: there is no folder no.");
  expect_refused("--radius 1 --periodic x", "--periodic x: expected an axis and its bounds in m, such as x=0:1.");
  expect_refused("--radius 1 --periodic x=0:wide", "--periodic x=0:wide: expected an axis and its bounds in m");
  expect_refused("--radius 1 --periodic z=0:9", "--periodic z=0:9: the points have 2 coordinates.");
  expect_refused("--radius 1 --periodic x=0:9,x=0:8", "--periodic x=0:8: this axis has bounds already.");
  expect_refused("--radius 1 --periodic x=0:1", "less than twice the radius");
  expect_refused("--radius 1 --method fastest", "method `fastest` is not available on cpu");
  expect_refused("--radius 1 --precision half", "--precision");
  expect_refused("--radius 1 --reach gather", "--reach requires --radii");
  expect_refused("--radius 1 --radii hh", "there is no column `hh`; did you mean `h`? It has x, y, h.");
  expect_refused("--radius 1 --distances", "--distances and --displacements go into a file; add --out FILE.h5.");
  expect_refused("--radius 1 --half --sources " + sources, "--half is for pairs within one set");
  expect_refused("--radius 1 --step 2", "a .csv file has no steps");
}

TEST_F(NeighborsCommand, RefusesBadFiles) {
  write_text(sources, "x\n1\n");
  expect_refused("--radius 1 --sources " + sources, "its points have 2 coordinates, and those of " + sources + " 1.");
  write_text(points, "x,y\n0,one\n");
  expect_refused("--radius 1", "points.csv:2: field 2 (y) is \"one\"");
  std::filesystem::remove(points);
  expect_refused("--radius 1", "points.csv: there is no such file.");
}

TEST_F(NeighborsCommand, NamesThePointThatCannotBeSearched) {
  write_text(points, "x,y\n0,0\n1,nan\n");
  const Result result = neighbors("--radius 1 --out " + list);
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.text, "shoal: neighbors: point 1: y is not a number. Repair or remove it.\n");
  EXPECT_FALSE(std::filesystem::exists(list));
}

TEST_F(NeighborsCommand, EndsAtCtrlCWhileItReads) {
  const std::string pipe = path("pipe.csv");
  // A pipe that nobody writes to blocks the reader.
  const Result result = shell("mkfifo " + pipe + "; env --default-signal=INT " SHOAL_EXECUTABLE " neighbors " + pipe +
                              " --radius 1 & p=$!; sleep 0.2; kill -INT $p; wait $p");
  EXPECT_EQ(result.code, 130) << result.text;
}

}  // namespace
}  // namespace shoal
