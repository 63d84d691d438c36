// SPDX-License-Identifier: Apache-2.0
// Reader of CGNS: structured and unstructured zones of the first base. Markers are boundary conditions, by their names.
// Faces of an unstructured zone without a condition belong to a marker with the name of their section.
#ifdef SHOAL_WITH_CGNS
#include <cgnslib.h>
#endif

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/text.hpp"
#include "io/mesh/cell_shape.hpp"
#include "io/mesh/mesh_builder.hpp"
#include "io/mesh/readers/mesh_readers.hpp"
#include "io/mesh/readers/structured_block.hpp"

namespace shoal::io {

#ifdef SHOAL_WITH_CGNS

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

constexpr std::size_t name_bytes = 33;

/// Element of an unstructured zone, and the names of the markers to which it can belong.
struct ZoneElement {
  CellShape shape = CellShape::point;
  std::vector<std::int64_t> corners;  ///< numbers of nodes; empty if the file has no such element
  std::string section;
  std::vector<std::string> conditions;
};

class CgnsMesh {
 public:
  explicit CgnsMesh(const std::filesystem::path& path)
      : name_(path.string()),
        most_items_(8 * static_cast<std::int64_t>(std::filesystem::file_size(path))),
        mesh_(name_) {
    check(cg_open(name_.c_str(), CG_MODE_READ, &file_), "opening");
  }
  ~CgnsMesh() { cg_close(file_); }
  CgnsMesh(const CgnsMesh&) = delete;
  CgnsMesh& operator=(const CgnsMesh&) = delete;

  MeshFile read() {
    int bases = 0, zones = 0, cell_dimensions = 0, dimensions = 0;
    check(cg_nbases(file_, &bases), "counting bases");
    require(bases > 0, name_, ": it has no base.");
    char base[name_bytes];
    check(cg_base_read(file_, base_, base, &cell_dimensions, &dimensions), "reading the base");
    require(dimensions == 2 || dimensions == 3, name_, ": base `", base, "` has ", dimensions,
            " dimensions, expected 2 or 3.");
    require(cell_dimensions == 2 || cell_dimensions == 3, name_, ": base `", base, "` has cells of ", cell_dimensions,
            " dimensions, expected 2 or 3.");
    dimensions_ = dimensions;
    check(cg_nzones(file_, base_, &zones), "counting zones");
    for (zone_ = 1; zone_ <= zones; ++zone_) read_zone(cell_dimensions);
    return mesh_.finish(dimensions == 2 ? std::optional(2) : std::nullopt);
  }

 private:
  void check(int status, const std::string& what) const {
    require(status == CG_OK, name_, ": ", what, " failed: ", cg_get_error(), ".");
  }

  /// Returns a count of the file as a size. Each item takes 4 bytes or more, or a thirtieth of that if it is compressed.
  std::size_t possible(std::int64_t count, const char* items) const {
    require(count >= 0 && count <= most_items_, name_, ": zone `", zone_name_, "` has ", count, " ", items,
            ", expected at most ", most_items_,
            " in a file of this size. It is damaged, or its arrays are in another file: read that file.");
    return static_cast<std::size_t>(count);
  }

  /// Number of nodes of a structured zone.
  std::int64_t node_count(const StructuredBlock& block) const {
    std::int64_t count = 1;
    for (const std::int64_t nodes : block.nodes) {
      possible(nodes, "nodes along an axis");
      const bool is_too_large = nodes > 0 && count > most_items_ / nodes;
      count = static_cast<std::int64_t>(possible(is_too_large ? most_items_ + 1 : count * nodes, "nodes or more"));
    }
    return count;
  }

