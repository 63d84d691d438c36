// SPDX-License-Identifier: Apache-2.0
#include "sph/isosurface/isosurface.hpp"

#include <shoal/sph/measure.hpp>

#include <utility>

#include "core/text.hpp"
#include "sph/diagnostics/fields/field_checks.hpp"
#include "sph/diagnostics/fields/part_masses.hpp"
#include "sph/isosurface/filling.hpp"
#include "sph/isosurface/simplices.hpp"
#include "sph/setup/filling/lattice.hpp"
#include "sph/setup/parts/case_parts.hpp"

namespace shoal::sph {

namespace {

constexpr double most_nodes = 1e9;  ///< along an axis, and in a layer
constexpr std::int64_t layers_of_task = 16;

bool is_periodic(const Case& simulation, int axis) {
  const std::vector<Axis>& axes = simulation.scheme.periodic;
  return std::find(axes.begin(), axes.end(), static_cast<Axis>(axis)) != axes.end();
}

/// Places of the fluid, with images of those within `radius` of an end of a periodic axis.
template <int dimensions>
std::vector<FilledPlace<dimensions>> places_of(const Case& simulation, const Fields& fields, double radius) {
  const PartMasses masses(simulation);
  std::vector<FilledPlace<dimensions>> places;
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    if (fields.wall[i]) continue;
    FilledPlace<dimensions> place{{}, masses.mass(fields, i) / static_cast<double>(fields.density[i]), fields.id[i]};
    std::copy_n(fields.position.begin() + static_cast<std::ptrdiff_t>(3 * i), dimensions, place.position.begin());
    places.push_back(place);
  }
  const Box domain = domain_of(simulation);
  for (std::size_t axis = 0; axis < dimensions; ++axis) {
    if (!is_periodic(simulation, static_cast<int>(axis))) continue;
    const double period = domain.to[axis] - domain.from[axis];
    const std::size_t count = places.size();
    for (std::size_t i = 0; i < count; ++i)
      for (const double shift : {-period, period}) {
        FilledPlace<dimensions> image = places[i];
        image.position[axis] += shift;
        if (image.position[axis] >= domain.from[axis] - radius && image.position[axis] <= domain.to[axis] + radius)
          places.push_back(image);
      }
  }
  return places;
}

void require_few(double nodes) {
  require(nodes <= most_nodes, "sph: the grid of an isosurface has ", nodes,
          " nodes along an axis or in a layer, expected at most ", most_nodes, ". Enlarge isosurface.spacing.");
}

/// Grid around all places, with nodes at multiples of its spacing. Along a periodic axis it has the whole period, from end to
/// end.
template <int dimensions>
SurfaceGrid<dimensions> grid_around(const Case& simulation, const std::vector<FilledPlace<dimensions>>& places,
                                    double spacing, double radius) {
  const Box domain = domain_of(simulation);
  SurfaceGrid<dimensions> grid;
  for (std::size_t axis = 0; axis < dimensions; ++axis) {
    if (is_periodic(simulation, static_cast<int>(axis))) {
      const double period = domain.to[axis] - domain.from[axis];
      require_few(period / spacing);
      const auto cells = std::max<std::int64_t>(1, std::llround(period / spacing));
      grid.origin[axis] = domain.from[axis];
      grid.step[axis] = period / static_cast<double>(cells);
      grid.nodes[axis] = cells + 1;
      continue;
    }
    const auto [low, high] = std::minmax_element(places.begin(), places.end(), [&](const auto& a, const auto& b) {
      return a.position[axis] < b.position[axis];
    });
    const double first = std::floor((low->position[axis] - radius) / spacing);
    const double last = std::ceil((high->position[axis] + radius) / spacing);
    require_few(last - first);
    grid.step[axis] = spacing;
    grid.origin[axis] = first * spacing;
    grid.nodes[axis] = static_cast<std::int64_t>(last - first) + 1;
  }
  require_few(static_cast<double>(grid.layer_size()));
  return grid;
}

/// Faces between some layers of the grid. A point is known by its edge: 8 times the number of the node where it begins, plus
/// the axes along which it goes.
template <int dimensions>
struct Faces {
  std::vector<std::array<std::int64_t, dimensions>> edges;            ///< edges of the corners of each face
  std::vector<std::pair<std::int64_t, std::array<float, 3>>> points;  ///< place of each edge

