// SPDX-License-Identifier: Apache-2.0
// Flows of gas along x on 32³ velocity nodes, and in a plane on 24³, on every available device.
//
// transport     a step without collisions on a line that does not fit into a cache. Items are nodes; the ceiling counts f
//               and the stages as each is read and written once, five times a step
// step, sweep   a step in time, and an iteration to the steady state, of 200 cells with each collision term
// shock         a normal shock at Mach 3 to its steady state in 200 cells, from a smooth profile
// accelerated   the same by Anderson's acceleration over 20 iterations. `conservative` begins with the steady state of `carleman`
// plane         a step without collisions in a square, as transport
// cavity        a cavity of 64 × 64 cells whose lid slides, at Kn = 1, from rest to its steady state
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
  int cpu_cells = 0;  ///< Number of cells on the CPU; 0: too slow there.
  bool slow = false;  ///< No shock without acceleration.
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

/// Velocity grid for a shock at Mach 3, with a spacing of 0.6 thermal speeds ahead and a half width of 5 behind.
constexpr VelocityGrid shock_grid{.nodes = nodes, .half_width = 9.6, .center = {1.3, 0, 0}};

/// Gas of density and temperature 1 ahead of a shock at Mach 3.
GasBoundary gas_ahead() {
  return {.kind = GasBoundaryKind::inflow, .temperature = 1, .velocity = {3 * std::sqrt(5.0 / 3), 0, 0}, .density = 1};
}

/// State in a smooth profile between both sides: that of the mass flux and of the total enthalpy.
VelocityMoments profile_state(const GasBoundary& ahead, const GasBoundary& behind, double x) {
  constexpr double steepness = 0.6;
  const double flux = ahead.density * ahead.velocity[0];
  const double enthalpy = ahead.velocity[0] * ahead.velocity[0] / 2 + 2.5 * ahead.temperature;
  VelocityMoments state;
  state.density = ahead.density + (behind.density - ahead.density) * (1 + std::tanh(steepness * x)) / 2;
  state.velocity = {flux / state.density, 0, 0};
  state.temperature = (enthalpy - state.velocity[0] * state.velocity[0] / 2) / 2.5;
  return state;
}

/// A shock at Mach 3 of hard spheres.
template <class Real>
Gas<Real> shock(const Queue& queue, int cells, const GasOptions& options) {
  const GasBoundary ahead = gas_ahead(), behind = gas::behind_shock(shock_grid, ahead);
  const Molecules molecules =
      gas::molecules_of_knudsen(MoleculeModel::hard_sphere, gas::MeanFreePath::hard_sphere, 1, 1, 1, 1);
  const std::vector<double> faces = gas::uniform_faces(-14, 8, cells);  // mean free paths ahead
  Gas<Real> flow(queue, shock_grid, faces, {ahead, behind}, molecules, options);
  std::vector<VelocityMoments> states;
  for (std::size_t i = 1; i < faces.size(); ++i)
    states.push_back(profile_state(ahead, behind, (faces[i - 1] + faces[i]) / 2));
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
  const std::vector<double>& faces = flow.faces();
  double steepest = 0;
  for (std::size_t i = 1; i < moments.size(); ++i)
    steepest = std::max(steepest, (moments[i].density - moments[i - 1].density) / ((faces[i + 1] - faces[i - 1]) / 2));
  return steepest / (gas::behind_shock(shock_grid, gas_ahead()).density - 1);
}

void report_iterations(benchmark::State& state, const SteadyResult& result) {
  state.counters["iterations"] = static_cast<double>(result.iterations);
  state.counters["residual"] = result.residual;
}

template <class Real>
void run_shock(benchmark::State& state, DeviceKind device, const Term& term, SteadyOptions options) {
  const Queue queue = queue_for(device);
  const auto cells = static_cast<int>(state.range(0));
  SteadyResult result;
  for (auto unused : state) {
    Gas<Real> flow = shock<Real>(queue, cells, term.options);
    options.residual = sizeof(Real) == 4 ? 1e-3 : 1e-6;  // rounding keeps the residual of float above 4e-4
    options.max_iterations = term.slow ? 600 : 2000;
    result = flow.advance_to_steady(options);
    state.counters["thickness"] = path_over_thickness(flow);
  }
  report_iterations(state, result);
}

