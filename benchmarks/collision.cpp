// SPDX-License-Identifier: Apache-2.0
// One evaluation of the collision integral, every approach with every method that knows it, on every device that is
// there; Maxwell molecules, 16 directions on the half sphere (6 for the spectral row that others quote), 16 radii; one
// cell, and where the name says so 128 in a call. The error is the largest one against the exact right-hand side, over
// its own largest value.
#include <shoal/collision.hpp>

#include "collision/collision_method.hpp"
#include "support/exact_collision.hpp"
#include "support/measure.hpp"

namespace shoal::benchmarks {
namespace {

using namespace testing_support;

template <class Real>
void run(benchmark::State& state, DeviceKind device, const CollisionOptions& options, int cells) {
  const Queue queue = queue_for(device);
  const VelocityGrid grid{static_cast<int>(state.range(0)), is_fourier(options.approach) ? 7.725 : 5.5, {}};
  Collision<Real> collision(queue, grid, {.rate = 1}, options);
  const std::vector<Real> of_cell = Bkw{}.on<Real>(grid), change = Bkw{}.rate_on<Real>(grid);
  std::vector<Real> all, changes;
  for (int cell = 0; cell < cells; ++cell) {
    all.insert(all.end(), of_cell.begin(), of_cell.end());
    changes.insert(changes.end(), change.begin(), change.end());
  }
  const Array<Real> f = to_device(queue, all);
  Array<Real> q(queue, f.count());
  measure(state, queue, [&] { collision.evaluate(f, q); });
  state.counters["error"] = relative_difference(to_host(queue, q), changes);
  state.counters["directions"] = collision.directions().count();
}

template <class Real>
void add(const std::string& name, const CollisionMethod& row, CollisionOptions options, int cells = 1) {
  const MethodInfo method = method_info("collision", row);
  options.method = method.name;
  auto* benchmark = benchmark::RegisterBenchmark(
      benchmark_name(name, method).c_str(),
      [=, device = row.device](benchmark::State& state) { run<Real>(state, device, options, cells); });
  benchmark->UseRealTime()->Unit(benchmark::kMillisecond);
  const bool naive = method.name == "serial" || method.name == "pairs";
  if (naive) {
    benchmark->Arg(8);
    return;
  }
  benchmark->Arg(16)->Arg(32);
  const bool pair_by_pair = method.name == "lerp" || method.name == "texture" || method.name == "atomic";
  const bool cheap = method.name == "fftw" || (row.device == DeviceKind::cuda && !pair_by_pair);
  if (cheap && cells == 1) benchmark->Arg(64);
}

template <class Real>
void add_all(const std::string& precision) {
  for (const CollisionMethod& row : collision_rows()) {
    if (!is_here(row.device)) continue;
    const auto add_one = [&](const std::string& name, const CollisionOptions& options, int cells = 1) {
      if (row.knows(options.approach)) add<Real>(name + "_" + precision, row, options, cells);
    };
    add_one("interpolated", {.approach = CollisionApproach::interpolated});
    add_one("interpolated_cubic",
            {.approach = CollisionApproach::interpolated, .interpolation = VelocityInterpolation::cubic});
    add_one("conservative", {.approach = CollisionApproach::conservative});
    add_one("conservative_loss_only", {.approach = CollisionApproach::conservative, .symmetrized = false});
    add_one("spectral_6", {.approach = CollisionApproach::spectral, .directions = {.degree = 5}});
    add_one("spectral", {.approach = CollisionApproach::spectral});
    add_one("carleman", {.approach = CollisionApproach::carleman});
    add_one("carleman_128_cells", {.approach = CollisionApproach::carleman}, 128);
  }
}

}  // namespace

void register_benchmarks() {
  add_all<double>("double");
  add_all<float>("float");
}

}  // namespace shoal::benchmarks
