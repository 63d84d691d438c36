// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>
#include <shoal/deposit/shape.hpp>
#include <shoal/enumerator_names.hpp>
#include <shoal/grid.hpp>
#include <shoal/methods.hpp>
#include <shoal/ranks/communicator.hpp>
#include <shoal/ranks/slabs.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace shoal::deposit {

/// Grid of `Deposit`: uniform, or with given node coordinates along any axis. A solid may block cells.
///
///     DepositGrid grid = Grid::fill(3, {0, 0, 0}, {1, 1, 2}, 0.1);
///     grid.stretch(2, {0, 0.1, 0.3, 0.7, 2});  // four cells along z
///     grid.blocked = mask;
///
/// Cells and nodes are numbered with x fastest. An axis has one more node than cells. A periodic axis has as many nodes
/// as cells: its last cell ends at node 0.
struct DepositGrid {
  DepositGrid(const Grid& uniform) : grid(uniform) {}

  /// Sets the nodes along an axis, and with them the number of its cells. The axis stays periodic if it was.
  /// @param coordinates  [cells + 1] m, ascending; on a periodic axis the last is the first plus the period
  /// @throws Error  no such axis, fewer than two nodes, not finite, not ascending
  DepositGrid& stretch(int axis, std::vector<double> coordinates);

  std::int64_t cell_count() const { return grid.cell_count(); }
  std::int64_t node_count() const { return grid.node_count(); }

  Grid grid;                                 ///< a stretched axis uses only `cells`, `origin` and `periodic`
  std::array<std::vector<double>, 3> nodes;  ///< m, nodes of stretched axes; empty for uniform axes
  std::vector<std::uint8_t> blocked;         ///< [cells] not 0: the cell is solid; empty: all cells are open
};

/// @throws Error  names the first invalid member
void require_valid(const DepositGrid& grid);

/// Treatment of a particle outside the grid.
enum class DepositOutside {
  error,  ///< Queue::wait() throws an Error that names the first one
  clamp,  ///< the particle moves to the nearest point of the grid; an Error only if a coordinate is NaN
  skip    ///< the particle gives and receives nothing, also if a coordinate is NaN; skipped() counts it
};

/// Treatment of a particle in a blocked cell. A node is blocked if all cells around it are, so a particle in an open cell
/// has open nodes only.
enum class DepositBlocked {
  report,  ///< Queue::wait() throws an Error that names the first one
  drop,    ///< open nodes get their shares; the shares of blocked nodes are lost(), and blocked nodes give nothing back
  redistribute  ///< open nodes also get the shares of blocked nodes, in proportion; an Error if no node is open
};

struct DepositOptions {
  std::string method = "auto";                      ///< name of a method of methods("deposit"), or "auto"
  DepositShape shape = DepositShape::cic;           ///< shape of the particles
  DepositOutside outside = DepositOutside::error;   ///< treatment of particles outside the grid
  DepositBlocked blocked = DepositBlocked::report;  ///< treatment of particles in blocked cells

  /// Method `integer`: upper bound of Σ |value| over all particles, for each value in the order of to_nodes(). A larger
  /// sum is an Error at Queue::wait(). Empty: each call measures the sums, which reads the values twice more.
  std::vector<double> ranges = {};
};

