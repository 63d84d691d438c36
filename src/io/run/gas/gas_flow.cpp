// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/gas.hpp>

#include <array>
#include <optional>
#include <vector>

#include "core/text.hpp"
#include "io/run/gas/gas_output.hpp"
#include "io/run/ranks/gathered_rows.hpp"

namespace shoal::io::gas {

namespace {

template <class Real>
Gas<Real> flow_of(const Queue& queue, const Case& simulation, const Communicator& ranks) {
  AxisFaces faces;
  ranks.agree([&] {
    faces = {simulation.cells.faces()};
    if (simulation.cells_y) faces.push_back(simulation.cells_y->faces());
  });
  const auto flow_of_gas = [&](const auto& gas) -> Gas<Real> {
    if (faces.size() == 1)
      return {queue, simulation.grid, faces[0], simulation.boundaries, gas, simulation.scheme, ranks};
    const auto& [left, right] = simulation.boundaries;
    return {queue,
            simulation.grid,
            std::array{faces[0], faces[1]},
            std::array{left, right, simulation.bottom.value_or(GasBoundary{}), simulation.top.value_or(GasBoundary{})},
            gas,
            simulation.scheme,
            ranks};
  };
  if (simulation.second_gas) return flow_of_gas(simulation.second_gas->with(simulation.molecules));
  return flow_of_gas(simulation.molecules);
}

bool holds(const std::optional<double>& begin, const std::optional<double>& end, double place) {
  return !(begin && place < *begin) && !(end && place > *end);
}

/// States of the cells of both gases of a mixture, or of one gas. The second gas has the k T and velocity of the first.
std::vector<VelocityMoments> states_of(const Case& simulation) {
  const std::vector<double> x = centers_of(simulation.cells.faces());
  const std::vector<double> y = simulation.cells_y ? centers_of(simulation.cells_y->faces()) : std::vector{0.0};
  std::vector<VelocityMoments> states(x.size() * y.size());
  for (VelocityMoments& state : states) state.density = state.temperature = 1;
  std::vector<VelocityMoments> second = states;
  for (const Region& region : simulation.start)
    for (std::size_t cell = 0; cell < states.size(); ++cell) {
      if (!holds(region.begin, region.end, x[cell % x.size()]) || !holds(region.bottom, region.top, y[cell / x.size()]))
        continue;
      states[cell].density = region.density;
      states[cell].temperature = region.temperature;
      states[cell].velocity = region.velocity;
      second[cell].density = region.second_density;
    }
  if (!simulation.second_gas) return states;
  for (std::size_t cell = 0; cell < states.size(); ++cell) {
    second[cell].temperature = states[cell].temperature * (simulation.molecules.mass / simulation.second_gas->mass);
    second[cell].velocity = states[cell].velocity;
  }
  states.insert(states.end(), second.begin(), second.end());
  return states;
}

template <class Real>
Gas<Real> started(const Queue& queue, const Case& simulation, const Communicator& ranks) {
  Gas<Real> flow = flow_of<Real>(queue, simulation, ranks);
  flow.start(states_of(simulation));
  return flow;
}

/// f of the own cells of each gas, from that of all cells on rank 0.
template <class Real>
std::vector<Real> scattered_f(const Communicator& ranks, const std::vector<Real>& f, const Gas<Real>& flow) {
  const std::int64_t values = flow.own_cells().count * flow.velocities().node_count();
  if (flow.species() == 1) return scattered_rows(ranks, f, values);
  const std::ptrdiff_t cells = static_cast<std::ptrdiff_t>(f.size()) / flow.species();
  std::vector<Real> part;
  for (int k = 0; k < flow.species(); ++k) {
    const auto first = f.begin() + k * cells;
    const std::vector<Real> of_gas = scattered_rows(ranks, std::vector<Real>(first, first + cells), values);
    part.insert(part.end(), of_gas.begin(), of_gas.end());
  }
  return part;
}

template <class Real>
Gas<Real> continued(const Queue& queue, const Case& simulation, const Restart& restart, const Communicator& ranks) {
  const auto* f = std::get_if<std::vector<Real>>(&restart.f);
  ranks.agree([&] {
    require(f != nullptr, "gas: the distribution of the restart is in another precision than that of its case, ",
            to_name(simulation.precision), ". Take an earlier restart, or run the case again.");
  });
  Gas<Real> flow = flow_of<Real>(queue, simulation, ranks);
  std::int64_t count = flow.species() * simulation.grid.node_count();
  for (const std::vector<double>& faces : faces_of(flow)) count *= static_cast<std::int64_t>(faces.size()) - 1;
  ranks.agree([&] {
    require(ranks.rank() > 0 || static_cast<std::int64_t>(f->size()) == count, "gas: the restart has ", f->size(),
            " values of f, but its case has ", count, ". Take an earlier restart, or run the case again.");
  });
  const std::vector<Real> part = scattered_f(ranks, *f, flow);
  Array<Real> on_device;
  ranks.agree([&] { on_device = to_device(queue, part); });
  flow.start(on_device.view(), restart.clock);
  return flow;
}

}  // namespace

Flow open_flow(const Queue& queue, const Case& simulation, const Communicator& ranks) {
  if (simulation.precision == sph::Precision::float_) return started<float>(queue, simulation, ranks);
  return started<double>(queue, simulation, ranks);
}

Flow open_flow(const Queue& queue, const Case& simulation, const Restart& restart, const Communicator& ranks) {
  if (simulation.precision == sph::Precision::float_) return continued<float>(queue, simulation, restart, ranks);
  return continued<double>(queue, simulation, restart, ranks);
}

}  // namespace shoal::io::gas
