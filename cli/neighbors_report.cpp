// SPDX-License-Identifier: Apache-2.0
#include "neighbors_report.hpp"

#include <fmt/format.h>
#include <shoal/io/text.hpp>

#include "core/text.hpp"

namespace shoal::cli {

namespace {

/// "x=0:1" for each periodic axis.
std::vector<std::string> periods(const Box& box) {
  std::vector<std::string> found;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (box.periodic[axis]) found.push_back(text("xyz"[axis], '=', box.lower[axis], ':', box.upper[axis]));
  return found;
}

std::string search_text(const NeighborsReport& report) {
  const bool fixed = report.options.radius == Radius::fixed;
  std::string said = fixed ? text("radius ", report.radius, " m")
                           : text(report.radius, " times the points' radii, ", to_name(report.options.radius));
  said += text(", ", to_name(report.options.predicate));
  if (const std::string along = join(periods(report.box), " "); !along.empty()) said += ", periodic " + along + " m";
  if (report.options.include_self) said += ", each point its own neighbor";
  if (report.options.half) said += ", each pair once, in the row of the smaller number";
  return said;
}

}  // namespace

std::string report_text(const NeighborsReport& report) {
  const NeighborCounts& counts = report.counts;
  std::string out =
      fmt::format("points      {} in {} ({})\n", io::grouped(counts.points), report.points, join(report.axes));
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
  const NeighborCounts& counts = report.counts;
  std::vector<io::JsonObject> histogram;
  for (const CountBin& bin : counts.histogram)
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
  json.add("half", report.options.half).add("method", report.method).add("precision", report.precision);
  json.add("device", report.device).add("neighbors", neighbors);
  if (!report.out.empty()) json.add("out", report.out), seconds.add("writing", report.writing);
  return json.add("seconds", seconds);
}

}  // namespace shoal::cli
