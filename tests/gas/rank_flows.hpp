// SPDX-License-Identifier: Apache-2.0
// Flows on several ranks, which are threads here, and the numbers that must have the bits of one rank.
#pragma once
#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>

#include "gas/mixture_flows.hpp"
#include "support/devices.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::testing_support {

/// All numbers of a flow, of the cells of all ranks.
template <class Real>
struct FlowState {
  std::vector<Real> f;
  GasClock clock;
  std::vector<double> numbers;  ///< moments, fluxes, transfers, residual
};

inline void append(std::vector<double>& numbers, const GasFlux& flux) {
  numbers.push_back(flux.mass);
  numbers.insert(numbers.end(), flux.momentum.begin(), flux.momentum.end());
  numbers.push_back(flux.energy);
}

/// Numbers that all ranks know.
template <class Real>
std::vector<double> numbers_of(Gas<Real>& flow) {
  std::vector<double> numbers{flow.residual(), flow.clock().time, flow.clock().steady_mass,
                              static_cast<double>(flow.clock().steps), static_cast<double>(flow.clock().evaluations)};
  for (const VelocityMoments& cell : flow.moments()) {
    numbers.insert(numbers.end(), {cell.density, cell.temperature});
    numbers.insert(numbers.end(), cell.velocity.begin(), cell.velocity.end());
    numbers.insert(numbers.end(), cell.stress.begin(), cell.stress.end());
    numbers.insert(numbers.end(), cell.heat_flux.begin(), cell.heat_flux.end());
  }
  for (const GasFlux& flux : flow.fluxes()) append(numbers, flux);
  for (const GasFlux& flux : flow.clock().transfers) append(numbers, flux);
  for (int side = 0; side < 2 * flow.dimensions() * flow.species(); ++side)
    for (const GasFlux& flux : flow.side_fluxes(side)) append(numbers, flux);
  return numbers;
}

/// Line or plane of cells on one or several ranks.
struct RankFlow {
  DeviceKind device = DeviceKind::cpu;
  GasOptions options = {};
  std::vector<GasBoundary> sides = {different_walls.begin(), different_walls.end()};  ///< two: a line; four: a plane
  int cells = 9, columns = 3;  ///< `cells` along the axis that ranks cut
  VelocityGrid grid = small_grid;
  Molecules molecules = {.rate = 3};
  std::optional<Mixture> mixture = {};

  Queue queue() const { return device == DeviceKind::cpu ? Queue::cpu(1) : Queue::cuda(0); }

  template <class Real>
  Gas<Real> make(const Queue& on, const Communicator& ranks) const {
    const std::vector<double> line = gas::stretched_faces(0, 2, cells, 1.1);
    const std::array<std::vector<double>, 2> plane = plane_faces(columns, cells);
    if (mixture && sides.size() == 2) return {on, grid, line, {sides[0], sides[1]}, *mixture, options, ranks};
    if (sides.size() == 2) return {on, grid, line, {sides[0], sides[1]}, molecules, options, ranks};
    const std::array<GasBoundary, 4> four{sides[0], sides[1], sides[2], sides[3]};
    if (mixture) return {on, grid, plane, four, *mixture, options, ranks};
    return {on, grid, plane, four, molecules, options, ranks};
  }

  std::vector<VelocityMoments> start() const {
    if (mixture) return sides.size() == 2 ? mixture_waves(cells) : mixture_ripples(columns, cells);
    return sides.size() == 2 ? waves(cells) : ripples(columns, cells);
  }

  /// Runs work(flow) on ranks.
  /// @param first  state to continue from; null: the start
  template <class Real>
  FlowState<Real> run(int count, const std::function<void(Gas<Real>&)>& work,
                      const FlowState<Real>* first = nullptr) const {
    FlowState<Real> state;
    std::mutex writing;
    std::vector<std::vector<double>> numbers(static_cast<std::size_t>(count));
    run_on_ranks(count, [&](const Communicator& ranks) {
      const Queue on = queue();
      Gas<Real> flow = make<Real>(on, ranks);
      const std::int64_t nodes = grid.node_count();
      const Share cells_here = flow.own_cells();
      const std::int64_t gases = flow.species(), all_nodes = cells * (sides.size() == 2 ? 1 : columns) * nodes;
      if (first == nullptr) {
        flow.start(start());
      } else {
        std::vector<Real> own_f;
        for (std::int64_t species = 0; species < gases; ++species) {
          const auto begin = first->f.begin() + species * all_nodes + cells_here.first * nodes;
          own_f.insert(own_f.end(), begin, begin + cells_here.count * nodes);
        }
        flow.start(to_device(on, own_f), first->clock);
      }
      work(flow);
      numbers[static_cast<std::size_t>(ranks.rank())] = numbers_of(flow);
      const std::vector<Real> part = to_host(on, flow.f());
      const std::lock_guard lock(writing);
      state.f.resize(static_cast<std::size_t>(gases * all_nodes));
      for (std::int64_t species = 0; species < gases; ++species)
        std::copy_n(part.begin() + species * cells_here.count * nodes, cells_here.count * nodes,
                    state.f.begin() + species * all_nodes + cells_here.first * nodes);
      state.clock = flow.clock();
    });
    for (const std::vector<double>& of_rank : numbers) EXPECT_EQ(of_rank, numbers[0]);
    state.numbers = numbers[0];
    return state;
  }

  /// Expects the bits of one rank on several.
  template <class Real = double>
  void expect_same_bits(const std::function<void(Gas<Real>&)>& work, const std::vector<int>& counts = {2, 3, 4}) const {
    const FlowState<Real> expected = run<Real>(1, work);
    EXPECT_GT(expected.clock.steps, 1) << "something changed";
    for (const int count : counts) {
      SCOPED_TRACE(testing::Message() << count << " ranks");
      const FlowState<Real> state = run<Real>(count, work);
      EXPECT_TRUE(state.f == expected.f) << "largest difference " << largest_difference(state.f, expected.f);
      EXPECT_EQ(state.numbers, expected.numbers);
    }
  }
};

}  // namespace shoal::testing_support