/// Particle values to the nodes of a grid, and node values back to particles.
///
/// A particle distributes its value to the 2^D nodes of its cell with multilinear weights:
///
///     node(n) = Σ_p w(n, x_p) value(p),     w = Π_axes (1 − |x_p − x_n| / h)
///
/// where h is the edge of the particle's cell. The nodes' total equals the particles' total to rounding. Each node's sum
/// has a fixed order, the canonical sum (docs/deposit.md). All methods except `serial`, `integer` and the paper's give
/// the same bits, on CPU and CUDA, for any number of threads. `integer` adds integers, so its bits do not even depend on
/// the order of the particles.
///
/// With the shapes `tsc` and `pcs` a particle reaches the 3 or 4 nearest nodes along each axis. Along an open axis the node
/// beyond an end is extrapolated from the two at the end, so weights there keep their sum, their first moment and their
/// sign. These shapes are for one rank, for uniform axes without blocked cells, and for all calls but to_cells(). All
/// methods of the CPU have them, and `lanes`, `integer` and `atomic` on CUDA; `sorted` and `lanes` have equal bits.
///
/// A plan keeps its memory: it allocates again only for more particles or values than ever before.
///
///     shoal::Deposit<double> deposit(queue, grid);
///     deposit.bin(x, y, z);
///     deposit.to_nodes(mass, node_mass);
///     deposit.interpolate(node_pressure, pressure);
///     queue.wait();
///
/// On several ranks, each rank has a slab: whole layers of cells along the slowest axis, z (in 2-D y).
///
/// - It brings exactly the particles in its layers; one on a cut belongs to the upper layer. Particles of a cell come in
///   the same order as on one rank, for example by number. Skipped particles may be on any rank.
/// - It gets the nodes of its layers, first_node() to first_node() + node_count() − 1 of the grid, planes at cuts
///   included: both ranks beside a cut get the sum of both, so interpolate() needs no exchange. On a periodic axis the
///   last rank also gets a copy of plane 0.
/// - Nodes and cells have the bits of one rank with every deterministic method. A cut costs one exchange of a plane of
///   nodes. to_cells() also sends the particles of a rank's first layer to the rank below: positions after each bin(),
///   values in each call.
///
///     Slabs slabs = cut_by_weight(particles_of_layer, ranks.size());
///     Deposit<double> deposit(queue, grid, {}, slabs, ranks);
///
/// bin(), to_nodes(), to_cells() and require_finite() are then calls of all ranks. They wait for the queue, and what is
/// wrong on one rank is the same Error on all; it names the rank of the particle. The other calls concern one rank, and so
/// do counts, lost() and skipped().
///
/// Cost: a particle's position and values are read once, a cell's 2^D sums are written and read once. One `bin` serves
/// any number of calls. `Real` is float or double. The notes at the head of each method's file are in
/// src/deposit/methods.
///
/// Source: Larson, Carver and Zhao (2015), "CUDA accelerated Lagrangian interpolation to Cartesian grid".
template <class Real>
class Deposit {
 public:
  using ParticleValues = std::span<const View<const Real>>;  ///< 1 to most_values views of [n]
  using NodeValues = std::span<const View<const Real>>;      ///< 1 to most_values views of [node_count()]
  using Outputs = std::span<const View<Real>>;               ///< as many views, overwritten

  static constexpr int most_values = 16;  ///< Greatest number of values of one call

  /// @throws Error  the grid is invalid, too fine for `Real`, or there is no such method on this device; or the shape is
  ///                not `cic`, and the method or the grid does not allow it
  Deposit(const Queue& queue, const DepositGrid& grid, const DepositOptions& options = {});

  /// One rank's slab of the grid. All ranks call it.
  /// @param slabs  of the layers of cells along the slowest axis, at least one a rank; the same on all ranks
  /// @throws Error  on all ranks: as above, or the slabs do not fit the grid or the ranks, or differ between ranks
  Deposit(const Queue& queue, const DepositGrid& grid, const DepositOptions& options, const Slabs& slabs,
          const Communicator& ranks);

  /// Particles shared out over the ranks in any way; every rank gets all nodes, or all cells, which are added in the
  /// host's memory. Method `integer`, which is "auto" here: its bits do not depend on the partition.
  /// @throws Error  on all ranks: as above, or another method
  Deposit(const Queue& queue, const DepositGrid& grid, const DepositOptions& options, const Communicator& ranks);
  ~Deposit();
  Deposit(Deposit&&) noexcept;
  Deposit& operator=(Deposit&&) noexcept;

  /// Sorts the particles into cells; call it again after they moved.
  /// @param x,y,z  [n] m, any stride, on the queue's device; n < 2^31 − 1. A 2-D grid ignores z.
  /// @throws Error  at once: counts differ, wrong device, too many particles
  /// @throws Error  at Queue::wait(): a particle is outside the grid or in a blocked cell, as the options say; names
  ///                the first one
  /// After an error the plan has no particles, and the calls that need them throw an Error.
  void bin(View<const Real> x, View<const Real> y, View<const Real> z);
  void bin(View<const Real> x, View<const Real> y);  ///< @throws Error  the grid has three dimensions

  /// Bins particles that are already in the order of their cells, with particles without a cell last. Nothing is sorted;
  /// values are read and written in the given order.
  /// @throws Error  as bin(); and at Queue::wait(): a particle follows one of a later cell; names it
  void bin_sorted(View<const Real> x, View<const Real> y, View<const Real> z);
  void bin_sorted(View<const Real> x, View<const Real> y);  ///< @throws Error  the grid has three dimensions

