// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/signs/surface_edges.hpp"

#include <algorithm>

#include "core/range.hpp"
#include "core/text.hpp"
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
  struct Corner {
    std::int32_t body;
    double x, y, z;
    std::int32_t primitive;
    int slot;

    auto position() const { return std::tie(body, x, y, z); }
  };

  void number_vertices() {
    std::vector<Corner> corners;
    for (std::int32_t k = 0; k < primitives_.count(); ++k) {
      const Primitive& primitive = primitives_.shape[static_cast<std::size_t>(k)];
      for (int i = 0; i < 3; ++i)
        corners.push_back(
            {primitives_.body[static_cast<std::size_t>(k)], primitive.x[i], primitive.y[i], primitive.z[i], k, i});
    }
    std::sort(corners.begin(), corners.end(),
              [](const Corner& a, const Corner& b) { return a.position() < b.position(); });
    result_.vertex.resize(primitives_.shape.size());
    for (std::size_t i = 0; i < corners.size(); ++i) {
      if (i == 0 || corners[i - 1].position() != corners[i].position()) ++result_.vertices;
      result_.vertex[static_cast<std::size_t>(corners[i].primitive)][static_cast<std::size_t>(corners[i].slot)] =
          result_.vertices - 1;
    }
  }

  void list_sides() {
    for (std::int32_t k = 0; k < primitives_.count(); ++k) {
      const auto primitive = static_cast<std::size_t>(k);
      if (!result_.has_area(mesh_.dimensions, primitive)) continue;
      const auto& vertex = result_.vertex[primitive];
      const int orientation = primitives_.orientation[primitive];
      if (mesh_.dimensions == 2) {
        sides_.push_back({vertex[0], vertex[0], k, 0, orientation});
        sides_.push_back({vertex[2], vertex[2], k, 2, -orientation});
      } else {
        sides_.push_back({vertex[0], vertex[1], k, 0, orientation});
        sides_.push_back({vertex[0], vertex[2], k, 1, -orientation});
        sides_.push_back({vertex[1], vertex[2], k, 2, orientation});
      }
    }
    std::sort(sides_.begin(), sides_.end(), [](const Side& a, const Side& b) {
      return std::tie(a.a, a.b, a.primitive) < std::tie(b.a, b.b, b.primitive);
    });
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

  /// Throws if any edge has this fault; names the one with the smallest primitive.
  void require_none(Fault fault) const {
    std::int64_t count = 0;
    Range first;
    for_each_edge([&](Range edge) {
      if (fault_of(edge) != fault) return;
      if (count++ == 0 || side(edge.begin).primitive < side(first.begin).primitive) first = edge;
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
