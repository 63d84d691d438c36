// SPDX-License-Identifier: Apache-2.0
// One .vtp (XML PolyData, raw appended) per state and a .pvd that lists them, for viewers without VTKHDF support. Each
// state replaces the whole .pvd.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <numeric>

#include "core/text.hpp"
#include "io/formats/vtk/vtk_xml_writer.hpp"
#include "io/formats/whole_file.hpp"
#include "io/run/fields/field_arrays.hpp"
#include "io/run/fields/field_writer.hpp"

namespace shoal::io {

namespace {

void write_file(const std::filesystem::path& path, const std::string& content) {
  write_whole(path, [&](const std::filesystem::path& partial) {
    std::ofstream out(partial, std::ios::binary | std::ios::trunc);
    out << content << std::flush;
    require(out.good(), path.string(), ": writing failed: ", std::strerror(errno),
            ". What was written before is kept.");
  });
}

class Vtp : public FieldWriter {
 public:
  Vtp(std::filesystem::path folder, const sph::Case& simulation, std::optional<double> continue_after)
      : folder_(std::move(folder)), with_energy_(simulation.scheme.energy) {
    std::error_code failed;
    std::filesystem::create_directories(folder_ / "fields", failed);
    require(!failed, (folder_ / "fields").string(), ": cannot make this folder: ", failed.message(), ".");
    if (continue_after && std::filesystem::exists(folder_ / "fields.pvd")) read_list(*continue_after);
  }

  void write(const sph::Fields& fields) override {
    const std::string name = text("fields/", fields.clock.step, ".vtp");
    write_file(folder_ / name, state_text(fields));
    list_.push_back(fmt::format(R"(    <DataSet timestep="{}" part="0" file="{}"/>)", fields.clock.time, name) + "\n");
    write_list();
  }

 private:
  std::string state_text(const sph::Fields& fields) const {
    VtkXmlText out;
    const auto add = [&](const std::string& name, const auto& values, int columns) { out.add(name, values, columns); };
    out.open("PointData");
    for_each_changing_array(fields, with_energy_, add);
    for_each_fixed_array(fields, add);
    out.close("PointData");
    out.open("Points");
    add("Points", fields.position, 3);
    out.close("Points");
    std::vector<std::int64_t> numbers(fields.id.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    out.open("Verts");
    add("connectivity", numbers, 1);
    for (std::int64_t& number : numbers) ++number;
    add("offsets", numbers, 1);
    out.close("Verts");
    return out.whole("PolyData",
                     fmt::format(R"(NumberOfPoints="{0}" NumberOfVerts="{0}" NumberOfLines="0" NumberOfStrips="0" )"
                                 R"(NumberOfPolys="0")",
                                 fields.id.size()));
  }

  void write_list() const {
    std::string content = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n";
    for (const std::string& line : list_) content += line;
    write_file(folder_ / "fields.pvd", content + "  </Collection>\n</VTKFile>\n");
  }

  /// Reads the states of the existing list up to `last`. The run overwrites the files of later states.
  void read_list(double last) {
    std::ifstream in(folder_ / "fields.pvd");
    const std::string marker = "timestep=\"";
    for (std::string line; std::getline(in, line);) {
      const std::size_t at = line.find(marker);
      if (at == std::string::npos) continue;
      double time = 0;
      std::from_chars(line.data() + at + marker.size(), line.data() + line.size(), time);
      if (time <= last) list_.push_back(line + '\n');
    }
    write_list();
  }

  std::filesystem::path folder_;
  bool with_energy_;
  std::vector<std::string> list_;
};

}  // namespace

std::unique_ptr<FieldWriter> open_vtp(const std::filesystem::path& folder, const sph::Case& simulation,
                                      std::optional<double> continue_after) {
  return std::make_unique<Vtp>(folder, simulation, continue_after);
}

}  // namespace shoal::io
