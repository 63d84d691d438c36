// SPDX-License-Identifier: Apache-2.0
// One evaluation of the collision integral: every approach with every method that implements it, on every device of this
// machine. Maxwell molecules, 16 directions on the half sphere (6 for `spectral_6`, which publications report), 16 radii;
// one cell in a call, or 128 by name. The error is the largest difference from the exact right-hand side, relative to its
// largest value.
#include <shoal/collision.hpp>

#include "collision/collision_method.hpp"
#include "support/exact_collision.hpp"
#include "support/google.hpp"

namespace shoal::benchmarks {
namespace {

using namespace testing_support;

template <class Real>
void run(benchmark::State& state, DeviceKind device, const CollisionOptions& options, int cells) {
  const Queue queue = queue_for(device);
  const VelocityGrid grid{static_cast<int>(state.range(0)), is_fourier(options.approach) ? 7.725 : 5.5, {}};
  Collision<Real> collision(queue, grid, {.rate = 1}, options);
  const std::vector<Real> cell_f = Bkw{}.on<Real>(grid), cell_rate = Bkw{}.rate_on<Real>(grid);
  std::vector<Real> host_f, rate;
  for (int cell = 0; cell < cells; ++cell) {
    host_f.insert(host_f.end(), cell_f.begin(), cell_f.end());
    rate.insert(rate.end(), cell_rate.begin(), cell_rate.end());
  }
  const Array<Real> f = to_device(queue, host_f);
  Array<Real> q(queue, f.count());
  measure(state, queue, [&] { collision.evaluate(f, q); });
  state.counters["error"] = relative_difference(to_host(queue, q), rate);
  state.counters["directions"] = collision.directions().count();
}

template <class Real>
void add(const std::string& name, const CollisionMethod& entry, CollisionOptions options, int cells = 1) {
  const MethodInfo method = method_info("collision", entry);
  options.method = method.name;
  auto* benchmark = benchmark::RegisterBenchmark(
      benchmark_name(name, method).c_str(),
      [=, device = entry.device](benchmark::State& state) { run<Real>(state, device, options, cells); });
  benchmark->UseRealTime()->Unit(benchmark::kMillisecond);
  const bool is_slow = method.name == "serial" || method.name == "pairs";
  if (is_slow) {
    benchmark->Arg(8);
    return;
  }
  benchmark->Arg(16)->Arg(32);
  const bool pair_by_pair = method.name == "lerp" || method.name == "texture" || method.name == "atomic";
  const bool cheap = method.name == "fftw" || (entry.device == DeviceKind::cuda && !pair_by_pair);
  if (cheap && cells == 1) benchmark->Arg(64);
}

template <class Real>
void add_all(const std::string& precision) {
  for (const CollisionMethod& entry : collision_rows()) {
    if (!is_available(entry.device)) continue;
    const auto add_one = [&](const std::string& name, const CollisionOptions& options, int cells = 1) {
      if (entry.knows(options.approach)) add<Real>(name + "_" + precision, entry, options, cells);
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
