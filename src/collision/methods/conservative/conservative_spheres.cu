// SPDX-License-Identifier: Apache-2.0
// spheres, conservative, CUDA: collisions are computed once for all pairs that share a sphere; nodes gather.
//
// idea           the products f f₁ of the pairs of each sphere; what each direction transfers; what nodes gather; what they
//                lose: a kernel each, for batches of classes. The stencil is the same at every center: what a center b
//                adds to b + o, a node k gathers from k − o. In a box nodes of two planes lose together
// source         our own; approach of Malkov and Ivanov, "Parallelization of algorithms for solving the Boltzmann
//                equation for GPU-based computations"
// memory         256 MiB of transfers, 1 GiB from 64 nodes along an axis, at least one class, and of smaller grids as
//                many cells side by side as 4 GiB or a sixteenth of the memory hold; 32 bytes per stencil node and
//                displacement, 112 per class and direction; 17 values per node and cell, in a box n more
// atomics        none
// deterministic  yes: directions and displacements in 16 groups, added in order
// wins when      scattering is isotropic
// loses when     scattering is anisotropic: not available
// deviations     the sums of pairs in another order
#include <shoal/array.hpp>

#include <cstdlib>
#include <variant>

#include "collision/conservative/logarithms.cuh"
#include "collision/conservative/plane_losses.cuh"
#include "collision/methods/methods.hpp"
#include "collision/pairs/direction_rates.hpp"
#include "core/memory/memory.hpp"

namespace shoal::collision {

namespace {

constexpr std::int64_t batch_bytes = 256 << 20;
/// Nodes along an axis of a cell that fills the device. So many smaller cells at most share a launch.
constexpr int fills_device = 64;
constexpr std::int64_t most_cells = 64;
/// Bytes of the transfers of these cells, and the part of the device's memory that they may have.
constexpr std::int64_t cells_bytes = std::int64_t{4} << 30, memory_part = 16;

template <class Real>
struct ConservativeSpheresCuda : CollisionOperator<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  SphereTables tables;
  Array<SphereClassRecord> classes;
  Array<PackedDisplacement> displacements;
  Array<unsigned char> first_nodes;
  Array<ClassDirection<Real>> directions;
  Array<StencilNode<Real>> stencil_nodes;
  Array<GatherBoxes> gather_boxes;
  Array<DiagonalBox> diagonal_boxes;
  Array<int> first_boxes;
  std::variant<std::monostate, PlaneLosses, NodeLosses> losses;
  std::int64_t together = 1;  ///< Number of cells that share launches.

  ConservativeSpheresCuda(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), tables(setup_.support()) {
    std::vector<ClassDirection<Real>> host_directions;
    std::vector<StencilNode<Real>> host_nodes;
    std::vector<GatherBoxes> host_gather_boxes;
    make_directions(host_directions, host_nodes, host_gather_boxes);
    const Queue& queue = scratch.queue();
    classes = to_device(queue, tables.classes);
    displacements = to_device(queue, tables.displacements);
    first_nodes = to_device(queue, tables.first_nodes);
    directions = to_device(queue, host_directions);
    stencil_nodes = to_device(queue, host_nodes);
    gather_boxes = to_device(queue, host_gather_boxes);
    const DiagonalBoxes host_boxes(tables);
    diagonal_boxes = to_device(queue, host_boxes.boxes);
    first_boxes = to_device(queue, host_boxes.first);
    if (tables.support.is_box())
      losses.emplace<PlaneLosses>(queue, tables);
    else
      losses.emplace<NodeLosses>(queue, tables);
    queue.wait();  // before the host's tables are destroyed
    together = cells_together();
  }

  void evaluate(const Real* f, Real* q) override { evaluate_together(f, q, 1); }

  void evaluate_cells(const Real* f, Real* q, std::int64_t cells, std::int64_t nodes) override {
    for (std::int64_t first = 0; first < cells; first += together)
      evaluate_together(f + first * nodes, q + first * nodes, std::min(together, cells - first));
  }

 private:
  void evaluate_together(const Real* f, Real* q, std::int64_t cells) {
    const auto with_stencil = [&]<bool symmetrized>() {
      is_seven() ? evaluate_with<symmetrized, true>(f, q, cells) : evaluate_with<symmetrized, false>(f, q, cells);
    };
    setup.options.symmetrized ? with_stencil.template operator()<true>() : with_stencil.template operator()<false>();
  }

