// SPDX-License-Identifier: Apache-2.0
// One .vtp (XML PolyData, raw appended) per state and a .pvd that lists them, for viewers without VTKHDF support. Each
// state replaces the whole .pvd. Rank 0 has all particles of a state in memory while it writes.
#include <fmt/format.h>

#include <fstream>
#include <numeric>

#include "core/text.hpp"
#include "io/formats/vtk/vtk_xml_writer.hpp"
#include "io/formats/whole_file.hpp"
#include "io/run/fields/field_writer.hpp"

namespace shoal::io {

namespace {

class Vtp : public FieldWriter {
 public:
  Vtp(std::filesystem::path folder, const sph::Case& simulation, std::int64_t kept_states)
      : folder_(std::move(folder)), arrays_(simulation) {
    std::error_code failed;
    std::filesystem::create_directories(folder_ / "fields", failed);
    require(!failed, (folder_ / "fields").string(), ": cannot make this folder: ", failed.message(), ".");
    if (kept_states > 0) read_list(kept_states);
  }

  void write(const FieldState& state) override {
    const std::string name = text("fields/", state.clock().step, ".vtp");
    write_whole_text(folder_ / name, state_text(state), false);
    unsynced_.push_back(folder_ / name);
    list_.push_back(fmt::format(R"(    <DataSet timestep="{}" part="0" file="{}"/>)", state.clock().time, name) + "\n");
    write_list();
  }

  std::int64_t count() const override { return static_cast<std::int64_t>(list_.size()); }
  void sync() override {
    for (const std::filesystem::path& state : unsynced_) sync_to_disk(state);
    unsynced_.clear();
    if (list_.empty()) return;
    for (const std::filesystem::path& entries : {folder_ / "fields", folder_ / "fields.pvd"}) sync_to_disk(entries);
  }

 private:
  std::string state_text(const FieldState& state) const {
    VtkXmlText out;
    const auto add = [&](const std::string& name, const auto& values, int columns) {
      out.add(name, state.whole(name, values, columns), columns);
    };
    out.open("PointData");
    for_each_changing_array(state.part(), arrays_, add);
    for_each_fixed_array(state.part(), add);
    out.close("PointData");
    out.open("Points");
    out.add("Points", state.whole("position", state.part().position, 3), 3);
    out.close("Points");
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(state.count()));
    std::iota(numbers.begin(), numbers.end(), 0);
    out.open("Verts");
    out.add("connectivity", numbers, 1);
    for (std::int64_t& number : numbers) ++number;
    out.add("offsets", numbers, 1);
    out.close("Verts");
    return out.whole("PolyData",
                     fmt::format(R"(NumberOfPoints="{0}" NumberOfVerts="{0}" NumberOfLines="0" NumberOfStrips="0" )"
                                 R"(NumberOfPolys="0")",
                                 state.count()));
  }

  void write_list() const {
    std::string content = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n";
    for (const std::string& line : list_) content += line;
    write_whole_text(folder_ / "fields.pvd", content + "  </Collection>\n</VTKFile>\n", false);
  }

  /// Reads the first `count` states of the existing list. The run overwrites the files of later states.
  void read_list(std::int64_t count) {
    const std::filesystem::path list = folder_ / "fields.pvd";
    std::ifstream in(list);
    for (std::string line; this->count() < count && std::getline(in, line);) {
      const std::string marker = "file=\"";
      const std::size_t begin = line.find(marker);
      if (begin == std::string::npos) continue;
      const std::size_t first = begin + marker.size();
      const std::filesystem::path state = folder_ / line.substr(first, line.find('"', first) - first);
      require(std::filesystem::is_regular_file(state), state.string(),
              ": there is no such file, which a state of the run is in. Put it back, or run the case again.");
      list_.push_back(line + '\n');
    }
    require(this->count() == count, list.string(), ": the list has ", this->count(), " states, expected at least the ",
            count, " that the run had written when its restart was made. Put it back, or run the case again.");
    write_list();
  }

  std::filesystem::path folder_;
  CaseArrays arrays_;
  std::vector<std::string> list_;
  std::vector<std::filesystem::path> unsynced_;  ///< states since the last sync()
};

}  // namespace

std::unique_ptr<FieldWriter> open_vtp(const std::filesystem::path& folder, const sph::Case& simulation,
                                      std::optional<std::int64_t> kept_states) {
  return std::make_unique<Vtp>(folder, simulation, kept_states.value_or(0));
}

}  // namespace shoal::io