  void read_zone(int cell_dimensions) {
    char name[name_bytes];
    std::array<cgsize_t, 9> size{};
    check(cg_zone_read(file_, base_, zone_, name, size.data()), "reading a zone");
    zone_name_ = name;
    CGNS_ENUMT(ZoneType_t) type;
    check(cg_zone_type(file_, base_, zone_, &type), "reading the type of zone " + zone_name_);
    first_node_ = mesh_.node_count();
    if (type == CGNS_ENUMV(Structured)) {
      StructuredBlock block{{1, 1, 1}, first_node_};
      for (std::size_t axis = 0; axis < static_cast<std::size_t>(cell_dimensions); ++axis)
        block.nodes[axis] = size[axis];
      read_nodes({size[0], size[1], size[2]}, node_count(block));
      add_structured(block, static_cast<std::size_t>(cell_dimensions));
    } else {
      require(type == CGNS_ENUMV(Unstructured), name_, ": zone `", zone_name_,
              "` is neither structured nor unstructured.");
      read_nodes({size[0], 1, 1}, static_cast<std::int64_t>(possible(size[0], "nodes")));
      add_unstructured();
    }
  }

  void read_nodes(std::array<cgsize_t, 3> last, std::int64_t count) {
    const char* const axis_names[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    std::array<std::vector<double>, 3> coordinates;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      coordinates[axis].resize(static_cast<std::size_t>(count));
      if (static_cast<int>(axis) >= dimensions_) continue;
      const std::array<cgsize_t, 3> first = {1, 1, 1};
      check(cg_coord_read(file_, base_, zone_, axis_names[axis], CGNS_ENUMV(RealDouble), first.data(), last.data(),
                          coordinates[axis].data()),
            text("reading ", axis_names[axis], " of zone ", zone_name_));
      for (std::size_t i = 0; i < coordinates[axis].size(); ++i)
        require(std::isfinite(coordinates[axis][i]), name_, ": zone `", zone_name_, "`: ", axis_names[axis],
                " of node ", i + 1, " is ", coordinates[axis][i], ", expected a finite one.");
    }
    for (std::size_t i = 0; i < coordinates[0].size(); ++i)
      mesh_.add_node(coordinates[0][i], coordinates[1][i], coordinates[2][i]);
  }

  /// Calls `use(name, points, is_range, location)` for each boundary condition of the zone.
  template <class Use>
  void for_each_condition(std::size_t index_dimensions, const Use& use) {
    int conditions = 0;
    check(cg_nbocos(file_, base_, zone_, &conditions), "counting the boundary conditions of zone " + zone_name_);
    for (int condition = 1; condition <= conditions; ++condition) {
      char name[name_bytes];
      CGNS_ENUMT(BCType_t) type;
      CGNS_ENUMT(PointSetType_t) set;
      CGNS_ENUMT(DataType_t) normal_type;
      CGNS_ENUMT(GridLocation_t) location;
      int normal_index[3], data_sets;
      cgsize_t points, normals;
      check(cg_boco_info(file_, base_, zone_, condition, name, &type, &set, &points, normal_index, &normals,
                         &normal_type, &data_sets),
            "reading a boundary condition of zone " + zone_name_);
      check(cg_boco_gridlocation_read(file_, base_, zone_, condition, &location), text("reading where ", name, " is"));
      std::vector<cgsize_t> numbers(possible(points, "points of a condition") * index_dimensions);
      check(cg_boco_read(file_, base_, zone_, condition, numbers.data(), nullptr), text("reading ", name));
      const bool is_range = set == CGNS_ENUMV(PointRange) || set == CGNS_ENUMV(ElementRange);
      const bool is_of_elements = set == CGNS_ENUMV(ElementRange) || set == CGNS_ENUMV(ElementList);
      use(std::string(name), numbers, is_range, is_of_elements || location != CGNS_ENUMV(Vertex));
    }
  }