  /// Sorts the points by their edges, and leaves one of each.
  void sort_points() {
    std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    points.erase(std::unique(points.begin(), points.end(), same), points.end());
  }
};

template <int dimensions>
class Marching {
 public:
  Marching(const Filling<dimensions>& filling, const SurfaceGrid<dimensions>& grid, double level)
      : filling_(filling), grid_(grid), level_(level) {}

  /// Faces in the cells between layers `first` and `last`.
  Faces<dimensions> between(std::int64_t first, std::int64_t last) const {
    Faces<dimensions> faces;
    std::array<std::vector<double>, 2> layers;
    filling_.set_layer(first, layers[1]);
    for (std::int64_t layer = first; layer < last; ++layer) {
      std::swap(layers[0], layers[1]);
      filling_.set_layer(layer + 1, layers[1]);
      const std::int64_t rows = dimensions == 3 ? grid_.nodes[1] - 1 : 1;
      for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column + 1 < grid_.nodes[0]; ++column)
          add_cell({column, row, layer}, layers, faces);
    }
    faces.sort_points();
    return faces;
  }

 private:
  using Node = std::array<std::int64_t, 3>;  ///< column, row in 3-D, layer
  using Layers = std::array<std::vector<double>, 2>;
  static constexpr int corners = 1 << dimensions;

  void add_cell(const Node& cell, const Layers& layers, Faces<dimensions>& faces) const {
    std::array<double, corners> value;
    unsigned is_inside = 0;
    for (int corner = 0; corner < corners; ++corner) {
      const Node node = node_at(cell, corner);
      const auto layer = static_cast<std::size_t>(node[2] - cell[2]);
      value[static_cast<std::size_t>(corner)] =
          layers[layer][static_cast<std::size_t>(node[1] * grid_.nodes[0] + node[0])];
      is_inside |= unsigned{value[static_cast<std::size_t>(corner)] > level_} << corner;
    }
    if (is_inside == 0 || is_inside == (1u << corners) - 1) return;
    for (const auto& simplex : simplices)
      for_each_face<dimensions>(simplex, is_inside, [&](const std::array<CellEdge, dimensions>& face) {
        auto& edges = faces.edges.emplace_back();
        for (std::size_t k = 0; k < dimensions; ++k) {
          edges[k] = number_of(node_at(cell, face[k].begin)) * 8 + (face[k].begin ^ face[k].end);
          faces.points.push_back({edges[k], point_on(cell, face[k], value)});
        }
      });
  }

  /// Node at a corner of a cell. In 2-D the layers are across the second axis.
  static Node node_at(const Node& cell, int corner) {
    Node node = cell;
    node[0] += corner & 1;
    if constexpr (dimensions == 3) node[1] += corner >> 1 & 1;
    node[2] += corner >> (dimensions - 1);
    return node;
  }

  std::int64_t number_of(const Node& node) const {
    return node[2] * grid_.layer_size() + node[1] * grid_.nodes[0] + node[0];
  }

  /// Point of an edge at which φ has the level by linear interpolation.
  std::array<float, 3> point_on(const Node& cell, const CellEdge& edge,
                                const std::array<double, corners>& value) const {
    const double begin = value[static_cast<std::size_t>(edge.begin)], end = value[static_cast<std::size_t>(edge.end)];
    const double share = (level_ - begin) / (end - begin);
    const Node from = node_at(cell, edge.begin), to = node_at(cell, edge.end);
    std::array<float, 3> point{};
    for (int axis = 0; axis < dimensions; ++axis) {
      const std::size_t k = axis + 1 == dimensions ? 2 : static_cast<std::size_t>(axis);
      const auto along = static_cast<double>(from[k]) + share * static_cast<double>(to[k] - from[k]);
      const auto a = static_cast<std::size_t>(axis);
      point[a] = static_cast<float>(grid_.origin[a] + along * grid_.step[a]);
    }
    return point;
  }

