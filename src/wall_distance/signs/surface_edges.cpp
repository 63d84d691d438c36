// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/signs/surface_edges.hpp"

#include <algorithm>

#include "core/range.hpp"
#include "core/text.hpp"

namespace shoal {

namespace {

/// One side of an edge: a piece that has it, as its slot of `beyond`.
struct Side {
  std::int32_t a, b, piece;
  int slot;
  int direction;  ///< 1: the piece's corners pass the edge from a to b (in 2-D: leave from the end); −1: the other way

  bool is_beside(const Side& other) const { return a == other.a && b == other.b; }
};

enum class Fault { none, open, shared, turned };

class Joiner {
 public:
  Joiner(const WallMesh& mesh, const WallPieces& pieces) : mesh_(mesh), pieces_(pieces) {}

  WallEdges join() {
    number_places();
    list_sides();
    for (const Fault fault : {Fault::open, Fault::shared, Fault::turned}) refuse(fault);
    join_sides();
    return std::move(found_);
  }

 private:
  struct Corner {
    std::int32_t body;
    double x, y, z;
    std::int32_t piece;
    int slot;

    auto place() const { return std::tie(body, x, y, z); }
  };

  void number_places() {
    std::vector<Corner> corners;
    for (std::int32_t k = 0; k < pieces_.count(); ++k) {
      const FacePiece& piece = pieces_.shape[static_cast<std::size_t>(k)];
      for (int i = 0; i < 3; ++i)
        corners.push_back({pieces_.body[static_cast<std::size_t>(k)], piece.x[i], piece.y[i], piece.z[i], k, i});
    }
    std::sort(corners.begin(), corners.end(), [](const Corner& a, const Corner& b) { return a.place() < b.place(); });
    found_.place.resize(pieces_.shape.size());
    for (std::size_t i = 0; i < corners.size(); ++i) {
      if (i == 0 || corners[i - 1].place() != corners[i].place()) ++found_.places;
      found_.place[static_cast<std::size_t>(corners[i].piece)][static_cast<std::size_t>(corners[i].slot)] =
          found_.places - 1;
    }
  }

  void list_sides() {
    for (std::int32_t k = 0; k < pieces_.count(); ++k) {
      const auto piece = static_cast<std::size_t>(k);
      if (!found_.is_whole(mesh_.dimensions, piece)) continue;
      const auto& at = found_.place[piece];
      const int turn = pieces_.turn[piece];
      if (mesh_.dimensions == 2) {
        sides_.push_back({at[0], at[0], k, 0, turn});
        sides_.push_back({at[2], at[2], k, 2, -turn});
      } else {
        sides_.push_back({at[0], at[1], k, 0, turn});
        sides_.push_back({at[0], at[2], k, 1, -turn});
        sides_.push_back({at[1], at[2], k, 2, turn});
      }
    }
    std::sort(sides_.begin(), sides_.end(),
              [](const Side& a, const Side& b) { return std::tie(a.a, a.b, a.piece) < std::tie(b.a, b.b, b.piece); });
  }

  /// Calls `use` for the sides of each edge.
  template <class Use>
  void for_each_edge(Use&& use) const {
    const auto n = static_cast<std::int64_t>(sides_.size());
    for (std::int64_t begin = 0, end = 0; begin < n; begin = end) {
      while (end < n && side(end).is_beside(side(begin))) ++end;
      use(Range{begin, end});
    }
  }
  const Side& side(std::int64_t i) const { return sides_[static_cast<std::size_t>(i)]; }

  Fault fault_of(Range edge) const {
    if (edge.count() == 1) return Fault::open;
    if (edge.count() > 2) return Fault::shared;
    return side(edge.begin).direction == side(edge.begin + 1).direction ? Fault::turned : Fault::none;
  }

  /// Throws if there is such a fault; it is said of the one with the smallest piece.
  void refuse(Fault fault) const {
    std::int64_t count = 0;
    Range first;
    for_each_edge([&](Range edge) {
      if (fault_of(edge) != fault) return;
      if (count++ == 0 || side(edge.begin).piece < side(first.begin).piece) first = edge;
    });
    if (count == 0) return;
    const char* const of = fault == Fault::open     ? " of one face alone, so there is no inside"
                           : fault == Fault::shared ? " of more than two faces, so sides cannot be told"
                                                    : " whose two faces look to different sides";
    const char* const help = fault == Fault::open     ? "Close the wall"
                             : fault == Fault::shared ? "Leave out duplicate faces and take walls that touch apart"
                                                      : "Turn faces around";
    throw Error(text("wall_distance: the walls have ", count, mesh_.dimensions == 2 ? " end" : " edge",
                     count == 1 ? "" : "s", of, ". The first is ", where(first), ". ", help,
                     ", or ask for distances without signs."));
  }

  std::string where(Range edge) const {
    const Side& one = side(edge.begin);
    const FacePiece& piece = pieces_.shape[static_cast<std::size_t>(one.piece)];
    const auto at = [&](int i) {
      return text("(", piece.x[i], ", ", piece.y[i], mesh_.dimensions == 3 ? text(", ", piece.z[i]) : "", ")");
    };
    std::string said = mesh_.dimensions == 2 ? "at " + at(one.slot)
                                             : "from " + at(one.slot == 2 ? 1 : 0) + " to " + at(one.slot == 0 ? 1 : 2);
    said += " m, of";
    for (std::int64_t i = edge.begin; i < edge.end; ++i) {
      const auto k = static_cast<std::size_t>(side(i).piece);
      said += text(i == edge.begin ? " " : " and ", "face ", pieces_.face[k], " of wall \"",
                   mesh_.wall_names[static_cast<std::size_t>(pieces_.wall[k])], "\"");
    }
    return said;
  }

  void join_sides() {
    found_.beyond.assign(pieces_.shape.size(), {-1, -1, -1});
    for_each_edge([&](Range edge) {
      const Side &one = side(edge.begin), &other = side(edge.begin + 1);
      found_.beyond[static_cast<std::size_t>(one.piece)][static_cast<std::size_t>(one.slot)] = other.piece;
      found_.beyond[static_cast<std::size_t>(other.piece)][static_cast<std::size_t>(other.slot)] = one.piece;
      found_.edges.push_back({one.a, one.b, one.piece});
    });
  }

  const WallMesh& mesh_;
  const WallPieces& pieces_;
  std::vector<Side> sides_;
  WallEdges found_;
};

}  // namespace

WallEdges wall_edges(const WallMesh& mesh, const WallPieces& pieces) { return Joiner(mesh, pieces).join(); }

}  // namespace shoal