  /// Reorders an array into the order of cells: out[k] = in[order[k]]; any stride, not in place.
  /// @param in,out  [n] any unit, on the queue's device
  /// @throws Error  counts differ from n, or wrong device
  void reorder(View<const Real> in, View<Real> out) const;

  /// Declares that particle values are in the order of cells until the next bin(): for callers who reordered them.
  void values_are_in_cell_order();

  /// Checks values before their transfer, which propagates what is not finite to the nodes. Waits for the queue.
  /// @param values  1 to 16 views of [n] any unit, any stride, on the queue's device
  /// @throws Error  a value is not finite: names the first particle
  void require_finite(ParticleValues values);

  /// Particle values to nodes.
  /// @param values  1 to 16 views of [n] any unit, any stride, on the queue's device
  /// @param nodes   as many views of [node_count()], same units, overwritten
  /// @throws Error  at once: numbers or counts differ, wrong device
  /// @throws Error  at Queue::wait(), method `integer` only: a value is not finite, or values exceed their range
  void to_nodes(ParticleValues values, Outputs nodes);
  void to_nodes(View<const Real> value, View<Real> node);

  /// Particle values to cells: to_nodes() on the support grid, whose nodes are the centers of the cells (figure 2 of the
  /// paper). A cell gets values from particles within one cell width of its center; between the last center and the end
  /// of an open axis, all goes to the last cell. Blocked cells get 0: their shares go to the open cells around the
  /// particle, in proportion, or are lost with blocked = drop. Otherwise the total is conserved.
  ///
  /// The first call after bin() sorts the particles once more; later calls cost as much as to_nodes().
  /// @param cells  as many views of [cells of this rank], on one rank [grid.cell_count()], overwritten
  /// @throws Error  as to_nodes(); the shape is not `cic`; and at Queue::wait(), blocked = redistribute: no cell around a
  ///                particle is open
  void to_cells(ParticleValues values, Outputs cells);
  void to_cells(View<const Real> value, View<Real> cell);

  /// Node values to particles, with the same weights: value(p) = Σ_n w(n, x_p) node(n), the adjoint of to_nodes().
  /// Skipped particles get 0.
  /// @param nodes   1 to 16 views of [node_count()] any unit, any stride, on the queue's device
  /// @param values  as many views of [n], overwritten
  void interpolate(NodeValues nodes, Outputs values);
  void interpolate(View<const Real> node, View<Real> value);

  /// The gradient of interpolate() at the particles; on the face between two cells, the gradient of the upper cell.
  /// @param node      [node_count()]
  /// @param gx,gy,gz  [n] unit of node / m, overwritten; a 2-D grid ignores gz
  void interpolate_gradient(View<const Real> node, View<Real> gx, View<Real> gy, View<Real> gz);
  void interpolate_gradient(View<const Real> node, View<Real> gx, View<Real> gy);

  /// The part of a value that no node received: the values of skipped particles and, with blocked = drop, the shares of
  /// blocked nodes. Σ node + lost = Σ value to rounding. Waits for the queue.
  /// @param value  [n]
  double lost(View<const Real> value);

  /// Number of particles that the last bin skipped. Waits for the queue.
  std::int64_t skipped() const;

  View<const std::int64_t> cell_start()
      const;  ///< [cells of this rank + 2]: skipped particles follow those of the last cell
  View<const std::int32_t> order() const;  ///< [n] the particle at each position; empty after bin_sorted()

  const DepositGrid& grid() const;

  std::int64_t node_count() const;  ///< Number of nodes of this rank; on one rank grid().node_count()
  std::int64_t first_node() const;  ///< Number of this rank's first node in the grid
  std::int64_t first_cell() const;  ///< Number of this rank's first cell in the grid; its cells are counted from 0

  /// The method that runs.
  MethodInfo method() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal::deposit

namespace shoal {
using deposit::Deposit;
using deposit::DepositBlocked;
using deposit::DepositGrid;
using deposit::DepositOptions;
using deposit::DepositOutside;
using deposit::require_valid;

template <>
inline constexpr auto enumerator_names<DepositOutside> = std::array<std::string_view, 3>{"error", "clamp", "skip"};
template <>
inline constexpr auto enumerator_names<DepositBlocked> =
    std::array<std::string_view, 3>{"report", "drop", "redistribute"};
}  // namespace shoal
