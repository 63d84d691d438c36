// SPDX-License-Identifier: Apache-2.0
#include "wall_distance_report.hpp"

#include <fmt/format.h>
#include <shoal/io/text.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bar_chart.hpp"
#include "core/text.hpp"
#include "report_lines.hpp"

namespace shoal::cli {

namespace {

constexpr int most_decades = 20;

/// 10^exponent as a program's text has it, which pow() may miss by a bit; 0 or infinite beyond double.
double power_of_ten(int exponent) {
  double power = exponent < 0 ? 0 : std::numeric_limits<double>::infinity();
  io::read_number(text("1e", exponent), power);
  return power;
}

/// The decade of a distance: the largest exponent whose power of ten is not larger.
int decade_of(double distance) {
  int exponent = static_cast<int>(std::floor(std::log10(distance)));
  while (power_of_ten(exponent) > distance) --exponent;
  while (power_of_ten(exponent + 1) <= distance) ++exponent;
  return exponent;
}

std::vector<DistanceBin> empty_decades(double least, double most) {
  const int last = decade_of(most), first = std::max(decade_of(least), last + 1 - most_decades);
  std::vector<DistanceBin> decades;
  for (int exponent = first; exponent <= last; ++exponent)
    decades.push_back({power_of_ten(exponent), power_of_ten(exponent + 1), 0});
  if (least < decades[0].from) decades[0].from = 0;
  return decades;
}

std::string walls_text(const WallDistanceReport& report) {
  std::vector<std::string> walls;
  for (const WallFaces& wall : report.walls)
    walls.push_back(fmt::format("{} ({} {})", wall.name, io::grouped(wall.faces), wall.faces == 1 ? "face" : "faces"));
  return join(walls);
}

std::string proven_text(const WallDistanceReport& report) {
  const std::int64_t others = report.distance.points - report.proven.exact;
  std::string said =
      fmt::format("{} of {} exact", io::grouped(report.proven.exact), io::grouped(report.distance.points));
  if (others > 0)
    said += fmt::format(", {} at most {:.3g} % too large", io::grouped(others), 100 * report.proven.excess);
  return said;
}

std::string tested_text(const WallDistanceReport& report) {
  if (!report.tested) return "not counted by this method";
  return fmt::format("{:.4g} faces a query for a bound, {:.4g} exactly", report.per_query(report.tested->bounded),
                     report.per_query(report.tested->exact));
}

/// Null if they were not counted.
void add_tested(const WallDistanceReport& report, io::JsonObject& json) {
  constexpr const char* name = "faces_per_query";
  if (!report.tested) {
    json.add(name, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  io::JsonObject tested;
  tested.add("bounded", report.per_query(report.tested->bounded));
  json.add(name, tested.add("exact", report.per_query(report.tested->exact)));
}

std::string time_text(const WallDistanceReport& report) {
  std::string said = fmt::format("reading {:.3g} s, building {:.3g} s, copying {:.3g} s, finding {:.3g} s",
                                 report.reading, report.building, report.copying, report.finding);
  if (!report.out.empty()) said += fmt::format(", writing {:.3g} s", report.writing);
  return said;
}

}  // namespace

DistanceCounts count_distances(View<const double> distance) {
  DistanceCounts counts;
  counts.points = distance.count;
  if (counts.points == 0) return counts;
  const auto [least, most] = std::minmax_element(distance.data, distance.data + distance.count);
  counts.least = *least;
  counts.most = *most;
  const double farthest = std::max(-counts.least, counts.most);
  double nearest_off_wall = std::numeric_limits<double>::infinity();
  for (std::int64_t i = 0; i < distance.count; ++i)
    if (distance.data[i] != 0) nearest_off_wall = std::min(nearest_off_wall, std::abs(distance.data[i]));
  if (farthest > 0) counts.decades = empty_decades(nearest_off_wall, farthest);
  for (std::int64_t i = 0; i < distance.count; ++i) {
    const double size = std::abs(distance.data[i]);
    const auto bin = std::find_if(counts.decades.begin(), counts.decades.end(),
                                  [&](const DistanceBin& decade) { return size < decade.to; });
    ++(size == 0 ? counts.on_wall : bin->points);
    counts.inside += distance.data[i] < 0;
  }
  return counts;
}

ProvenCounts count_proven(View<const double> distance, View<const double> lower) {
  ProvenCounts counts;
  for (std::int64_t i = 0; i < distance.count; ++i) {
    if (distance.data[i] == lower.data[i])
      ++counts.exact;
    else
      counts.excess = std::max(counts.excess, distance.data[i] / lower.data[i] - 1);
  }
  return counts;
}

std::int64_t WallDistanceReport::faces() const {
  std::int64_t total = 0;
  for (const WallFaces& wall : walls) total += wall.faces;
  return total;
}

double WallDistanceReport::queries_per_second() const {
  return finding > 0 ? static_cast<double>(distance.points) / finding : 0;
}

double WallDistanceReport::per_query(std::int64_t total) const {
  return distance.points > 0 ? static_cast<double>(total) / static_cast<double>(distance.points) : 0;
}

double WallDistanceReport::bytes_per_face() const {
  return static_cast<double>(plan_bytes) / static_cast<double>(faces());
}

double WallDistanceReport::bytes_per_query() const { return per_query(query_bytes); }

std::string report_text(const WallDistanceReport& report) {
  const DistanceCounts& found = report.distance;
  std::vector<ReportLine> lines = {
      {"mesh", fmt::format("{} cells and {} nodes in {}, {}-D", io::grouped(report.cells), io::grouped(report.nodes),
                           report.mesh, report.dimensions)},
      {"walls", walls_text(report)},
      {"points", fmt::format("{} {}", io::grouped(found.points), report.points)},
      {"method", fmt::format("{} to the nearest {} on {}", report.method, report.to, report.device)}};
  if (found.points > 0) {
    const std::string inside = report.is_signed ? fmt::format(", {} inside", io::grouped(found.inside)) : "";
    lines.emplace_back("distance", fmt::format("{:.6g} to {:.6g} m, {} of {} on a wall{}", found.least, found.most,
                                               io::grouped(found.on_wall), io::grouped(found.points), inside));
    if (report.has_far_field()) lines.emplace_back("proven", proven_text(report));
  }
  lines.emplace_back("speed", io::scientific(report.queries_per_second()) + " queries/s");
  lines.emplace_back("tested", tested_text(report));
  lines.emplace_back("memory", fmt::format("{} bytes in the plan: {:.4g} a face, {:.4g} a query",
                                           io::grouped(report.plan_bytes + report.query_bytes), report.bytes_per_face(),
                                           report.bytes_per_query()));
  lines.emplace_back("time", time_text(report));
  if (!report.out.empty()) lines.emplace_back("file", report.out);
  return aligned(lines);
}

io::JsonObject report_json(const WallDistanceReport& report) {
  std::vector<io::JsonObject> walls, decades;
  for (const WallFaces& wall : report.walls)
    walls.push_back(io::JsonObject().add("name", wall.name).add("faces", wall.faces));
  for (const DistanceBin& bin : report.distance.decades)
    decades.push_back(io::JsonObject().add("from", bin.from).add("to", bin.to).add("points", bin.points));
  io::JsonObject distance, far_field, bytes, seconds, json;
  distance.add("min", report.distance.least).add("max", report.distance.most);
  distance.add("on_wall", report.distance.on_wall);
  if (report.is_signed) distance.add("inside", report.distance.inside);
  distance.add("histogram", decades);
  if (report.has_far_field()) {
    far_field.add("tolerance", report.far_field.tolerance).add("beyond", report.far_field.beyond);
    far_field.add("exact", report.proven.exact).add("excess", report.proven.excess);
    distance.add("far_field", far_field);
  }
  bytes.add("plan", report.plan_bytes + report.query_bytes).add("per_face", report.bytes_per_face());
  bytes.add("per_query", report.bytes_per_query());
  seconds.add("reading", report.reading).add("building", report.building).add("copying", report.copying);
  seconds.add("finding", report.finding);
  json.add("file", report.mesh).add("dimensions", static_cast<std::int64_t>(report.dimensions));
  json.add("cells", report.cells).add("nodes", report.nodes).add("walls", walls);
  json.add("points", report.distance.points).add("points_are", report.points).add("to", report.to);
  json.add("method", report.method).add("device", report.device).add("distance", distance);
  json.add("queries_per_second", report.queries_per_second());
  add_tested(report, json);
  json.add("bytes", bytes);
  if (!report.out.empty()) json.add("out", report.out), seconds.add("writing", report.writing);
  return json.add("seconds", seconds);
}

std::string histogram_text(const DistanceCounts& counts, const Terminal& terminal) {
  std::vector<Bar> bars;
  if (counts.on_wall > 0) bars.push_back({"0", counts.on_wall});
  for (const DistanceBin& bin : counts.decades)
    bars.push_back(
        {bin.from > 0 ? fmt::format("{:.0e} to {:.0e}", bin.from, bin.to) : fmt::format("less than {:.0e}", bin.to),
         bin.points});
  return bar_chart("distance in m", "points", bars, terminal);
}

}  // namespace shoal::cli
