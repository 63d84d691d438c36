// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>
#include <shoal/enumerator_names.hpp>
#include <shoal/grid.hpp>
#include <shoal/methods.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace shoal {

/// The grid that `Deposit` works on: uniform, or with nodes of the caller's choice along any axis; with cells that are
/// blocked by a solid, if there are any.
///
///     DepositGrid grid = Grid::fill(3, {0, 0, 0}, {1, 1, 2}, 0.1);
///     grid.stretch(2, {0, 0.1, 0.3, 0.7, 2});  // four cells along z
///     grid.blocked = mask;
///
/// Cells and nodes are numbered with x fastest. An axis has a node more than cells, a periodic one as many: its last
/// cell ends at node 0.
struct DepositGrid {
  DepositGrid(const Grid& uniform) : grid(uniform) {}

  /// Sets the nodes along an axis, and with them the number of its cells. The ends stay periodic or not.
  /// @param coordinates  [cells + 1] m, ascending; on a periodic axis the last one is the first one, a period further
  /// @throws Error  no such axis, fewer than two nodes, not finite, not ascending
  DepositGrid& stretch(int axis, std::vector<double> coordinates);

  std::int64_t cell_count() const { return grid.cell_count(); }
  std::int64_t node_count() const { return grid.node_count(); }

  Grid grid;                                 ///< along a stretched axis only `cells`, `origin` and `periodic` count
  std::array<std::vector<double>, 3> nodes;  ///< m, of stretched axes; empty for uniform ones
  std::vector<std::uint8_t> blocked;         ///< [cells] not 0: no fluid in it; empty: all cells are open
};

/// @throws Error  naming the first member that makes no sense
void require_valid(const DepositGrid& grid);

/// What becomes of a particle outside the grid.
enum class DepositOutside {
  error,  ///< Queue::wait() throws an Error that names the first one
  clamp,  ///< moved to the nearest point of the grid; an Error only if a coordinate is not a number
  skip    ///< gives nothing and gets nothing, and so do those that are nowhere; counted by skipped()
};
template <>
inline constexpr auto enumerator_names<DepositOutside> = std::array<std::string_view, 3>{"error", "clamp", "skip"};

/// What becomes of a particle in a blocked cell. A node is blocked if all cells around it are; so particles in open
/// cells never meet a blocked node.
enum class DepositBlocked {
  report,  ///< Queue::wait() throws an Error that names the first one
  drop,    ///< open nodes of the cell get their shares; those of blocked nodes are lost(), and nothing comes from them
  redistribute  ///< open nodes get those shares too, in proportion to their own; an Error if the cell has no open node
};
template <>
inline constexpr auto enumerator_names<DepositBlocked> =
    std::array<std::string_view, 3>{"report", "drop", "redistribute"};

struct DepositOptions {
  std::string method = "auto";                      ///< a row of methods("deposit"), or "auto"
  DepositOutside outside = DepositOutside::error;   ///< particles outside the grid
  DepositBlocked blocked = DepositBlocked::report;  ///< particles in blocked cells

  /// For the method `integer`: the most that the sizes |value| of all particles can add up to, for each value in the
  /// order of to_nodes(); more is an Error at Queue::wait(). Empty: measured at each call, which reads values twice.
  std::vector<double> ranges = {};
};

/// Particle values to the nodes of a grid, and node values back to particles.
///
/// A particle gives its value to the 2^D nodes of its cell with multilinear weights:
///
///     node(n) = Σ_p w(n, x_p) value(p),     w = Π_axes (1 − |x_p − x_n| / h)
///
/// where h is the edge of the particle's cell. The total over the nodes is the total over the particles to rounding.
/// Each node's sum is added up in a fixed order, the canonical sum (docs/deposit.md): every row of the method table but
/// `serial`, `integer` and those of the paper gives the same bits, on CPU and CUDA, for any number of threads.
/// `integer` adds whole numbers, so its bits do not even depend on the order of the particles.
///
/// A plan keeps its memory: to bin or to deposit again allocates only for more particles or values than ever before.
///
///     shoal::Deposit<double> deposit(queue, grid);
///     deposit.bin(x, y, z);
///     deposit.to_nodes(mass, node_mass);
///     deposit.interpolate(node_pressure, pressure);
///     queue.wait();
///
/// Cost: a particle's place in its cell and its values are read once, a cell's 2^D sums written and read once. One
/// `bin` serves any number of calls. `Real` is float or double. The methods' cards are in src/deposit/methods.
///
/// Source: Larson, Carver and Zhao (2015), "CUDA accelerated Lagrangian interpolation to Cartesian grid".
template <class Real>
class Deposit {
 public:
  using ParticleValues = std::span<const View<const Real>>;  ///< 1 to most_values views of [n]
  using NodeValues = std::span<const View<const Real>>;      ///< 1 to most_values views of [grid.node_count()]
  using Outputs = std::span<const View<Real>>;               ///< as many views, overwritten

