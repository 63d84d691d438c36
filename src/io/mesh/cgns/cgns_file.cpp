// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/cgns/cgns_file.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "io/mesh/cell_shape.hpp"

namespace shoal::io {

namespace {

struct ElementType {
  CGNS_ENUMT(ElementType_t) type;
  CellShape shape;
};
/// Elements with straight edges; their corners are in VTK's order.
constexpr ElementType element_types[] = {
    {CGNS_ENUMV(NODE), CellShape::point},          {CGNS_ENUMV(BAR_2), CellShape::segment},
    {CGNS_ENUMV(TRI_3), CellShape::triangle},      {CGNS_ENUMV(QUAD_4), CellShape::quadrilateral},
    {CGNS_ENUMV(TETRA_4), CellShape::tetrahedron}, {CGNS_ENUMV(PYRA_5), CellShape::pyramid},
    {CGNS_ENUMV(PENTA_6), CellShape::prism},       {CGNS_ENUMV(HEXA_8), CellShape::hexahedron}};

CellShape shape_of(const CgnsFile& file, CGNS_ENUMT(ElementType_t) type, const std::string& section) {
  for (const ElementType& candidate : element_types)
    if (candidate.type == type) return candidate.shape;
  throw Error(text(file.name(), ": section `", section, "` has elements of type ", cg_ElementTypeName(type),
                   ", expected polygons, polyhedra or those with straight edges. Write the mesh with order 1."));
}

/// Fills a section from lists; the type of a mixed element precedes its corners.
void take_lists(const CgnsFile& file, CGNS_ENUMT(ElementType_t) type, CgnsLists lists, CgnsSection& section) {
  const bool is_mixed = type == CGNS_ENUMV(MIXED);
  section.parents = std::move(lists.parents);
  for (std::size_t i = 0; i + 1 < lists.start.size(); ++i) {
    auto begin = lists.entries.begin() + lists.start[i];
    const auto end = lists.entries.begin() + lists.start[i + 1];
    if (is_mixed) {
      require(begin != end, file.name(), ": section `", section.name, "` has an element without a type.");
      section.shape.push_back(shape_of(file, static_cast<CGNS_ENUMT(ElementType_t)>(*begin++), section.name));
    } else {
      const auto length = static_cast<std::size_t>(end - begin);
      section.shape.push_back(type == CGNS_ENUMV(NFACE_n) ? CellShape::polyhedron
                              : length < 3                ? CellShape::polygon
                                                          : face_shape(length));
    }
    section.entries.insert(section.entries.end(), begin, end);
    section.start.push_back(static_cast<std::int64_t>(section.entries.size()));
  }
}

bool is_type_of_wall(CGNS_ENUMT(BCType_t) type) {
  return type == CGNS_ENUMV(BCWall) || type == CGNS_ENUMV(BCWallViscous) || type == CGNS_ENUMV(BCWallViscousHeatFlux) ||
         type == CGNS_ENUMV(BCWallViscousIsothermal);
}

}  // namespace

CgnsFile::CgnsFile(const std::filesystem::path& path)
    : name_(path.string()),
      most_items_(8 * static_cast<std::int64_t>(std::filesystem::file_size(path))),
      lists_(read_cgns_lists(path, most_items_)) {
  if (cg_open(name_.c_str(), CG_MODE_READ, &file_) == CG_OK) return;
  const std::string message = cg_get_error();
  cg_close(file_);  // the library keeps a file open that it refuses
  throw Error(text(name_, ": opening failed: ", message, "."));
}

std::size_t CgnsFile::possible(std::int64_t count, const std::string& zone, const char* items) const {
  require(count >= 0 && count <= most_items_, name_, ": zone `", zone, "` has ", count, " ", items,
          ", expected at most ", most_items_,
          " in a file of this size. It is damaged, or its arrays are in another file: read that file.");
  return static_cast<std::size_t>(count);
}

std::vector<CgnsSection> CgnsFile::sections(const CgnsZoneKey& key, const CgnsZone& zone) const {
  int count = 0;
  check(cg_nsections(file_, key.base, key.zone, &count), "counting the sections of zone " + zone.name);
  std::vector<CgnsSection> sections;
  for (int number = 1; number <= count; ++number) sections.push_back(section(key, zone, number));
  return sections;
}

CgnsSection CgnsFile::section(const CgnsZoneKey& key, const CgnsZone& zone, int number) const {
  char name[cgns_name_bytes];
  CGNS_ENUMT(ElementType_t) type;
  cgsize_t start, end, size;
  int boundaries, has_parents;
  check(cg_section_read(file_, key.base, key.zone, number, name, &type, &start, &end, &boundaries, &has_parents),
        "reading a section of zone " + zone.name);
  require(start >= 1 && end >= start, name_, ": section `", name, "` has elements ", start, " to ", end, ".");
  possible(end, zone.name, "elements");
  CgnsSection section;
  section.name = name;
  section.first = start;
  if (const auto lists = lists_.find(key.path + "/" + name); lists != lists_.end()) {
    take_lists(*this, type, lists->second, section);
    return section;
  }
  check(cg_ElementDataSize(file_, key.base, key.zone, number, &size), text("reading the size of section ", name));
  const CellShape shape = shape_of(*this, type, name);
  const std::int64_t corners = facts_of(shape).corners, count = end - start + 1;
  require(size == count * corners, name_, ": section `", name, "` has ", size, " corners of ", count,
          " elements, expected ", count * corners, ".");
  std::vector<cgsize_t> nodes(possible(size, zone.name, "corners of elements"));
  check(cg_elements_read(file_, key.base, key.zone, number, nodes.data(), nullptr), text("reading section ", name));
  section.shape.assign(static_cast<std::size_t>(count), shape);
  section.entries.assign(nodes.begin(), nodes.end());
  for (std::int64_t element = 1; element <= count; ++element) section.start.push_back(element * corners);
  return section;
}

std::vector<CgnsCondition> CgnsFile::conditions(const CgnsZoneKey& key, const CgnsZone& zone,
                                                std::size_t indices) const {
  int count = 0;
  check(cg_nbocos(file_, key.base, key.zone, &count), "counting the boundary conditions of zone " + zone.name);
  std::vector<CgnsCondition> conditions;
  for (int number = 1; number <= count; ++number) conditions.push_back(condition(key, zone, indices, number));
  return conditions;
}

CgnsCondition CgnsFile::condition(const CgnsZoneKey& key, const CgnsZone& zone, std::size_t indices, int number) const {
  char name[cgns_name_bytes];
  CGNS_ENUMT(BCType_t) type;
  CGNS_ENUMT(PointSetType_t) set;
  CGNS_ENUMT(DataType_t) normal_type;
  CGNS_ENUMT(GridLocation_t) location;
  int normal_index[3], data_sets;
  cgsize_t points, normals;
  check(cg_boco_info(file_, key.base, key.zone, number, name, &type, &set, &points, normal_index, &normals,
                     &normal_type, &data_sets),
        "reading a boundary condition of zone " + zone.name);
  check(cg_boco_gridlocation_read(file_, key.base, key.zone, number, &location), text("reading where ", name, " is"));
  std::vector<cgsize_t> numbers(possible(points, zone.name, "points of a condition") * indices);
  check(cg_boco_read(file_, key.base, key.zone, number, numbers.data(), nullptr), text("reading ", name));
  CgnsCondition condition;
  condition.name = name;
  condition.is_wall = is_type_of_wall(type == CGNS_ENUMV(FamilySpecified) ? type_of_family(key, number) : type);
  condition.is_range = set == CGNS_ENUMV(PointRange) || set == CGNS_ENUMV(ElementRange);
  const bool is_of_elements = set == CGNS_ENUMV(ElementRange) || set == CGNS_ENUMV(ElementList);
  condition.location = location == CGNS_ENUMV(IFaceCenter)                ? CgnsLocation::face_i
                       : location == CGNS_ENUMV(JFaceCenter)              ? CgnsLocation::face_j
                       : location == CGNS_ENUMV(KFaceCenter)              ? CgnsLocation::face_k
                       : is_of_elements || location != CGNS_ENUMV(Vertex) ? CgnsLocation::face
                                                                          : CgnsLocation::vertex;
  condition.points.assign(numbers.begin(), numbers.end());
  return condition;
}

/// Type of the condition of the family to which a condition belongs; that of no type if the family has none.
CGNS_ENUMT(BCType_t) CgnsFile::type_of_family(const CgnsZoneKey& key, int condition) const {
  CGNS_ENUMT(BCType_t) type = CGNS_ENUMV(BCTypeNull);
  char wanted[cgns_name_bytes] = "";
  int families = 0;
  check(cg_goto(file_, key.base, "Zone_t", key.zone, "ZoneBC_t", 1, "BC_t", condition, "end"), "finding a condition");
  if (cg_famname_read(wanted) != CG_OK) return type;
  check(cg_nfamilies(file_, key.base, &families), "counting families");
  for (int family = 1; family <= families; ++family) {
    char name[cgns_name_bytes], condition_name[cgns_name_bytes];
    int conditions = 0, geometries = 0;
    check(cg_family_read(file_, key.base, family, name, &conditions, &geometries), "reading a family");
    if (std::string_view(name) == wanted && conditions > 0)
      check(cg_fambc_read(file_, key.base, family, 1, condition_name, &type), "reading the condition of a family");
  }
  return type;
}

}  // namespace shoal::io
