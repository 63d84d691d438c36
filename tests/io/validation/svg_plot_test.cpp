// SPDX-License-Identifier: Apache-2.0
#include "io/validation/svg_plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::Not;

TEST(SvgPlot, PlacesPointsByTheirLogarithms) {
  // The axes are 560 wide from 80 on and 400 high from 50 on; three decades of x and two of y.
  const std::string svg = svg_text({"title", "x", "y", {{"a line", {1, 10, 1000}, {0.01, 1, 0.1}}}});
  EXPECT_THAT(svg, HasSubstr("points=\"80.0,450.0 266.7,50.0 640.0,250.0 \""));
  EXPECT_THAT(svg, HasSubstr(">a line</text>"));
  EXPECT_THAT(svg, HasSubstr(">title</text>"));
  EXPECT_THAT(svg, HasSubstr("10<tspan dy=\"-5\" font-size=\"10\">-2</tspan>"));
  EXPECT_THAT(svg, HasSubstr("10<tspan dy=\"-5\" font-size=\"10\">3</tspan>"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(SvgPlot, LinearAxesHaveRoundNumbers) {
  // Grid lines reach from -0.2 to 1.6 in steps of 0.2, and from 0 to 16 in steps of 2.
  const Plot plot{"title", "x", "y", {{"a line", {0, 8, 16}, {-0.1, 0, 1.5}}}, PlotScale::linear};
  const std::string svg = svg_text(plot);
  EXPECT_THAT(svg, HasSubstr("points=\"80.0,427.8 360.0,405.6 640.0,72.2 \""));
  EXPECT_THAT(svg, HasSubstr(">14</text>"));
  EXPECT_THAT(svg, HasSubstr(">-0.2</text>"));
  EXPECT_THAT(svg, HasSubstr(">1.6</text>"));
  EXPECT_THAT(svg, Not(HasSubstr("tspan")));
}

TEST(SvgPlot, EscapesText) {
  EXPECT_THAT(svg_text({"a < b & c", "x", "y", {}}), HasSubstr(">a &lt; b &amp; c</text>"));
}

TEST(SvgPlot, LeavesEmptySeriesOut) {
  const std::string svg = svg_text({"title", "x", "y", {{"nothing", {}, {}}, {"one point", {5}, {5}}}});
  EXPECT_THAT(svg, Not(HasSubstr("nothing")));
  EXPECT_THAT(svg, HasSubstr("one point"));
}

TEST(SvgPlot, DashesSeriesAfterTheEighth) {
  Plot plot{"title", "x", "y", {}};
  for (int k = 0; k < 8; ++k) plot.series.push_back({"a line", {1, 10}, {1, 10}});
  EXPECT_THAT(svg_text(plot), Not(HasSubstr("stroke-dasharray")));
  plot.series.push_back({"the ninth", {1, 10}, {1, 10}});
  EXPECT_THAT(svg_text(plot), HasSubstr("stroke=\"#0072b2\" stroke-width=\"1.8\" stroke-dasharray=\"6 4\"/>"));
}

TEST(SvgPlot, ReportsInvalidSeries) {
  EXPECT_EQ(message_of([] {
              svg_text({"", "", "", {{"a", {1, 2}, {1}}}});
            }),
            "plot: series \"a\" has 2 x and 1 y, expected equal numbers.");
  EXPECT_EQ(message_of([] {
              svg_text({"", "", "", {{"a", {1}, {0}}}});
            }),
            "plot: series \"a\" has the value 0, expected a positive number: the axes are logarithmic.");
  const ScratchFolder folder;
  EXPECT_THAT(message_of([&] { write_svg(folder / "none" / "plot.svg", {}); }), HasSubstr("cannot write"));
}

}  // namespace
}  // namespace shoal::io