  static constexpr int most_values = 16;  ///< in one call

  /// @throws Error  the grid makes no sense, is too fine for `Real`, or there is no such method on this device
  Deposit(const Queue& queue, const DepositGrid& grid, const DepositOptions& options = {});
  ~Deposit();
  Deposit(Deposit&&) noexcept;
  Deposit& operator=(Deposit&&) noexcept;

  /// Sorts the particles into cells; call again after they moved.
  /// @param x,y,z  [n] m, any stride, on the queue's device; n < 2^31 − 1. A 2-D grid ignores z.
  /// @throws Error  at once: counts differ, wrong device, too many particles
  /// @throws Error  at Queue::wait(): a particle is outside the grid or in a blocked cell, as the options say; names
  ///                the first one
  void bin(View<const Real> x, View<const Real> y, View<const Real> z);
  void bin(View<const Real> x, View<const Real> y);  ///< @throws Error  the grid has three dimensions

  /// The same for particles that come in the order of their cells, those without a cell last: nothing is sorted, and
  /// values are read and written in the order in which they lie.
  /// @throws Error  at Queue::wait(), too: a particle comes after one of a later cell; names it
  void bin_sorted(View<const Real> x, View<const Real> y, View<const Real> z);
  void bin_sorted(View<const Real> x, View<const Real> y);  ///< @throws Error  the grid has three dimensions

  /// Brings an array into the order of cells: out[k] = in[order[k]]; any stride, not in place.
  /// @param in,out  [n] any unit, on the queue's device
  /// @throws Error  counts differ from n, or wrong device
  void reorder(View<const Real> in, View<Real> out) const;

  /// From here to the next bin, values of particles are in the order of cells: for callers who reordered them.
  void values_are_in_cell_order();

  /// Particle values to nodes.
  /// @param values  1 to 16 views of [n] any unit, any stride, on the queue's device
  /// @param nodes   as many views of [grid.node_count()], same units, overwritten
  /// @throws Error  at once: numbers or counts differ, wrong device
  /// @throws Error  at Queue::wait(), method `integer` only: a value is not finite, or values exceed their range
  void to_nodes(ParticleValues values, Outputs nodes);
  void to_nodes(View<const Real> value, View<Real> node);

  /// Particle values to cells: to nodes, whose values are then split evenly between the open cells around them (figure
  /// 2 of the paper). The total is kept; blocked cells get 0.
  /// @param cells  as many views of [grid.cell_count()], overwritten
  void to_cells(ParticleValues values, Outputs cells);
  void to_cells(View<const Real> value, View<Real> cell);

  /// Node values to particles, with the same weights: value(p) = Σ_n w(n, x_p) node(n), the adjoint of to_nodes().
  /// Skipped particles get 0.
  /// @param nodes   1 to 16 views of [grid.node_count()] any unit, any stride, on the queue's device
  /// @param values  as many views of [n], overwritten
  void interpolate(NodeValues nodes, Outputs values);
  void interpolate(View<const Real> node, View<Real> value);

  /// The gradient of interpolate() at the particles; between two cells that of the upper one.
  /// @param node      [grid.node_count()]
  /// @param gx,gy,gz  [n] unit of node / m, overwritten; a 2-D grid ignores gz
  void interpolate_gradient(View<const Real> node, View<Real> gx, View<Real> gy, View<Real> gz);
  void interpolate_gradient(View<const Real> node, View<Real> gx, View<Real> gy);

  /// What of a value did not get to any node: of skipped particles, and with blocked = drop the shares of blocked
  /// nodes. So Σ node + lost = Σ value to rounding. Waits for the queue.
  /// @param value  [n]
  double lost(View<const Real> value);

  /// Particles that outside = skip left out of the last bin. Waits for the queue.
  std::int64_t skipped() const;

  View<const std::int64_t> cell_start() const;  ///< [cells + 2]: skipped particles follow those of the last cell
  View<const std::int32_t> order() const;       ///< [n] the particle at each position; empty after bin_sorted()

  const DepositGrid& grid() const;

  /// The row of the method table that runs.
  MethodInfo method() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal
