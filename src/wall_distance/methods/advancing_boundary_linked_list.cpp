// SPDX-License-Identifier: Apache-2.0
// advancing_boundary_linked_list: points look at cells of faces, and then at the faces of those that may be nearest.
//
// idea           a preprocessor puts faces into the cells of an auxiliary grid and drops empty ones. For every point
// the
//                list of cells is walked over: first for a radius that surely has a face, then for the smallest
//                distance to a center of a face among cells within it, then for the faces that may be nearer
// source         Wukie, Ganapathy and Park (2014), serial "Advancing boundary" (T1), after Roget and Sitaraman (2012)
// memory         40 bytes a cell, 48 a triangle
// atomics        none
// deterministic  yes: one thread
// wins when      never against `bvh`; against `serial` beyond some hundred faces
// loses when     bodies move: the preprocessor runs again; points are far away: most cells are as near as the nearest
// differs        as the rows on CUDA: exact, no face is lost, and the radius is the smallest that has all of one cell
#include "wall_distance/auxiliary_grid/auxiliary_cells.hpp"
#include "wall_distance/bvh_cpu/test_counter.hpp"
#include "wall_distance/methods/methods.hpp"
#include "wall_distance/walls/sphere_origin.hpp"

namespace shoal {

namespace {

/// The paper's list of faces.
struct FaceNode {
  PieceBall<double> ball;
  std::int32_t piece;
  const FaceNode* next;
};

struct Cell {
  PieceBall<double> ball;
  const FaceNode* root;
};

class AdvancingBoundary : public WallSearch {
 public:
  explicit AdvancingBoundary(const WallPieces& pieces) : pieces_(pieces), origin_(pieces) {}

  void find(const WallQueries& queries) override {
    if (const AuxiliaryUse now{pieces_.pose, queries.body}; !(made_ == now) || cells_.empty()) {
      make_cells(queries.body);
      made_ = now;
    }
    if (queries.tested != nullptr)
      *queries.tested = find_all<FaceTally>(queries).tested;
    else
      find_all<NoTally>(queries);
  }

  void refit() override {
    origin_ = PieceOrigin(pieces_);
    cells_.clear();
  }

  std::int64_t bytes() const override {
    return static_cast<std::int64_t>(cells_.size() * sizeof(Cell) + nodes_.size() * sizeof(FaceNode));
  }

 private:
  template <class Tally>
  Tally find_all(const WallQueries& queries) const {
    Tally tally;
    const double turned = origin_.turned(pieces_);
    for (std::int64_t i = 0; i < queries.count(); ++i) {
      const TwofoldVector point = queries.point(i);
      if (queries.accept(i, point))
        write_answer(queries, i, point, pieces_, nearest_of(point, {point, origin_.middle, turned}, tally));
    }
    return tally;
  }

  void make_cells(std::int32_t body) {
    const AuxiliaryGrid grid(pieces_, origin_.middle, body, pieces_.count());
    nodes_.clear();
    nodes_.reserve(pieces_.shape.size());  // nodes stay where they are
    cells_.clear();
    for (const AuxiliaryCell& cell : grid.cells) {
      const FaceNode* next = nullptr;
      for (auto piece = cell.pieces.rbegin(); piece != cell.pieces.rend(); ++piece) {
        nodes_.push_back({grid.balls[static_cast<std::size_t>(*piece)], *piece, next});
        next = &nodes_.back();
      }
      cells_.push_back({cell.ball, next});
    }
  }

  /// Calls `visit` with the faces of cells that may have the nearest.
  template <class Visit>
  void walk(const BallSight<double>& sight, double reach, Visit visit) const {
    for (const Cell& cell : cells_) {
      if (!may_be_nearest(sight.squared(cell.ball), cell.ball.radius, reach)) continue;
      for (const FaceNode* node = cell.root; node != nullptr; node = node->next) visit(*node);
    }
  }

  template <class Tally>
  NearestFace nearest_of(const TwofoldVector& point, const BallSight<double>& sight, Tally& tally) const {
    double radius = no_distance<double>;  // that surely has all of a cell
    for (const Cell& cell : cells_) radius = min(fast_sqrt(sight.squared(cell.ball)) + cell.ball.radius, radius);
    double reach = sight.reach(radius * radius), least = no_distance<double>;
    walk(sight, reach, [&](const FaceNode& node) {
      tally.add_bounded(1);
      least = min(sight.squared(node.ball), least);
    });
    reach = min(sight.reach(least), reach);
    NearestFace nearest;
    walk(sight, reach, [&](const FaceNode& node) {
      tally.add_bounded(1);
      if (!may_be_nearest(sight.squared(node.ball), node.ball.radius, reach)) return;
      const auto piece = static_cast<std::size_t>(node.piece);
      const BodyPose& pose = pieces_.pose[static_cast<std::size_t>(pieces_.body[piece])];
      nearest.see(pose.to_body(point), pieces_.shape[piece], node.piece);
      tally.add_exact();
    });
    return nearest;
  }

  const WallPieces& pieces_;
  PieceOrigin origin_;
  std::vector<FaceNode> nodes_;
  std::vector<Cell> cells_;
  AuxiliaryUse made_;
};

std::unique_ptr<WallSearch> open(const Queue&, const WallPieces& pieces, double) {
  return std::make_unique<AdvancingBoundary>(pieces);
}

}  // namespace

const WallDistanceMethod wall_distance_advancing_boundary_linked_list_cpu{
    {"advancing_boundary_linked_list", DeviceKind::cpu, true, "Wukie, Ganapathy and Park (2014)"}, open};

}  // namespace shoal
