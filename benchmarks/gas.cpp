// SPDX-License-Identifier: Apache-2.0
// Flows of gas along x on 32³ velocity nodes, on every available device.
//
// transport     a step without collisions on a line that does not fit into a cache. Items are nodes; the ceiling counts f
//               and the stages as each is read and written once, five times a step
// step, sweep   a step in time, and an iteration to the steady state, of 200 cells with each collision term
// shock         a normal shock at Mach 3 to its steady state in 200 cells. `conservative` starts from the steady state of
//               the model of Shakhov, the others from a jump
#include <shoal/gas.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "support/google.hpp"

namespace shoal::benchmarks {
namespace {

constexpr int nodes = 32, line_cells = 200;

/// Collision term of a flow.
struct Term {
  const char* name;
  GasOptions options;
  int cpu_cells = 0;       ///< Number of cells on the CPU; 0: too slow there.
  bool continued = false;  ///< The shock starts from that of the model of Shakhov.
};

GasOptions boltzmann(CollisionOptions collision) {
  if (collision.approach != CollisionApproach::conservative) {
    collision.equilibrium_preserving = true;
    collision.projection = CollisionProjection::maxwellian;
    collision.negative = NegativeDistribution::accept;
  }
  return {.model = GasModel::boltzmann, .collision = collision};
}

const std::vector<Term>& terms() {
  static const std::vector<Term> list{
      {"bgk", {.model = GasModel::bgk}, line_cells},
      {"es_bgk", {.model = GasModel::es_bgk}, line_cells},
      {"shakhov", {.model = GasModel::shakhov}, line_cells},
      {"carleman", boltzmann({.approach = CollisionApproach::carleman}), 8},
      {"spectral_6", boltzmann({.approach = CollisionApproach::spectral, .directions = {.degree = 5}})},
      {"conservative", boltzmann({.approach = CollisionApproach::conservative, .support = CollisionSupport::ball}), 0,
       true}};
  return list;
}

/// State on one side of a shock.
struct ShockSide {
  double density, speed, temperature;

  GasBoundary reservoir() const {
    return {.kind = GasBoundaryKind::inflow, .temperature = temperature, .velocity = {speed, 0, 0}, .density = density};
  }
  VelocityMoments moments() const {
    VelocityMoments state;
    state.density = density;
    state.velocity = {speed, 0, 0};
    state.temperature = temperature;
    return state;
  }
};

/// Conditions of Rankine and Hugoniot for a gas of density and temperature 1 ahead.
std::pair<ShockSide, ShockSide> shock_sides(double mach) {
  const double m2 = mach * mach, speed = mach * std::sqrt(5.0 / 3), ratio = 4 * m2 / (m2 + 3);
  return {{1, speed, 1}, {ratio, speed / ratio, (5 * m2 - 1) * (m2 + 3) / (16 * m2)}};
}

/// A shock at Mach 3 in `cells` cells of a quarter of the mean free path ahead, at the jump between both sides.
template <class Real>
Gas<Real> shock(const Queue& queue, int cells, const GasOptions& options) {
  const auto [ahead, behind] = shock_sides(3);
  const Molecules molecules =
      gas::molecules_of_knudsen(MoleculeModel::hard_sphere, gas::MeanFreePath::hard_sphere, 1, 1, 1, 1);
  const double length = cells / 4.0;
  Gas<Real> flow(queue, {.nodes = nodes, .half_width = 9, .center = {1.3, 0, 0}},
                 gas::uniform_faces(-length / 2, length / 2, cells), {ahead.reservoir(), behind.reservoir()}, molecules,
                 options);
  std::vector<VelocityMoments> states;
  for (int cell = 0; cell < cells; ++cell) states.push_back((2 * cell < cells ? ahead : behind).moments());
  flow.start(states);
  return flow;
}

void take_one_step(auto& flow) {
  flow.advance_to(flow.clock().time + 1, [] { return false; });
}

template <class Real>
void run_transport(benchmark::State& state, DeviceKind device) {
  const Queue queue = queue_for(device);
  const auto cells = static_cast<int>(state.range(0));
  Gas<Real> flow = shock<Real>(queue, cells, {.model = GasModel::none});
  measure(state, queue, [&] { take_one_step(flow); });
  report(state, queue, static_cast<double>(cells) * nodes * nodes * nodes, 5 * sizeof(Real));
}

template <class Real>
void run_iteration(benchmark::State& state, DeviceKind device, const Term& term, bool sweeps) {
  const Queue queue = queue_for(device);
  Gas<Real> flow = shock<Real>(queue, static_cast<int>(state.range(0)), term.options);
  measure(state, queue, [&] {
    if (sweeps)
      flow.advance_to_steady({.residual = 1e-30, .max_iterations = 1});
    else
      take_one_step(flow);
  });
}

/// Steepest slope of the density times the mean free path ahead over the jump.
template <class Real>
double path_over_thickness(Gas<Real>& flow) {
  const std::vector<VelocityMoments> moments = flow.moments();
  double steepest = 0;
  for (std::size_t i = 1; i < moments.size(); ++i)
    steepest =
        std::max(steepest, (moments[i].density - moments[i - 1].density) / (flow.faces()[i] - flow.faces()[i - 1]));
  const auto [ahead, behind] = shock_sides(3);
  return steepest / (behind.density - ahead.density);
}

template <class Real>
void run_shock(benchmark::State& state, DeviceKind device, const Term& term) {
  const Queue queue = queue_for(device);
  const auto cells = static_cast<int>(state.range(0));
  SteadyResult result;
  for (auto unused : state) {
    Gas<Real> flow = shock<Real>(queue, cells, term.options);
    if (term.continued) {
      Gas<Real> model = shock<Real>(queue, cells, {.model = GasModel::shakhov});
      model.advance_to_steady({.residual = 1e-4});
      flow.start(model.f());
    }
    result = flow.advance_to_steady({.residual = 1e-6, .max_iterations = 2000});
    state.counters["thickness"] = path_over_thickness(flow);
  }
  state.counters["iterations"] = static_cast<double>(result.iterations);
  state.counters["residual"] = result.residual;
}

/// @param run  called with the state of the benchmark
template <class Run>
benchmark::internal::Benchmark* add(const std::string& subject, const char* method, DeviceKind device, Run run) {
  auto* added = benchmark::RegisterBenchmark(
      (subject + "/" + method + (device == DeviceKind::cpu ? "/cpu" : "/cuda")).c_str(), run);
  return added->UseRealTime()->Unit(benchmark::kMillisecond);
}

template <class Real>
void add_all(const std::string& precision) {
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::cuda}) {
    if (!is_available(device)) continue;
    const bool on_cuda = device == DeviceKind::cuda;
    add("transport_" + precision, "none", device, [=](benchmark::State& state) {
      run_transport<Real>(state, device);
    })->Arg(on_cuda ? 4000 : 400);
    for (const Term& term : terms()) {
      const int cells = on_cuda ? line_cells : term.cpu_cells;
      if (cells == 0) continue;
      for (const bool sweeps : {false, true})
        add((sweeps ? "sweep_" : "step_") + precision, term.name, device, [=](benchmark::State& state) {
          run_iteration<Real>(state, device, term, sweeps);
        })->Arg(cells);
      if (on_cuda)
        add("shock_" + precision, term.name, device,
            [=](benchmark::State& state) { run_shock<Real>(state, device, term); })
            ->Arg(cells)
            ->Iterations(1);
    }
  }
}

}  // namespace

void register_benchmarks() {
  add_all<double>("double");
  add_all<float>("float");
}

}  // namespace shoal::benchmarks
