// SPDX-License-Identifier: Apache-2.0
#include "reports/neighbors_report.hpp"

#include <fmt/format.h>
#include <shoal/io/text.hpp>

namespace shoal::cli {

namespace {

/// "x=0:1" for each periodic axis.
std::vector<std::string> periods(const Box& box) {
  std::vector<std::string> periods;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (box.periodic[axis]) periods.push_back(fmt::format("{}={}:{}", "xyz"[axis], box.lower[axis], box.upper[axis]));
  return periods;
}

std::string search_text(const NeighborsReport& report) {
  const bool fixed = report.options.radius == Radius::fixed;
  std::string line = fixed
                         ? fmt::format("radius {} m", report.radius)
                         : fmt::format("{} times the points' radii, {}", report.radius, to_name(report.options.radius));
  line += fmt::format(", {}", to_name(report.options.predicate));
  const std::vector<std::string> axes = periods(report.box);
  if (!axes.empty()) line += fmt::format(", periodic {} m", fmt::join(axes, " "));
  if (report.options.include_self) line += ", each point its own neighbor";
  if (report.options.half) line += ", each pair once, in the row of the smaller number";
  if (report.options.order == RowOrder::visit) line += ", rows in the order of visits";
  return line;
}

}  // namespace

std::string report_text(const NeighborsReport& report) {
  const io::NeighborCounts& counts = report.counts;
  std::string out = fmt::format("points      {} in {} ({})\n", io::grouped(counts.points), report.points,
                                fmt::join(report.axes, ", "));
  if (!report.sources.empty())
    out += fmt::format("sources     {} in {}\n", io::grouped(report.source_count), report.sources);
  out += fmt::format("search      {}\n", search_text(report));
  out += fmt::format("method      {} in {} on {}\n", report.method, report.precision, report.device);
  out += fmt::format("neighbors   {} in total", io::grouped(counts.total));
  if (counts.points > 0)
    out += fmt::format(": mean {:.6g}, minimum {}, maximum {}, standard deviation {:.6g}; {} of {} points have none",
                       counts.mean, io::grouped(counts.least), io::grouped(counts.most), counts.deviation,
                       io::grouped(counts.without), io::grouped(counts.points));
  out += fmt::format("\ntime        reading {:.3g} s, copying {:.3g} s, searching {:.3g} s", report.reading,
                     report.copying, report.searching);
  if (report.out.empty()) return out + "\n";
  return out + fmt::format(", writing {:.3g} s\nfile        {}\n", report.writing, report.out);
}

io::JsonObject report_json(const NeighborsReport& report) {
  const io::NeighborCounts& counts = report.counts;
  std::vector<io::JsonObject> histogram;
  for (const io::CountBin& bin : counts.histogram)
    histogram.push_back(io::JsonObject().add("from", bin.from).add("to", bin.to).add("points", bin.points));
  io::JsonObject neighbors;
  neighbors.add("total", counts.total).add("mean", counts.mean).add("min", counts.least).add("max", counts.most);
  neighbors.add("standard_deviation", counts.deviation).add("points_without", counts.without);
  neighbors.add("histogram", histogram);
  io::JsonObject seconds;
  seconds.add("reading", report.reading).add("copying", report.copying).add("searching", report.searching);
  io::JsonObject json;
  json.add("file", report.points).add("points", counts.points).add("coordinates", report.axes);
  if (!report.sources.empty()) json.add("sources_file", report.sources).add("sources", report.source_count);
  json.add("radius", report.radius)
      .add("radius_of", to_name(report.options.radius))
      .add("predicate", to_name(report.options.predicate));
  json.add("periodic", periods(report.box)).add("include_self", report.options.include_self);
  json.add("half", report.options.half)
      .add("order", to_name(report.options.order))
      .add("method", report.method)
      .add("precision", report.precision);
  json.add("device", report.device).add("neighbors", neighbors);
  if (!report.out.empty()) json.add("out", report.out), seconds.add("writing", report.writing);
  return json.add("seconds", seconds);
}

std::string histogram_text(const io::NeighborCounts& counts, const Terminal& terminal) {
  std::vector<Bar> bars;
  for (const io::CountBin& bin : counts.histogram)
    bars.push_back({bin.from == bin.to ? io::grouped(bin.from) : io::grouped(bin.from) + " to " + io::grouped(bin.to),
                    bin.points});
  return bar_chart("neighbors", "points", bars, terminal);
}

}  // namespace shoal::cli