constexpr VelocityGrid cavity_grid{.nodes = 24, .half_width = 5.5};

/// A square of hard spheres at rest whose lid slides, at Kn = 1.
template <class Real>
Gas<Real> cavity(const Queue& queue, int cells, const GasOptions& options) {
  const std::vector<double> faces = gas::stretched_faces(0, 1, cells, 1.02);
  const GasBoundary wall{}, lid{.velocity = {0.1, 0, 0}};
  const Molecules molecules =
      gas::molecules_of_knudsen(MoleculeModel::hard_sphere, gas::MeanFreePath::hard_sphere, 1, 1, 1, 1);
  Gas<Real> flow(queue, cavity_grid, {faces, faces}, {wall, wall, wall, lid}, molecules, options);
  VelocityMoments rest;
  rest.density = rest.temperature = 1;
  flow.start({rest});
  return flow;
}

template <class Real>
void run_plane(benchmark::State& state, DeviceKind device) {
  const Queue queue = queue_for(device);
  const auto cells = static_cast<int>(state.range(0));
  Gas<Real> flow = cavity<Real>(queue, cells, {.model = GasModel::none});
  measure(state, queue, [&] { take_one_step(flow); });
  report(state, queue, static_cast<double>(cells) * cells * cavity_grid.nodes * cavity_grid.nodes * cavity_grid.nodes,
         5 * sizeof(Real));
}

template <class Real>
void run_cavity(benchmark::State& state, DeviceKind device, const Term& term) {
  const Queue queue = queue_for(device);
  SteadyResult result;
  for (auto unused : state) {
    Gas<Real> flow = cavity<Real>(queue, static_cast<int>(state.range(0)), term.options);
    // Cycles of the limiter hold the residual at some 2e-4.
    result = flow.advance_to_steady({.residual = 1e-3, .max_iterations = 1000});
    state.counters["drag"] = -flow.fluxes()[3].momentum[0];
  }
  report_iterations(state, result);
}

/// @param run  called with the state of the benchmark
template <class Run>
benchmark::internal::Benchmark* add(const std::string& subject, const char* method, DeviceKind device, Run run) {
  const auto run_or_say_why_not = [=](benchmark::State& state) {
    try {
      run(state);
    } catch (const Error& error) {  // such as a flow that does not converge
      state.SkipWithError(error.what());
    }
  };
  auto* added = benchmark::RegisterBenchmark(
      (subject + "/" + method + (device == DeviceKind::cpu ? "/cpu" : "/cuda")).c_str(), run_or_say_why_not);
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
    add("plane_" + precision, "none", device, [=](benchmark::State& state) {
      run_plane<Real>(state, device);
    })->Arg(on_cuda ? 64 : 24);
    for (const Term& term : terms()) {
      const int cells = on_cuda ? line_cells : term.cpu_cells;
      if (cells == 0) continue;
      for (const bool sweeps : {false, true})
        add((sweeps ? "sweep_" : "step_") + precision, term.name, device, [=](benchmark::State& state) {
          run_iteration<Real>(state, device, term, sweeps);
        })->Arg(cells);
      for (const bool accelerated : {false, true})
        if (on_cuda && (accelerated || !term.slow))
          add((accelerated ? "accelerated_" : "shock_") + precision, term.name, device,
              [=](benchmark::State& state) {
                run_shock<Real>(state, device, term,
                                {.continuation = term.slow ? SteadyContinuation::carleman : SteadyContinuation::none,
                                 .anderson = accelerated ? 20 : 0});
              })
              ->Arg(cells)
              ->Iterations(1);
      if (on_cuda && !term.slow)
        add("cavity_" + precision, term.name, device,
            [=](benchmark::State& state) { run_cavity<Real>(state, device, term); })
            ->Arg(64)
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