  /// Adds the cells and boundary conditions of a structured zone.
  /// @param axes  number of indices of the zone: 2 (i and j) or 3 (i, j and k)
  void add_structured(const StructuredBlock& block, std::size_t axes) {
    const BlockIndex last = {block.nodes[0] - 1, block.nodes[1] - 1, block.nodes[2] - 1};
    add_range_of_block(mesh_, block, {0, 0, 0}, last, mesh_.group({zone_name_}));
    for_each_condition(
        axes, [&](const std::string& name, const std::vector<cgsize_t>& points, bool is_range, bool is_of_faces) {
          require(is_range && !is_of_faces && points.size() == 2 * axes, name_, ": boundary condition `", name,
                  "` of zone `", zone_name_, "` is not a range of nodes, expected one in a structured zone.");
          BlockIndex first_node{}, last_node{};
          for (std::size_t axis = 0; axis < axes; ++axis) {
            first_node[axis] = points[axis] - 1;
            last_node[axis] = points[axes + axis] - 1;
            if (first_node[axis] > last_node[axis]) std::swap(first_node[axis], last_node[axis]);
            require(first_node[axis] >= 0 && last_node[axis] < block.nodes[axis], name_, ": boundary condition `", name,
                    "` goes from ", first_node[axis] + 1, " to ", last_node[axis] + 1, ", and zone `", zone_name_,
                    "` has nodes 1 to ", block.nodes[axis], ".");
          }
          add_range_of_block(mesh_, block, first_node, last_node, mesh_.group({name}));
        });
  }

  void add_unstructured() {
    elements_.clear();
    int sections = 0;
    check(cg_nsections(file_, base_, zone_, &sections), "counting the sections of zone " + zone_name_);
    for (int section = 1; section <= sections; ++section) read_section(section);
    for_each_condition(1, [&](const std::string& name, const std::vector<cgsize_t>& points, bool is_range,
                              bool is_of_faces) { mark(name, points, is_range, is_of_faces); });
    for (const ZoneElement& element : elements_)
      if (!element.corners.empty())
        mesh_.add(element.shape, element.corners,
                  mesh_.group(element.conditions.empty() ? std::vector{element.section} : element.conditions));
  }

  void read_section(int section) {
    char name[name_bytes];
    CGNS_ENUMT(ElementType_t) type;
    cgsize_t start, end, size;
    int boundaries, has_parents;
    check(cg_section_read(file_, base_, zone_, section, name, &type, &start, &end, &boundaries, &has_parents),
          "reading a section of zone " + zone_name_);
    check(cg_ElementDataSize(file_, base_, zone_, section, &size), text("reading the size of section ", name));
    require(start >= 1 && end >= start, name_, ": section `", name, "` has elements ", start, " to ", end, ".");
    possible(end, "elements");
    const auto count = static_cast<std::size_t>(end - start + 1);
    std::vector<cgsize_t> nodes(possible(size, "corners of elements")), offsets(count + 1);
    const bool is_mixed = type == CGNS_ENUMV(MIXED), is_polygons = type == CGNS_ENUMV(NGON_n);
    if (is_mixed || is_polygons) {
      check(cg_poly_elements_read(file_, base_, zone_, section, nodes.data(), offsets.data(), nullptr),
            text("reading section ", name));
    } else {
      check(cg_elements_read(file_, base_, zone_, section, nodes.data(), nullptr), text("reading section ", name));
      const auto corners = static_cast<cgsize_t>(facts_of(shape_of(type, name)).corners);
      for (std::size_t i = 0; i <= count; ++i) offsets[i] = static_cast<cgsize_t>(i) * corners;
    }
    if (elements_.size() < static_cast<std::size_t>(end)) elements_.resize(static_cast<std::size_t>(end));
    for (std::size_t i = 0; i < count; ++i) {
      require(offsets[i] >= 0 && offsets[i] <= offsets[i + 1] && offsets[i + 1] <= size, name_, ": section `", name,
              "`: the corners of element ", start + static_cast<cgsize_t>(i), " are cut short.");
      std::vector<std::int64_t> corners(nodes.begin() + offsets[i], nodes.begin() + offsets[i + 1]);
      ZoneElement& element = elements_[static_cast<std::size_t>(start) - 1 + i];
      if (is_mixed) {  // the type precedes the corners
        require(!corners.empty(), name_, ": section `", name, "` has an element without a type.");
        element.shape = shape_of(static_cast<CGNS_ENUMT(ElementType_t)>(corners.front()), name);
        corners.erase(corners.begin());
      } else {
        element.shape = is_polygons ? face_shape(corners.size()) : shape_of(type, name);
      }
      check_corners(element.shape, corners, name);
      element.section = name;
      element.corners = std::move(corners);
    }
  }