  static constexpr auto simplices = cell_simplices<dimensions>();
  const Filling<dimensions>& filling_;
  const SurfaceGrid<dimensions>& grid_;
  double level_;
};

/// One mesh of the faces of all tasks, which are in the order of layers.
template <int dimensions>
SurfaceMesh joined(const std::vector<Faces<dimensions>>& parts) {
  Faces<dimensions> merged;
  for (const Faces<dimensions>& part : parts) {
    merged.edges.insert(merged.edges.end(), part.edges.begin(), part.edges.end());
    merged.points.insert(merged.points.end(), part.points.begin(), part.points.end());
  }
  merged.sort_points();
  SurfaceMesh mesh{dimensions, {}, {}};
  for (const auto& [edge, point] : merged.points) mesh.point.insert(mesh.point.end(), point.begin(), point.end());
  for (const auto& edges : merged.edges)
    for (const std::int64_t edge : edges) {
      const auto place = std::lower_bound(merged.points.begin(), merged.points.end(), edge,
                                          [](const auto& point, std::int64_t number) { return point.first < number; });
      mesh.face.push_back(place - merged.points.begin());
    }
  return mesh;
}

template <int dimensions>
SurfaceMesh surface_of(const Case& simulation, const Fields& fields, const Isosurface& options, int threads) {
  const double h = simulation.smoothing * simulation.spacing;
  const double radius = kernel_radius(simulation.scheme.kernel) * h;
  const double spacing = options.spacing > 0 ? options.spacing : simulation.spacing;
  std::vector<FilledPlace<dimensions>> places = places_of<dimensions>(simulation, fields, radius);
  if (places.empty()) return {dimensions, {}, {}};
  const SurfaceGrid<dimensions> grid = grid_around(simulation, places, spacing, radius);
  const Filling<dimensions> filling(std::move(places), grid, simulation.scheme.kernel, h);
  const Marching<dimensions> marching(filling, grid, options.level);
  const std::int64_t layers = grid.nodes[dimensions - 1] - 1;
  const std::int64_t tasks = (layers + layers_of_task - 1) / layers_of_task;
  std::vector<Faces<dimensions>> parts(static_cast<std::size_t>(tasks));
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (std::int64_t task = 0; task < tasks; ++task)
    parts[static_cast<std::size_t>(task)] =
        marching.between(task * layers_of_task, std::min(layers, (task + 1) * layers_of_task));
  return joined(parts);
}

}  // namespace

SurfaceMesh isosurface(const Queue& queue, const Case& simulation, const Fields& fields, const Isosurface& options) {
  require_fields_of(queue, simulation, fields, "isosurfaces are made");
  require_isosurface(options, simulation);
  if (simulation.dimensions == 2) return surface_of<2>(simulation, fields, options, queue.threads());
  return surface_of<3>(simulation, fields, options, queue.threads());
}

void require_isosurface(const Isosurface& options, const Case& simulation) {
  require(simulation.dimensions > 1, "sph: an isosurface needs 2 or 3 dimensions, got 1. Leave [isosurface] out.");
  const double most = support(simulation);
  require(options.spacing >= 0 && options.spacing <= most, "sph: isosurface.spacing = ", options.spacing,
          " m, expected 0 to ", most, " m, the support of the kernel.");
  require(options.level > 0 && options.level < 1, "sph: isosurface.level = ", options.level,
          ", expected a number between 0 and 1.");
}

}  // namespace shoal::sph
