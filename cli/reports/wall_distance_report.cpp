// SPDX-License-Identifier: Apache-2.0
#include "reports/wall_distance_report.hpp"

#include <fmt/format.h>
#include <shoal/io/text.hpp>

#include <limits>

namespace shoal::cli {

namespace {

std::string walls_text(const WallDistanceReport& report) {
  std::vector<std::string> walls;
  for (const WallFaces& wall : report.walls)
    walls.push_back(fmt::format("{} ({} {})", wall.name, io::grouped(wall.faces), wall.faces == 1 ? "face" : "faces"));
  return fmt::format("{}", fmt::join(walls, ", "));
}

std::string far_field_text(const WallDistanceReport& report) {
  const std::int64_t inexact = report.distance.points - report.far_field_counts.exact;
  std::string line =
      fmt::format("{} of {} exact", io::grouped(report.far_field_counts.exact), io::grouped(report.distance.points));
  if (inexact > 0)
    line += fmt::format(", {} at most {:.3g} % too large", io::grouped(inexact), 100 * report.far_field_counts.excess);
  return line;
}

std::string tested_text(const WallDistanceReport& report) {
  if (!report.tested) return "not counted by this method";
  return fmt::format("{:.4g} faces a query for a bound, {:.4g} exactly", report.per_query(report.tested->bounded),
                     report.per_query(report.tested->exact));
}

/// Adds the number of tested faces; null if the method does not count them.
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
  std::string line = fmt::format("reading {:.3g} s, building {:.3g} s, copying {:.3g} s, finding {:.3g} s",
                                 report.reading, report.building, report.copying, report.finding);
  if (report.writes()) line += fmt::format(", writing {:.3g} s", report.writing);
  return line;
}

}  // namespace

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
  const io::DistanceCounts& counts = report.distance;
  std::vector<ReportLine> lines = {
      {"mesh", fmt::format("{} cells and {} nodes in {}, {}-D", io::grouped(report.cells), io::grouped(report.nodes),
                           report.mesh, report.dimensions)},
      {"walls", walls_text(report)},
      {"points", fmt::format("{} {}", io::grouped(counts.points),
                             report.points_file.empty() ? report.points : "in " + report.points_file)},
      {"method", fmt::format("{} to the nearest {} on {}", report.method, report.target, report.device)}};
  if (counts.points > 0) {
    const std::string inside = report.is_signed ? fmt::format(", {} inside", io::grouped(counts.inside)) : "";
    lines.emplace_back("distance", fmt::format("{:.6g} to {:.6g} m, {} of {} on a wall{}", counts.least, counts.most,
                                               io::grouped(counts.on_wall), io::grouped(counts.points), inside));
    if (report.has_far_field()) lines.emplace_back("proven", far_field_text(report));
  }
  lines.emplace_back("speed", io::scientific(report.queries_per_second()) + " queries/s");
  lines.emplace_back("tested", tested_text(report));
  lines.emplace_back("memory", fmt::format("{} bytes in the plan: {:.4g} a face, {:.4g} a query",
                                           io::grouped(report.plan_bytes + report.query_bytes), report.bytes_per_face(),
                                           report.bytes_per_query()));
  lines.emplace_back("time", time_text(report));
  if (!report.out.empty()) lines.emplace_back("file", report.out);
  if (!report.fields.empty()) lines.emplace_back("field", fmt::format("{}", fmt::join(report.fields, ", ")));
  return aligned(lines);
}

io::JsonObject report_json(const WallDistanceReport& report) {
  std::vector<io::JsonObject> walls, decades;
  for (const WallFaces& wall : report.walls)
    walls.push_back(io::JsonObject().add("name", wall.name).add("faces", wall.faces));
  for (const io::DistanceBin& bin : report.distance.decades)
    decades.push_back(io::JsonObject().add("from", bin.from).add("to", bin.to).add("points", bin.points));
  io::JsonObject distance, far_field, bytes, seconds, json;
  distance.add("min", report.distance.least).add("max", report.distance.most);
  distance.add("on_wall", report.distance.on_wall);
  if (report.is_signed) distance.add("inside", report.distance.inside);
  distance.add("histogram", decades);
  if (report.has_far_field()) {
    far_field.add("tolerance", report.far_field.tolerance).add("beyond", report.far_field.beyond);
    far_field.add("exact", report.far_field_counts.exact).add("excess", report.far_field_counts.excess);
    distance.add("far_field", far_field);
  }
  bytes.add("plan", report.plan_bytes + report.query_bytes).add("per_face", report.bytes_per_face());
  bytes.add("per_query", report.bytes_per_query());
  seconds.add("reading", report.reading).add("building", report.building).add("copying", report.copying);
  seconds.add("finding", report.finding);
  json.add("file", report.mesh).add("dimensions", static_cast<std::int64_t>(report.dimensions));
  json.add("cells", report.cells).add("nodes", report.nodes).add("walls", walls);
  json.add("points", report.distance.points).add("points_are", report.points);
  if (!report.points_file.empty()) json.add("points_file", report.points_file);
  json.add("to", report.target);
  json.add("method", report.method).add("device", report.device).add("distance", distance);
  json.add("queries_per_second", report.queries_per_second());
  add_tested(report, json);
  json.add("bytes", bytes);
  if (!report.out.empty()) json.add("out", report.out);
  if (!report.fields.empty()) json.add("fields", report.fields);
  if (report.writes()) seconds.add("writing", report.writing);
  return json.add("seconds", seconds);
}

std::string histogram_text(const io::DistanceCounts& counts, const Terminal& terminal) {
  std::vector<Bar> bars;
  if (counts.on_wall > 0) bars.push_back({"0", counts.on_wall});
  for (const io::DistanceBin& bin : counts.decades)
    bars.push_back(
        {bin.from > 0 ? fmt::format("{:.0e} to {:.0e}", bin.from, bin.to) : fmt::format("less than {:.0e}", bin.to),
         bin.points});
  return bar_chart("distance in m", "points", bars, terminal);
}

}  // namespace shoal::cli