  CellShape shape_of(CGNS_ENUMT(ElementType_t) type, const char* section) const {
    for (const ElementType& candidate : element_types)
      if (candidate.type == type) return candidate.shape;
    throw Error(
        text(name_, ": section `", section, "` has elements of type ", cg_ElementTypeName(type),
             ", expected polygons or those with straight edges: polyhedra and elements of higher order are not read."));
  }

  /// Checks the corners of an element and converts them to node numbers of the mesh, from 0.
  void check_corners(CellShape shape, std::vector<std::int64_t>& corners, const char* section) const {
    const auto expected = static_cast<std::size_t>(facts_of(shape).corners);
    require(corners.size() == expected || (expected == 0 && corners.size() > 2), name_, ": section `", section,
            "` has a ", facts_of(shape).name, " of ", corners.size(), " corners.");
    const std::int64_t count = mesh_.node_count() - first_node_;
    for (std::int64_t& corner : corners) {
      require(corner >= 1 && corner <= count, name_, ": section `", section, "` of zone `", zone_name_, "` has node ",
              corner, ", expected 1 to ", count, ".");
      corner += first_node_ - 1;
    }
  }

  /// Assigns a boundary condition to elements: those that it lists, or those whose nodes it lists completely.
  void mark(const std::string& name, const std::vector<cgsize_t>& points, bool is_range, bool is_of_faces) {
    const auto most = is_of_faces ? static_cast<std::int64_t>(elements_.size()) : mesh_.node_count() - first_node_;
    std::vector<bool> named(static_cast<std::size_t>(most));
    const auto set = [&](std::int64_t number) {
      require(number >= 1 && number <= most, name_, ": boundary condition `", name, "` of zone `", zone_name_, "` has ",
              is_of_faces ? "element " : "node ", number, ", expected 1 to ", most, ".");
      named[static_cast<std::size_t>(number - 1)] = true;
    };
    for (const cgsize_t point : points) set(point);
    if (is_range && points.size() == 2)
      for (std::int64_t number = points[0]; number <= points[1]; ++number) set(number);
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      ZoneElement& element = elements_[i];
      const bool is_in = is_of_faces
                             ? named[i]
                             : facts_of(element.shape).dimensions < dimensions_ &&
                                   std::all_of(element.corners.begin(), element.corners.end(), [&](auto corner) {
                                     return named[static_cast<std::size_t>(corner - first_node_)];
                                   });
      if (is_in) element.conditions.push_back(name);
    }
  }

  static constexpr int base_ = 1;
  std::string name_;
  std::int64_t most_items_;  ///< largest count that a file of this size can have
  MeshBuilder mesh_;
  int file_ = 0, zone_ = 0, dimensions_ = 0;
  std::string zone_name_;
  std::int64_t first_node_ = 0;  ///< number of the first node of the zone
  std::vector<ZoneElement> elements_;
};

}  // namespace

MeshFile read_cgns_mesh(const std::filesystem::path& file, const MeshFileOptions&) { return CgnsMesh(file).read(); }

std::string cgns_version() {
  return text(CGNS_VERSION / 1000, ".", CGNS_VERSION / 100 % 10, ".", CGNS_VERSION / 10 % 10);
}

#else

MeshFile read_cgns_mesh(const std::filesystem::path& file, const MeshFileOptions&) {
  throw Error(
      text(file.string(),
           ": it is CGNS, which this build of shoal has not. Build with the CGNS library (3.4 or newer), or write "
           "the mesh as SU2, gmsh or VTK."));
}

std::string cgns_version() { return {}; }

#endif

}  // namespace shoal::io
