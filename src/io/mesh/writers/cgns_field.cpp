// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/solver_fields.hpp>

#include "core/text.hpp"
#ifdef SHOAL_WITH_CGNS
#include "io/formats/whole_file.hpp"
#include "io/mesh/cgns/cgns_file.hpp"
#include "io/mesh/writers/solver_values.hpp"
#endif

namespace shoal::io {

#ifdef SHOAL_WITH_CGNS

namespace {

namespace fs = std::filesystem;

/// CGNS file that is open to be changed.
class OpenedFile {
 public:
  OpenedFile(const fs::path& path, const fs::path& named) : name_(named.string()) {
    check(cg_set_file_type(CG_FILE_NONE), "choosing the kind of file");
    check(cg_open(path.c_str(), CG_MODE_MODIFY, &file_), "opening the copy");
    is_open_ = true;
  }
  ~OpenedFile() {
    if (is_open_) cg_close(file_);
  }
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;

  int number() const { return file_; }
  void check(int status, const std::string& what) const {
    require(status == CG_OK, name_, ": ", what, " failed: ", cg_get_error(), ".");
  }
  void close() {
    is_open_ = false;
    check(cg_close(file_), "writing the copy");
  }

 private:
  std::string name_;
  int file_ = 0;
  bool is_open_ = false;
};

/// Writes the values of a mesh, zone by zone.
class ZoneWriter {
 public:
  ZoneWriter(const OpenedFile& file, const fs::path& mesh, std::string name, MeshPart part)
      : file_(file), mesh_(mesh), name_(std::move(name)), part_(part) {}

  /// Calls visit(base, zone, number of its nodes or cells) for all zones.
  template <class Visit>
  void for_each_zone(Visit&& visit) const {
    int bases = 0;
    file_.check(cg_nbases(file_.number(), &bases), "counting bases");
    for (int base = 1; base <= bases; ++base) {
      char base_name[cgns_name_bytes];
      int zones = 0, cell_dimensions = 0, dimensions = 0;
      file_.check(cg_base_read(file_.number(), base, base_name, &cell_dimensions, &dimensions), "reading a base");
      file_.check(cg_nzones(file_.number(), base, &zones), "counting zones");
      for (int zone = 1; zone <= zones; ++zone) visit(base, zone, items_of(base, zone, cell_dimensions));
    }
  }

  void write(int base, int zone, const double* values) const {
    int solution = 0, field = 0;
    const auto location = part_ == MeshPart::nodes ? CGNS_ENUMV(Vertex) : ::CGNS_ENUMV(CellCenter);
    file_.check(cg_sol_write(file_.number(), base, zone, name_.c_str(), location, &solution), text("adding ", name_));
    file_.check(
        cg_field_write(file_.number(), base, zone, solution, CGNS_ENUMV(RealDouble), name_.c_str(), values, &field),
        text("writing ", name_));
    file_.check(cg_goto(file_.number(), base, "Zone_t", zone, "FlowSolution_t", solution, "DataArray_t", field, "end"),
                "finding the array");
    file_.check(cg_dataclass_write(CGNS_ENUMV(Dimensional)), "writing the class of data");
    file_.check(cg_units_write(CGNS_ENUMV(Kilogram), CGNS_ENUMV(Meter), CGNS_ENUMV(Second), CGNS_ENUMV(Kelvin),
                               CGNS_ENUMV(Radian)),
                "writing units");
  }

  void require_new(int base, int zone) const {
    int solutions = 0;
    file_.check(cg_nsols(file_.number(), base, zone, &solutions), "counting solutions");
    for (int solution = 1; solution <= solutions; ++solution) {
      char name[cgns_name_bytes];
      CGNS_ENUMT(GridLocation_t) location;
      file_.check(cg_sol_info(file_.number(), base, zone, solution, name, &location), "reading a solution");
      require(name != name_, mesh_.string(), ": it has a solution ", name_, ". Choose another name.");
    }
  }

 private:
  std::int64_t items_of(int base, int zone, int cell_dimensions) const {
    char name[cgns_name_bytes];
    std::array<cgsize_t, 9> size{};
    CGNS_ENUMT(ZoneType_t) type;
    file_.check(cg_zone_read(file_.number(), base, zone, name, size.data()), "reading a zone");
    file_.check(cg_zone_type(file_.number(), base, zone, &type), "reading the type of a zone");
    if (type != CGNS_ENUMV(Structured)) {
      if (part_ == MeshPart::cells) require_one_kind_of_cells(base, zone, name);
      return size[part_ == MeshPart::nodes ? 0 : 1];
    }
    std::int64_t count = 1;
    for (int axis = 0; axis < cell_dimensions; ++axis)
      count *= size[static_cast<std::size_t>(part_ == MeshPart::nodes ? axis : cell_dimensions + axis)];
    return count;
  }

  /// read_mesh() has polyhedra before other cells.
  void require_one_kind_of_cells(int base, int zone, const char* zone_name) const {
    int sections = 0;
    bool has_polyhedra = false, has_others = false;
    file_.check(cg_nsections(file_.number(), base, zone, &sections), "counting sections");
    for (int section = 1; section <= sections; ++section) {
      char name[cgns_name_bytes];
      CGNS_ENUMT(ElementType_t) type;
      cgsize_t first = 0, last = 0;
      int boundary = 0, parents = 0;
      file_.check(cg_section_read(file_.number(), base, zone, section, name, &type, &first, &last, &boundary, &parents),
                  "reading a section");
      has_polyhedra = has_polyhedra || type == CGNS_ENUMV(NFACE_n);
      has_others =
          has_others || type == CGNS_ENUMV(MIXED) || (type >= CGNS_ENUMV(TETRA_4) && type <= CGNS_ENUMV(HEXA_27));
    }
    require(!has_polyhedra || !has_others, mesh_.string(), ": zone `", zone_name,
            "` has polyhedra and other cells, whose order this writer does not know. Write values at nodes.");
  }

  const OpenedFile& file_;
  const fs::path& mesh_;
  std::string name_;
  MeshPart part_;
};

}  // namespace

void write_cgns_field(const fs::path& mesh, const fs::path& out, const std::string& name, MeshPart part,
                      View<const double> value) {
  require_field_name(mesh, name,
                     [](char letter) { return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_'; });
  require_not_replaced({mesh}, {out});
  write_whole(out, [&](const fs::path& copy) {
    std::error_code failed;
    fs::copy_file(mesh, copy, fs::copy_options::overwrite_existing, failed);
    require(!failed, mesh.string(), ": it cannot be copied to ", copy.string(), ": ", failed.message(), ".");
    OpenedFile file(copy, mesh);
    const ZoneWriter zones(file, mesh, name, part);
    std::int64_t count = 0;
    zones.for_each_zone([&](int base, int zone, std::int64_t items) {
      zones.require_new(base, zone);
      count += items;
    });
    require_values(mesh, name, value, count, part == MeshPart::nodes ? "nodes" : "cells");
    const double* next = value.data;
    zones.for_each_zone([&](int base, int zone, std::int64_t items) {
      zones.write(base, zone, next);
      next += items;
    });
    file.close();
  });
}

#else

void write_cgns_field(const std::filesystem::path& mesh, const std::filesystem::path&, const std::string&, MeshPart,
                      View<const double>) {
  throw Error(text(mesh.string(),
                   ": it is CGNS, which this build of shoal has not. Build with the CGNS library (3.4 or newer)."));
}

#endif

}  // namespace shoal::io
