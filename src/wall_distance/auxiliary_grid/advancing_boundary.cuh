// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "wall_distance/auxiliary_grid/cell_faces.cuh"

/// What the variations of the paper's advancing boundary share.
namespace shoal::advancing {

constexpr int threads = 256;
constexpr int blocks = 2;  ///< of a multiprocessor at least

/// Where a thread has its point.
enum class PointIn { global, registers, shared };

/// A point that is read from global memory whenever it is used.
struct GlobalSight {
  const WallQueries& queries;
  std::int64_t i;
  const DevicePieces& pieces;

  __device__ double squared(const PieceBall<double>& ball) const {
    const auto at = [this](const View<const double>& axis) {
      return axis.data != nullptr ? *static_cast<const volatile double*>(axis.data + i * axis.stride) : 0;
    };
    const TwofoldVector point{{at(queries.points.x), 0}, {at(queries.points.y), 0}, {at(queries.points.z), 0}};
    return BallSight<double>(point, pieces.origin, pieces.turned).squared(ball);
  }
};

/// A point of this thread in shared memory.
struct SharedSight {
  const double *x, *y, *z;

  __device__ explicit SharedSight(const BallSight<double>& sight) {
    __shared__ double room[3 * threads];
    double* mine = room + threadIdx.x;
    mine[0] = sight.x;
    mine[threads] = sight.y;
    mine[2 * threads] = sight.z;
    x = mine;
    y = mine + threads;
    z = mine + 2 * threads;
  }
  __device__ double squared(const PieceBall<double>& ball) const {
    const double along_x = *x - ball.x, along_y = *y - ball.y, along_z = *z - ball.z;
    return fma(along_x, along_x, fma(along_y, along_y, along_z * along_z));
  }
};

/// The three walks over the list of cells for one point.
template <class Faces, class CellBallsIn, class Sight>
__device__ void walk(const WallQueries& queries, const DevicePieces& pieces, const SeparateBalls<double>& all,
                     const CellBallsIn& cells, std::int64_t i, bool asks, const BallSight<double>& bounds,
                     const Sight& sight) {
  constexpr BallShare every{0, 1};
  const Cell<Faces>* list = cells.all.cells;
  double radius = no_distance<double>;  // that surely has all of a cell
  cells.visit(sight, every, [&](std::int32_t, double squared, double cell_radius) {
    radius = min(fast_sqrt(squared) + cell_radius, radius);
  });
  double reach = bounds.reach(radius * radius);
  double least = no_distance<double>;
  cells.visit(sight, every, [&](std::int32_t c, double squared, double cell_radius) {
    if (!asks || !may_be_nearest(squared, cell_radius, reach)) return;
    list[c].faces.visit(list[c].count, all,
                        [&](const PieceBall<double>& ball, std::int32_t) { least = min(sight.squared(ball), least); });
  });
  reach = min(bounds.reach(least), reach);
  NearestFace nearest;
  const TwofoldVector point = asks ? queries.point(i) : TwofoldVector{};
  cells.visit(sight, every, [&](std::int32_t c, double squared, double cell_radius) {
    if (!asks || !may_be_nearest(squared, cell_radius, reach)) return;
    list[c].faces.visit(list[c].count, all, [&](const PieceBall<double>& ball, std::int32_t piece) {
      if (may_be_nearest(sight.squared(ball), ball.radius, reach)) pieces.see(queries, point, piece, nearest);
    });
  });
  if (asks) pieces.write(queries, i, point, nearest);
}

/// A thread a point.
template <class Faces, class CellBallsIn, PointIn point_in>
__global__ void __launch_bounds__(threads, blocks)
    advance(WallQueries queries, DevicePieces pieces, SeparateBalls<double> all, CellBallsIn cells) {
  const std::int64_t i = thread_index();
  const bool asks = i < queries.count() && queries.accept(i, queries.point(i));
  if (!CellBallsIn::whole_blocks && !asks) return;
  const BallSight<double> sight(asks ? queries.point(i) : TwofoldVector{}, pieces.origin, pieces.turned);
  if constexpr (point_in == PointIn::global)
    walk<Faces>(queries, pieces, all, cells, i, asks, sight, GlobalSight{queries, i, pieces});
  else if constexpr (point_in == PointIn::shared)
    walk<Faces>(queries, pieces, all, cells, i, asks, sight, SharedSight(sight));
  else
    walk<Faces>(queries, pieces, all, cells, i, asks, sight, sight);
}

template <class Faces, template <class...> class CellsIn, PointIn point_in>
class Search : public WallSearch {
  using Balls = CellsIn<CellBalls<Faces>>;

 public:
  Search(const Queue& queue, const WallPieces& pieces) : pieces_(queue, pieces), cells_(queue, 0), memory_(queue) {}

  void find(const WallQueries& queries) override {
    const DevicePieces pieces = pieces_.now();
    const AuxiliaryUse now{pieces_.host().pose, queries.body};
    if (!(made_ == now)) {
      make_cells(pieces.origin, queries.body);
      made_ = now;
    }
    const SeparateBalls<double> all(memory_.numbers.data(), pieces.count);
    const Balls balls{{cells_.data()}, static_cast<std::int32_t>(cells_.count())};
    launch<threads>(pieces_.queue(), queries.count(), advance<Faces, Balls, point_in>, queries, pieces, all, balls);
  }

  void refit() override {
    pieces_.reshape();
    made_ = {};
  }
  std::int64_t bytes() const override { return pieces_.bytes() + cells_.bytes() + memory_.bytes(); }

 private:
  void make_cells(const double* origin, std::int32_t body) {
    const WallPieces& pieces = pieces_.host();
    const AuxiliaryGrid grid(pieces, origin, body, Faces::most);
    const std::vector<AuxiliaryCell>& made = grid.cells;
    Faces::resize(memory_, pieces.count());
    std::vector<Cell<Faces>> cells(made.size());
    std::int64_t before = 0;
    for (std::size_t c = 0; c < made.size(); ++c) {
      cells[c].ball = made[c].ball;
      cells[c].count = static_cast<std::int32_t>(made[c].pieces.size());
      cells[c].faces.put({made[c].pieces, before, grid.balls}, memory_);
      before += cells[c].count;
    }
    memory_.upload(pieces_.queue());
    cells_.resize(static_cast<std::int64_t>(cells.size()));
    copy<Cell<Faces>>(pieces_.queue(), cells, cells_.view());
  }

  PiecesOnDevice pieces_;
  Array<Cell<Faces>> cells_;
  FaceMemory memory_;
  AuxiliaryUse made_;
};

/// Where a thread reads the balls of cells.
template <class Balls>
using CellsInGlobal = GlobalBalls<Balls>;
template <class Balls>
using CellsInShared = SharedBalls<Balls, InterleavedBalls<double>>;

template <class Faces, template <class...> class CellsIn, PointIn point_in>
std::unique_ptr<WallSearch> open(const Queue& queue, const WallPieces& pieces, double) {
  return std::make_unique<Search<Faces, CellsIn, point_in>>(queue, pieces);
}

}  // namespace shoal::advancing