  std::int64_t transferred_of_cell() const {
    return std::max(tables.largest(&SphereBatch::elements), tables.largest(&SphereBatch::extra_elements));
  }

  std::int64_t cells_together() const {
    if (setup.ranks.size() > 1 || setup.n() >= fills_device) return 1;
    const auto part = static_cast<std::int64_t>(memory_info(scratch.queue()).total) / memory_part;
    const std::int64_t plane_losses = tables.support.is_box() ? setup.n() * setup.grid.node_count() : 0;
    const std::int64_t values = transferred_of_cell() + 2 * tables.largest(&SphereBatch::elements) + plane_losses;
    const std::int64_t bytes = values * static_cast<std::int64_t>(sizeof(Real));
    return std::clamp(std::min(cells_bytes, part) / bytes, std::int64_t{1}, most_cells);
  }

  /// Returns true if transfers are stored for each direction; else Σ f f₁ serves all directions.
  bool stores_directions() const { return setup.options.symmetrized || !tables.support.is_box(); }

  bool is_seven() const { return setup.options.stencil == CollisionStencil::seven; }

  /// Makes the tables of all classes and directions, and divides the classes into batches.
  void make_directions(std::vector<ClassDirection<Real>>& class_directions,
                       std::vector<StencilNode<Real>>& stencil_nodes, std::vector<GatherBoxes>& gather_boxes) {
    std::vector<double> rates;
    for (const SphereClassRecord& sphere_class : tables.classes) {
      const PackedDisplacement& pair = tables.displacements[static_cast<std::size_t>(sphere_class.first_displacement)];
      direction_rates(setup, Displacement{{pair.d[0], pair.d[1], pair.d[2]}}, rates);
      for (std::size_t k = 0; k < rates.size(); ++k) {
        const Stencil made = make_stencil(setup.options.stencil, sphere_class.parity,
                                          static_cast<int>(sphere_class.distance2), setup.directions.point[k].data());
        const Stencil stencil = is_seven() ? in_order_of_axes(made) : made;
        ClassDirection<Real> direction = {};
        direction.collision_rate = static_cast<Real>(rates[k]);
        direction.rate = stores_directions() ? Real(1) : direction.collision_rate;
        for (int axis = 0; axis < 3; ++axis)
          direction.nearest[axis] = 2 * stencil.nearest[axis] - sphere_class.parity[axis];
        direction.nodes = stencil.count;
        direction.first_node = static_cast<int>(stencil_nodes.size());
        direction.box = direction_box(sphere_class, made);
        direction.layout = stores_directions() ? direction.box : sphere_class.box;
        for (int t = 0; t < stencil.count; ++t) {
          const int* o = stencil.offset[t];
          const auto small = [&](int axis) { return static_cast<signed char>(o[axis]); };
          stencil_nodes.push_back({{small(0), small(1), small(2), 0},
                                   (o[2] * setup.n() + o[1]) * setup.n() + o[0],
                                   direction.layout.step(setup.n(), o[0], o[1], o[2]),
                                   static_cast<Real>(stencil.weight[t])});
        }
        gather_boxes.emplace_back(direction.box, made, sphere_class.parity, direction.first_node);
        class_directions.push_back(direction);
      }
    }
    const std::size_t count = rates.size();
    const auto place_transfers = [&](int number, std::int64_t start) {
      std::int64_t used = 0;
      for (std::size_t k = 0; k < count; ++k) {
        ClassDirection<Real>& direction = class_directions[static_cast<std::size_t>(number) * count + k];
        direction.layout.start = tables.classes[static_cast<std::size_t>(number)].box.start;
        if (!stores_directions()) continue;
        direction.layout.start = static_cast<int>(start + used);
        used += direction.box.elements(setup.n());
      }
      return used;
    };
    tables.make_batches(batch_size(setup.n(), batch_bytes) / static_cast<std::int64_t>(sizeof(Real)),
                        conservative_center_tile, place_transfers);
  }

