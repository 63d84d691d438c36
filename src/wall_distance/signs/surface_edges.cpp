// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/signs/surface_edges.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/range.hpp"
#include "core/text.hpp"
#include "wall_distance/signs/corner_table_item.hpp"
#include "wall_distance/signs/unclosed_walls.hpp"

namespace shoal::wall_distance {

namespace {

/// One side of an edge: a primitive with this edge, and the index of the edge in `neighbor`.
struct Side {
  std::int32_t a, b, primitive;
  int slot;
  /// 1: the corners of the primitive pass the edge from a to b (in 2-D: leave from the end); −1: the reverse.
  int direction;

  bool has_same_edge(const Side& side) const { return a == side.a && b == side.b; }
  bool precedes(const Side& side) const { return std::tie(primitive, slot) < std::tie(side.primitive, side.slot); }
};

enum class Fault { none, open, shared, inconsistent };

class EdgeJoiner {
 public:
  EdgeJoiner(const MeshSummary& mesh, const WallPrimitives& primitives) : mesh_(mesh), primitives_(primitives) {}

  SurfaceEdges join() {
    number_vertices();
    list_sides();
    for (const Fault fault : {Fault::open, Fault::shared, Fault::inconsistent}) require_none(fault);
    join_sides();
    return std::move(result_);
  }

 private:
  /// Vertices are numbered by their first corners.
  void number_vertices() {
    const std::size_t corners = 3 * primitives_.shape.size();
    std::vector<std::uint32_t> slots(CornerTable::size_for(corners), CornerTable::empty), first(corners);
    const CornerTable table{primitives_.shape.data(), primitives_.body.data(), slots.data(),
                            static_cast<std::uint32_t>(slots.size() - 1)};
#pragma omp parallel for
    for (std::size_t c = 0; c < corners; ++c) first[c] = table.insert(static_cast<std::uint32_t>(c));
    result_.vertex.resize(primitives_.shape.size());
    for (std::size_t c = 0; c < corners; ++c) {
      const std::uint32_t first_corner = slots[first[c]];
      vertex_of(c) = first_corner == c ? result_.vertices++ : vertex_of(first_corner);
    }
  }
  std::int32_t& vertex_of(std::size_t corner) { return result_.vertex[corner / 3][corner % 3]; }

  /// Calls `use` for all sides, in the order of the primitives.
  template <class Use>
  void for_each_side(Use&& use) const {
    for (std::int32_t k = 0; k < primitives_.count(); ++k) {
      const auto primitive = static_cast<std::size_t>(k);
      if (!result_.has_area(mesh_.dimensions, primitive)) continue;
      const auto& vertex = result_.vertex[primitive];
      const int orientation = primitives_.orientation[primitive];
      if (mesh_.dimensions == 2) {
        use(Side{vertex[0], vertex[0], k, 0, orientation});
        use(Side{vertex[2], vertex[2], k, 2, -orientation});
      } else {
        use(Side{vertex[0], vertex[1], k, 0, orientation});
        use(Side{vertex[0], vertex[2], k, 1, -orientation});
        use(Side{vertex[1], vertex[2], k, 2, orientation});
      }
    }
  }

  /// Sorts the sides by their vertices, then by their primitives: first those of each vertex a together.
  void list_sides() {
    const auto vertices = static_cast<std::size_t>(result_.vertices);
    std::vector<std::int64_t> end(vertices + 1);  // of the sides of the vertices before each one, then of each one
    for_each_side([&](const Side& side) { ++end[static_cast<std::size_t>(side.a) + 1]; });
    std::partial_sum(end.begin(), end.end(), end.begin());
    sides_.resize(static_cast<std::size_t>(end.back()));
    for_each_side(
        [&](const Side& side) { sides_[static_cast<std::size_t>(end[static_cast<std::size_t>(side.a)]++)] = side; });
#pragma omp parallel for schedule(dynamic, 1024)
    for (std::size_t a = 0; a < vertices; ++a)
      std::sort(sides_.begin() + (a > 0 ? end[a - 1] : 0), sides_.begin() + end[a],
                [](const Side& s, const Side& t) { return std::tie(s.b, s.primitive) < std::tie(t.b, t.primitive); });
  }

  /// Calls `use` for the sides of each edge.
  template <class Use>
  void for_each_edge(Use&& use) const {
    const auto n = static_cast<std::int64_t>(sides_.size());
    for (std::int64_t begin = 0, end = 0; begin < n; begin = end) {
      while (end < n && side(end).has_same_edge(side(begin))) ++end;
      use(Range{begin, end});
    }
  }
  const Side& side(std::int64_t i) const { return sides_[static_cast<std::size_t>(i)]; }

  Fault fault_of(Range edge) const {
    if (edge.count() == 1) return Fault::open;
    if (edge.count() > 2) return Fault::shared;
    return side(edge.begin).direction == side(edge.begin + 1).direction ? Fault::inconsistent : Fault::none;
  }

  /// Throws if any edge has this fault; names the one with the first side.
  void require_none(Fault fault) const {
    std::int64_t count = 0;
    Range first;
    for_each_edge([&](Range edge) {
      if (fault_of(edge) != fault) return;
      if (count++ == 0 || side(edge.begin).precedes(side(first.begin))) first = edge;
    });
    if (count == 0) return;
    const char* const problem = fault == Fault::open     ? " with one face only, so they have no inside"
                                : fault == Fault::shared ? " with more than two faces, so they have no unique inside"
                                                         : " whose two faces have opposite orientations";
    const char* const remedy = fault == Fault::open     ? "Close the walls"
                               : fault == Fault::shared ? "Remove duplicate faces and separate walls that touch"
                                                        : "Reverse faces";
    throw UnclosedWalls(text("the walls have ", count, mesh_.dimensions == 2 ? " end" : " edge", count == 1 ? "" : "s",
                             problem, ". The first is ", description(first), "."),
                        remedy);
  }

  std::string description(Range edge) const {
    const Side& first = side(edge.begin);
    const Primitive& primitive = primitives_.shape[static_cast<std::size_t>(first.primitive)];
    const auto corner = [&](int i) {
      return text("(", primitive.x[i], ", ", primitive.y[i], mesh_.dimensions == 3 ? text(", ", primitive.z[i]) : "",
                  ")");
    };
    std::string result = mesh_.dimensions == 2
                             ? "at " + corner(first.slot)
                             : "from " + corner(first.slot == 2 ? 1 : 0) + " to " + corner(first.slot == 0 ? 1 : 2);
    result += " m, of";
    for (std::int64_t i = edge.begin; i < edge.end; ++i) {
      const auto k = static_cast<std::size_t>(side(i).primitive);
      result += text(i == edge.begin ? " " : " and ", "face ", primitives_.face[k], " of wall \"",
                     mesh_.wall_names[static_cast<std::size_t>(primitives_.wall[k])], "\"");
    }
    return result;
  }

  void join_sides() {
    result_.neighbor.assign(primitives_.shape.size(), {-1, -1, -1});
    for_each_edge([&](Range edge) {
      const Side &first = side(edge.begin), &second = side(edge.begin + 1);
      result_.neighbor[static_cast<std::size_t>(first.primitive)][static_cast<std::size_t>(first.slot)] =
          second.primitive;
      result_.neighbor[static_cast<std::size_t>(second.primitive)][static_cast<std::size_t>(second.slot)] =
          first.primitive;
      result_.edges.push_back({first.a, first.b, first.primitive});
    });
  }

  const MeshSummary& mesh_;
  const WallPrimitives& primitives_;
  std::vector<Side> sides_;
  SurfaceEdges result_;
};

}  // namespace

SurfaceEdges surface_edges(const MeshSummary& mesh, const WallPrimitives& primitives) {
  return EdgeJoiner(mesh, primitives).join();
}

}  // namespace shoal::wall_distance