  /// Box of the centers of a class whose stencils lie in the grid and, in a ball, may lie in the support.
  CenterBox direction_box(const SphereClassRecord& sphere_class, const Stencil& stencil) const {
    CenterBox box = sphere_class.box;
    for (int axis = 0; axis < 3; ++axis) {
      const CenterRange range = centers_inside(stencil, sphere_class.parity[axis], axis, setup.n());
      int first = std::max(box.first[axis], range.first);
      int end = std::min(box.first[axis] + box.count[axis], range.last + 1);
      const auto takes_place = [&](int b) { return reaches(sphere_class.parity, stencil.nearest, axis, b); };
      while (first < end && !takes_place(first)) ++first;
      while (end > first && !takes_place(end - 1)) --end;
      box.first[axis] = first;
      box.count[axis] = std::max(0, end - first);
    }
    if (stencil.count == 0 || box.count[0] == 0 || box.elements(1) == 0) std::fill_n(box.count, 3, 0);
    return box;
  }

  /// Returns true if centers with index b along an axis may have both stencils in the support.
  bool reaches(const int* parity, const int* nearest, int axis, int b) const {
    int offset[3];
    for (int k = 0; k < 3; ++k) offset[k] = 2 * nearest[k] - parity[k];
    const int c = std::abs(tables.support.center(b, parity[axis])), farther = c + std::abs(offset[axis]);
    return std::max(farther * farther, c * c + VelocitySupport::dot(offset, offset)) <= tables.support.stencil_square;
  }

  template <bool symmetrized, bool seven>
  void evaluate_with(const Real* f, Real* q, std::int64_t cells) {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = setup.grid.node_count(), spheres = tables.largest(&SphereBatch::elements);
    ScratchFrame frame(scratch);
    const std::int64_t margin = center_rows * setup.n();  // and after: rows of a thread may extend over the box
    Real* logs = symmetrized ? frame.array<Real>(cells * nodes + 2 * margin).data + margin : nullptr;
    Real* group_sums = frame.array<Real>(cells * node_groups * nodes).data;
    const SphereTransfers<Real> transfers{frame.array<Real>(cells * transferred_of_cell()).data,
                                          frame.array<SphereSums<Real>>(cells * spheres).data,
                                          static_cast<int>(transferred_of_cell()), static_cast<int>(spheres)};
    const StencilTables<Real> device_tables{{classes.data(), displacements.data(), first_nodes.data(), tables.support},
                                            directions.data(),
                                            stencil_nodes.data(),
                                            gather_boxes.data(),
                                            setup.directions.count(),
                                            setup.n()};
    if constexpr (symmetrized) compute_logarithms(queue, f, cells * nodes, logs);
    with_constants(tables.support, [&](auto constant, auto is_ball) {
      constexpr int n = constant();
      constexpr bool ball = is_ball();
      const auto blocks = static_cast<unsigned>(group_blocks<conservative_node_rows<Real, n>>(setup.n()));
      const std::int64_t threads = std::int64_t{node_groups} * blocks * sphere_threads;
      const auto sum = [&]<bool several> {
        const auto multiply = sum_products<Real, n, ball, several>;
        const auto compute = compute_transfers < Real, symmetrized, symmetrized && seven, n, ball, several > ;
        const auto gather = gather_transfers<Real, seven, n, ball, several>;
        const auto& loss = std::get<std::conditional_t<ball, NodeLosses, PlaneLosses>>(losses);
        sum_batches<2>(
            setup, scratch, tables.batches, cells, group_sums, [&](const SphereBatch& batch, const auto& sums) {
              launch_cells<sphere_threads>(queue, batch.blocks * sphere_threads, cells, multiply, device_tables.spheres,
                                           batch, diagonal_boxes.data(), first_boxes.data(), setup.n(), f, transfers);
              launch_cells<sphere_threads>(queue, batch.blocks * sphere_threads, cells, compute, device_tables, batch,
                                           logs, transfers);
              launch_cells<sphere_threads>(queue, threads, cells, gather, device_tables, batch, blocks, transfers,
                                           sums[0]);
              loss.template add<Real, symmetrized, n, several>(scratch, tables, device_tables.spheres, batch, cells, f,
                                                               transfers, sums[1]);
            });
      };
      if constexpr (n < fills_device)
        cells > 1 ? sum.template operator()<true>() : sum.template operator()<false>();
      else
        sum.template operator()<false>();
    });
    launch_cells(queue, nodes, cells, add_node_groups<Real>, group_sums, nodes, q);
  }
};

}  // namespace

const OperatorFactory conservative_spheres_cuda = operator_factory<ConservativeSpheresCuda>();

}  // namespace shoal::collision
